public import DIAssembly
public import DICore
import DIScopes
import FeedModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fetching over HTTP and from files: both in the collection of fetchers, and the one that gives each source to the
/// fetcher for its kind.
///
/// Whoever can read another kind of source contributes a fetcher to the same collection; nothing here changes.
public struct NetworkAssembly: SendableAssembly {
    /// There is nothing to set.
    public init() {}

    /// Registers the limits and the configuration of the session, contributes the fetchers, and registers
    /// `any FeedFetcher` over all of them.
    public func assemble(registrar: any SendableRegistrar) {
        registrar.register(FetchLimits.self) { _ in FetchLimits() }.dependsOnNothing()
        // One for all, so that a setting made to it reaches every session.
        registrar.register(URLSessionConfiguration.self, scope: .container) { _ in .ephemeral }
            .dependsOnNothing()
        // A fetcher keeps a session and its connections: one for the life of the container.
        registrar.contribute((any FeedFetcher).self, name: "HTTP", scope: .container, initializer: HTTPFetcher.init)
        registrar.contribute((any FeedFetcher).self, name: "file", initializer: FileFetcher.init)
        // In the graph, not kept: so it is built by whoever asks, and has the contributions of a child as well.
        registrar.autoregister((any FeedFetcher).self, initializer: SchemeFetcher.init)
    }
}
