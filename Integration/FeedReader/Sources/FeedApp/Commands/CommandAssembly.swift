import DIAssembly
package import DICore
import DIWrappers
import FeedModel
import FeedSamples

/// The commands, each under its name.
///
/// They are built by the container of a run, which `RunAssembly` is applied to, and so find what the command line says.
package struct CommandAssembly: Assembly {
    /// There is nothing to set.
    package init() {}

    /// What only a run can say.
    package var externalKeys: [ServiceKey] { RunAssembly.keys }

    /// Registers `any Command` for each name.
    package func assemble(container: Container) {
        registerReaders(in: container)
        registerLookers(in: container)
    }

    /// Those that the reader is there for.
    private func registerReaders(in container: Container) {
        container.register((any Command).self, name: CommandName.newest.rawValue) { r in
            NewestCommand(
                query: try r.require(ItemQuery.self),
                samples: try r.require([FeedSource].self, name: SamplesAssembly.sourcesName),
                store: try r.require(Lazy<any FeedStore>.self),
                refresher: try r.require(Lazy<FeedRefresher>.self),
                journal: try r.require(RefreshJournal.self),
                lister: try r.require(ItemLister.self),
                output: try r.require((any TextOutput).self)
            )
        }
        // An initializer cannot ask for a name, so this is a closure, and says itself what it asks for.
        .dependsOn([FeedSource].self, name: SamplesAssembly.sourcesName)
        .dependsOn(ItemQuery.self, Lazy<any FeedStore>.self, Lazy<FeedRefresher>.self)
        .dependsOn(RefreshJournal.self, ItemLister.self, (any TextOutput).self)
        register(.add, in: container, initializer: AddCommand.init)
        register(.remove, in: container, initializer: RemoveCommand.init)
        register(.refresh, in: container, initializer: RefreshCommand.init)
        register(.list, in: container, initializer: ListCommand.init)
        register(.show, in: container, initializer: ShowCommand.init)
    }

    /// Those that look at the program itself.
    private func registerLookers(in container: Container) {
        register(.graph, in: container, initializer: GraphCommand.init)
        register(.doctor, in: container, initializer: DoctorCommand.init)
        register(.help, in: container, initializer: HelpCommand.init)
    }

    private func register<each Dependency>(
        _ name: CommandName,
        in container: Container,
        line: UInt = #line,
        initializer: @escaping (repeat each Dependency) throws -> any Command
    ) {
        container.autoregister((any Command).self, name: name.rawValue, line: line, initializer: initializer)
    }
}
