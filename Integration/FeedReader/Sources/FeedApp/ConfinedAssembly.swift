package import DIAssembly
package import DICore
import DIScopes
package import DIThreadSafe
import DIWrappers
import FeedModel

/// What stays where the commands run: services that remember what they do, or that ask later, and no thread may share.
///
/// Applied to a plain container over the one that all threads share.
package struct ConfinedAssembly: Assembly {
    private let shared: ThreadSafeContainer

    /// Takes the container that the units of work are made over.
    package init(over shared: ThreadSafeContainer) {
        self.shared = shared
    }

    /// The commands, which use these services.
    package var needs: [any Assembly] { [CommandAssembly()] }

    /// Registers refreshing and listing.
    package func assemble(container: Container) {
        // Here and not in the shared container, which would keep itself.
        container.register(ThreadSafeContainer.self, instance: shared)
        container.autoregister(RefreshUnits.self, initializer: RefreshUnits.init)
        // One for each run of a command, which has a container of its own.
        container.register(RefreshJournal.self, scope: .perContainer) { r in
            RefreshJournal(startedAt: try r.require((any DateProvider).self).now)
        }
        .dependsOn((any DateProvider).self)
        container.autoregister(FeedRefresher.self, initializer: FeedRefresher.init)
        // Empty and growing, so nobody may share one.
        container.autoregister(ItemTable.self, scope: .transient, initializer: ItemTable.init)
        container.autoregister(ItemPage.self, initializer: ItemPage.init)
        container.autoregister(ItemLister.self, initializer: ItemLister.init)
    }
}
