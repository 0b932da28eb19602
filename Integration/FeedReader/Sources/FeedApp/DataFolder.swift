package import FeedStorage
package import Foundation

/// Where the reader keeps what it has to remember.
package struct DataFolder {
    /// The folder; it need not be there.
    package let url: URL

    /// Asks the environment as the XDG base directory specification has it, on Apple's systems the system.
    package init(environment: [String: String]) {
        #if canImport(Darwin)
        let base = URL.applicationSupportDirectory
        #else
        func absolute(_ name: String) -> URL? {
            // What is relative is to be ignored.
            environment[name].flatMap { $0.hasPrefix("/") ? URL(filePath: $0, directoryHint: .isDirectory) : nil }
        }
        let home = absolute("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
        let base = absolute("XDG_DATA_HOME") ?? home.appending(path: ".local/share", directoryHint: .isDirectory)
        #endif
        url = base.appending(path: "feeds", directoryHint: .isDirectory)
    }

    /// The database in it.
    package var database: DatabaseLocation {
        .file(url.appending(path: "feeds.sqlite", directoryHint: .notDirectory))
    }
}
