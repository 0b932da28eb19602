public import DIAssembly
public import DICore
import FeedModel

/// The feeds that ship with the reader: how they are fetched, and which there are.
public struct SamplesAssembly: SendableAssembly {
    /// The name under which the sources of the samples are registered, as an array of `FeedSource`.
    public static let sourcesName = "samples"

    /// There is nothing to set.
    public init() {}

    /// Contributes a fetcher, and registers the sources by name.
    public func assemble(registrar: any SendableRegistrar) {
        registrar.contribute((any FeedFetcher).self, name: "sample", initializer: SampleFetcher.init)
        registrar.register([FeedSource].self, name: Self.sourcesName) { _ in SampleFeeds.sources }
            .dependsOnNothing()
    }
}
