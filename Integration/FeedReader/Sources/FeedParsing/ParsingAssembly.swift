public import DIAssembly
public import DICore
import FeedModel

/// Reading the formats: one parser for each in the collection of parsers, and the detector that chooses among them.
///
/// Whoever knows another format contributes a parser to the same collection; nothing here changes.
public struct ParsingAssembly: SendableAssembly {
    /// There is nothing to set.
    public init() {}

    /// Contributes the parsers, and registers `FeedDetector`.
    public func assemble(registrar: any SendableRegistrar) {
        // The names are for those who follow a trace.
        registrar.contribute((any FeedParser).self, name: "RSS", initializer: RSSParser.init)
        registrar.contribute((any FeedParser).self, name: "Atom", initializer: AtomParser.init)
        registrar.contribute((any FeedParser).self, name: "JSON Feed", initializer: JSONFeedParser.init)
        registrar.autoregister(FeedDetector.self, initializer: FeedDetector.init)
    }
}
