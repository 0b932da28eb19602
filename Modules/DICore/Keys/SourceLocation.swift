/// Where in the source a registration was written.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file in the form `Module/File.swift`.
    public let fileID: String

    /// The line, from one.
    public let line: UInt

    /// Makes a location; the defaults are the place of the call.
    public init(fileID: String = #fileID, line: UInt = #line) {
        self.fileID = fileID
        self.line = line
    }

    /// The module that the file belongs to: the part of ``fileID`` before the first slash.
    public var module: String { String(fileID.prefix { $0 != "/" }) }

    /// The location as `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}

/// A location as the compiler gives it, which takes no string to be made.
struct RegistrationPlace {
    let fileID: StaticString
    let line: UInt32

    var location: SourceLocation { SourceLocation(fileID: fileID.description, line: UInt(line)) }
}
