import DIAssembly
package import DICore
import FeedModel

/// What one run says to its command: what the command line says of it, and the wiring of the app, all as instances.
///
/// Applied to a container of its own, whose parent is the app's.
package struct RunAssembly: Assembly {
    /// The keys that are registered here, of which each run needs a few.
    package static let keys = [
        ServiceKey(ItemQuery.self), ServiceKey(FeedSource.self), ServiceKey(FeedItem.ID.self),
        ServiceKey(GraphRequest.self), ServiceKey(ReportFormat.self), ServiceKey(AppWiring.self),
    ]

    private let action: Action
    private let wiring: AppWiring

    /// How many items a person can take in at once.
    private static let newestCount = 20

    /// Takes what is to be done, and the wiring of the app that does it.
    package init(action: Action, wiring: AppWiring) {
        self.action = action
        self.wiring = wiring
    }

    /// Registers what the action says.
    package func assemble(container: Container) {
        container.register(AppWiring.self, instance: wiring)
        switch action {
        case .newest: container.register(ItemQuery.self, instance: ItemQuery(limit: Self.newestCount))
        case .list(let unreadOnly): container.register(ItemQuery.self, instance: ItemQuery(unreadOnly: unreadOnly))
        case .add(let source), .remove(let source): container.register(FeedSource.self, instance: source)
        case .show(let id): container.register(FeedItem.ID.self, instance: id)
        case .graph(let request): container.register(GraphRequest.self, instance: request)
        case .doctor(let format): container.register(ReportFormat.self, instance: format)
        case .refresh, .help: break
        }
    }
}
