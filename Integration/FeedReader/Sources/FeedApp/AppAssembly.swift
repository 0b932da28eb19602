public import DIAssembly
public import DICore
import DIScopes
import DIWrappers
import FeedModel
import FeedNetwork
import FeedParsing
import FeedSamples
import FeedStorage
import Foundation

/// The whole app: the parts, and what the app itself adds to them.
///
///     let assembler = Assembler([AppAssembly(arguments: ["list", "--unread"], environment: [:])])
///     let code = await Program(assembler).run()
///
/// Registers no more than how things are made. The arguments are read, and a database is opened, when somebody asks for
/// what comes of them.
public struct AppAssembly: Assembly {
    private let arguments: [String]
    private let environment: [String: String]

    /// Takes what the system gives to a program.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the name of the program.
    ///   - environment: the variables of the process.
    public init(arguments: [String], environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
    }

    /// The assemblies of the parts.
    public var needs: [any Assembly] {
        [ParsingAssembly(), NetworkAssembly(), StorageAssembly(), SamplesAssembly(), CommandAssembly()]
    }

    /// Registers the surroundings, reading, and text.
    public func assemble(container: Container) {
        registerSurroundings(in: container)
        registerReading(in: container)
        registerText(in: container)
    }

    private func registerSurroundings(in container: Container) {
        container.autoregister((any DateProvider).self, initializer: SystemDateProvider.init)
        container.autoregister((any TextOutput).self, initializer: StandardOutput.init)
        container.autoregister((any TextOutput).self, name: OutputName.errors, initializer: StandardError.init)
        container.register(DataFolder.self) { [environment] _ in DataFolder(environment: environment) }
            .dependsOnNothing()
        container.autoregister(InvocationParser.self, initializer: InvocationParser.init)
        container.register(Invocation.self, scope: .container) { [arguments] r in
            try r.require(InvocationParser.self).parse(arguments)
        }
        .dependsOn(InvocationParser.self)
        container.register(DatabaseLocation.self) { r in
            try r.require(Invocation.self).database ?? r.require(DataFolder.self).database
        }
        .dependsOn(Invocation.self, DataFolder.self)
    }

    private func registerReading(in container: Container) {
        container.autoregister(FeedReading.self, argument: Feed.self, initializer: FeedReading.init)
        // One for each run of a command, which has a container of its own.
        container.register(RefreshJournal.self, scope: .perContainer) { r in
            RefreshJournal(startedAt: try r.require((any DateProvider).self).now)
        }
        .dependsOn((any DateProvider).self)
        // Asks later and with an argument, which a registration has no words for.
        container.register(FeedReadings.self) { r in
            FeedReadings { feed in try r.require(FeedReading.self, argument: feed) }
        }
        container.autoregister(FeedRefresher.self, initializer: FeedRefresher.init)
    }

    private func registerText(in container: Container) {
        // The texts of the program are English, so its dates are as well, whatever the language of the system.
        container.register(Locale.self) { _ in Locale(identifier: "en_US_POSIX") }.dependsOnNothing()
        container.register(TimeZone.self) { _ in TimeZone.current }.dependsOnNothing()
        container.register(TextLayout.self) { _ in TextLayout(columns: 80) }.dependsOnNothing()
        container.autoregister(DateText.self, initializer: DateText.init)
        // Empty and growing, so nobody may share one.
        container.autoregister(ItemTable.self, scope: .transient, initializer: ItemTable.init)
        container.autoregister(ItemPage.self, initializer: ItemPage.init)
        container.autoregister(ItemLister.self, initializer: ItemLister.init)
    }
}
