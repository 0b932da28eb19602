import FeedModel
import FeedParsing
import Foundation
import Testing

@Suite("The detector")
struct FeedDetectorTests {
    private let detector = FeedDetector(parsers: [RSSParser(), AtomParser(), JSONFeedParser()])

    @Test(
        "picks the parser that knows the format",
        arguments: [
            (Documents.rss(""), "RSS"), (Documents.atom(""), "Atom"), (Documents.json(""), "JSON Feed"),
            ("<!-- <rss> --><feed xmlns='http://www.w3.org/2005/Atom'/>", "Atom"),
        ]
    )
    func picks(text: String, format: String) throws {
        let document = try Documents.document(text)
        #expect(try detector.parser(for: document).formatName == format)
        #expect(try detector.parse(document).items.isEmpty)
    }

    @Test(
        "leaves a broken feed to its parser, which says what is wrong",
        arguments: ["<rss><channel>", "<feed", #"{ "version": "https://jsonfeed.org/version/1.1", "#]
    )
    func broken(text: String) throws {
        let document = try Documents.document(text)
        _ = try detector.parser(for: document)
        #expect(throws: FeedError.self) { try detector.parse(document) }
    }

    @Test(
        "says what something else looks like",
        arguments: [
            ("", "it is empty"), (" \n ", "it is empty"), ("<!DOCTYPE html><html><p>x", "it is a web page"),
            ("<HTML>", "it is a web page"), ("<opml/>", "it is XML of another kind (<opml>)"),
            ("<rss2/>", "it is XML of another kind (<rss2>)"), ("{}", "it is JSON of another kind"),
            ("[1]", "it is JSON of another kind"), ("<?xml version='1.0'", "it begins as XML and has no element"),
            ("Dear Sir", "it is neither XML nor JSON"), ("\u{0}\u{1}", "it is neither XML nor JSON"),
        ]
    )
    func notAFeed(text: String, found: String) throws {
        let document = try Documents.document(text)
        #expect(throws: FeedError.notAFeed(document.source, found: found)) { try detector.parse(document) }
    }

    @Test("knows only the parsers it was given, the first of them first")
    func injected() throws {
        let document = try Documents.document(Documents.rss(""))
        #expect(throws: FeedError.self) { try FeedDetector(parsers: []).parse(document) }
        #expect(throws: FeedError.self) { try FeedDetector(parsers: [AtomParser()]).parse(document) }
        let greedy = FeedDetector(parsers: [AnythingParser(), RSSParser()])
        #expect(try greedy.parse(document).title == "anything")
    }

    private struct AnythingParser: FeedParser {
        var formatName: String { "anything" }
        func canParse(_ document: FeedDocument) -> Bool { true }
        func parse(_ document: FeedDocument) throws -> ParsedFeed { ParsedFeed(title: "anything", items: []) }
    }
}
