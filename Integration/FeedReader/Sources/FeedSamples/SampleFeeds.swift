public import FeedModel
public import Foundation

/// The feeds that ship with the reader, so that it has something to show without a network.
///
/// They are compiled into the program: nothing has to be found while it runs. Each of them has some of the
/// oddities of real feeds.
public enum SampleFeeds {
    /// One sample.
    struct Sample {
        var name: String
        var data: Data
    }

    static let samples = [
        Sample(name: "observatory", data: Data(PackageResources.observatory_rss)),
        Sample(name: "bakery", data: Data(PackageResources.bakery_atom)),
        Sample(name: "tides", data: Data(PackageResources.tides_json)),
    ]

    /// Their names: `observatory` is RSS, `bakery` is Atom, `tides` is JSON Feed.
    public static var names: [String] { samples.map(\.name) }

    /// Their sources, such as `sample:bakery`; `SampleFetcher` reads them.
    public static var sources: [FeedSource] {
        names.compactMap { URL(string: "sample:\($0)") }.compactMap { try? FeedSource(url: $0) }
    }

    /// The document of a sample; nil if there is none of this name.
    public static func data(named name: String) -> Data? {
        samples.first { $0.name == name }?.data
    }
}
