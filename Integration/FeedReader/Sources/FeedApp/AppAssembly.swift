public import DIAssembly
public import DICore
import DIScopes
import FeedModel
import FeedNetwork
import FeedParsing
import FeedSamples
import FeedStorage
import Foundation

/// What all threads of the app share: the parts, and what the app itself adds to them.
///
/// Registers no more than how things are made. The arguments are read, and a database is opened, when somebody asks for
/// what comes of them.
public struct AppAssembly: SendableAssembly {
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
        [ParsingAssembly(), NetworkAssembly(), StorageAssembly(), SamplesAssembly()]
    }

    /// The feed, which each unit of work has for itself.
    public var externalKeys: [ServiceKey] { [ServiceKey(Feed.self)] }

    /// Registers the surroundings, reading, and text.
    public func assemble(registrar: any SendableRegistrar) {
        registerSurroundings(in: registrar)
        registerReading(in: registrar)
        registerText(in: registrar)
    }

    private func registerSurroundings(in registrar: any SendableRegistrar) {
        registrar.autoregister((any DateProvider).self, initializer: SystemDateProvider.init)
        registrar.autoregister((any TextOutput).self, initializer: StandardOutput.init)
        registrar.autoregister((any TextOutput).self, name: OutputName.errors, initializer: StandardError.init)
        registrar.register(DataFolder.self) { [environment] _ in DataFolder(environment: environment) }
            .dependsOnNothing()
        registrar.autoregister(InvocationParser.self, initializer: InvocationParser.init)
        registrar.register(Invocation.self, scope: .container) { [arguments] r in
            try r.require(InvocationParser.self).parse(arguments)
        }
        .dependsOn(InvocationParser.self)
        registrar.register(DatabaseLocation.self) { r in
            try r.require(Invocation.self).database ?? r.require(DataFolder.self).database
        }
        .dependsOn(Invocation.self, DataFolder.self)
    }

    private func registerReading(in registrar: any SendableRegistrar) {
        registrar.register(RefreshLimits.self) { _ in RefreshLimits() }.dependsOnNothing()
        // One for each unit of work, which has a container of its own; there those who read and those who store meet.
        registrar.autoregister(FeedVisit.self, scope: .perContainer, initializer: FeedVisit.init)
        registrar.autoregister(FeedReading.self, initializer: FeedReading.init)
        registrar.autoregister(FeedStoring.self, initializer: FeedStoring.init)
    }

    private func registerText(in registrar: any SendableRegistrar) {
        // The texts of the program are English, so its dates are as well, whatever the language of the system.
        registrar.register(Locale.self) { _ in Locale(identifier: "en_US_POSIX") }.dependsOnNothing()
        registrar.register(TimeZone.self) { _ in TimeZone.current }.dependsOnNothing()
        registrar.register(TextLayout.self) { _ in TextLayout(columns: 80) }.dependsOnNothing()
        registrar.autoregister(DateText.self, initializer: DateText.init)
    }
}
