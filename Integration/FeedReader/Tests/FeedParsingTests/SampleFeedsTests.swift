import FeedModel
import FeedParsing
import FeedSamples
import Foundation
import Testing

@Suite("The samples that ship with the reader")
struct SampleFeedsTests {
    private func parse(_ source: FeedSource) async throws -> ParsedFeed {
        guard case .fetched(let document, nil) = try await SampleFetcher().fetch(source, validators: nil) else {
            throw FeedError.unknownSample(source, known: [])
        }
        return try FeedDetector(parsers: [RSSParser(), AtomParser(), JSONFeedParser()]).parse(document)
    }

    @Test("are one of each format, each with six items and more, all with a title and a text")
    func all() async throws {
        #expect(SampleFeeds.sources.map(\.description) == ["sample:observatory", "sample:bakery", "sample:tides"])
        for source in SampleFeeds.sources {
            let feed = try await parse(source)
            #expect(feed.items.count == 6)
            for item in feed.items {
                #expect(!item.body.isEmpty)
                #expect(!(item.title + item.body + item.summary).contains { "<>".contains($0) && item.link == nil })
            }
        }
    }

    @Test("come out readable, however oddly they are written")
    func titles() async throws {
        var titles: [String] = []
        for source in SampleFeeds.sources {
            let feed = try await parse(source)
            titles += [feed.title] + feed.items.map(\.title)
        }
        #expect(
            titles == [
                "Kestrel Hill Observatory — Night Log",
                "Saturn's rings, nearly edge-on & thin as a hair",
                "Dome motor: Fish & Chips night saved us",
                "A fireball over the café terrace",
                "Sunspot count for the week (corrected)",
                "Cloud. Again.",
                "Open evening on the equinox",
                "Three Crusts & Daughter",
                "The four o’clock rye",
                "Flour & water < patience",
                "Hot cross buns: the list opens",
                "A very flat loaf",
                "Opening hours (with the new oven)",
                "A customer asked for a loaf “with fewer holes”. We gave her the holes…",
                "Skerry Point Tide-Table Club",
                "Spring tides: 5.4 m on the 20th",
                "Barnacle census < last year's",
                "Notice to walkers: the north lamp is out",
                "Minutes of the March meeting (as approved)",
                "Driftwood, free to collect",
                "A gannet dived within an oar's length of the committee boat this morning and…",
            ]
        )
    }

    @Test("have items without a date, and links that all became absolute")
    func oddities() async throws {
        for source in SampleFeeds.sources {
            let items = try await parse(source).items
            #expect(items.contains { $0.published == nil })
            #expect(items.compactMap(\.link).allSatisfy { $0.scheme == "https" })
            #expect(items.compactMap(\.link).count >= 4)
        }
    }

    @Test("are the only ones")
    func unknown() async throws {
        let source = try FeedSource("sample:nowhere")
        await #expect(throws: FeedError.unknownSample(source, known: ["observatory", "bakery", "tides"])) {
            try await SampleFetcher().fetch(source, validators: nil)
        }
        #expect(SampleFetcher().canFetch(source))
        #expect(try !SampleFetcher().canFetch(FeedSource("https://example.org/")))
    }
}
