public import DIAssembly
public import DICore
import FeedModel

/// Reading the formats: one parser for each in the collection of parsers, and the detector that chooses among them.
///
/// Whoever knows another format contributes a parser to the same collection; nothing here changes.
public struct ParsingAssembly: Assembly {
    /// There is nothing to set.
    public init() {}

    /// Contributes the parsers, and registers `FeedDetector`.
    public func assemble(container: Container) {
        // The names are for those who follow a trace.
        container.contribute((any FeedParser).self, name: "RSS", initializer: RSSParser.init)
        container.contribute((any FeedParser).self, name: "Atom", initializer: AtomParser.init)
        container.contribute((any FeedParser).self, name: "JSON Feed", initializer: JSONFeedParser.init)
        container.autoregister(FeedDetector.self, initializer: FeedDetector.init)
    }
}
