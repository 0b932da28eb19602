import FeedApp
import FeedModel
import FeedStorage
import Foundation
import Testing

@Suite("The command line")
struct InvocationParserTests {
    private func parse(_ line: String) throws -> Invocation {
        try InvocationParser().parse(line.split(separator: " ").map(String.init))
    }

    @Test(
        "says what to do",
        arguments: [
            ("", .newest),
            ("refresh", .refresh),
            ("list", .list(unreadOnly: false)),
            ("list --unread", .list(unreadOnly: true)),
            ("--unread list", .list(unreadOnly: true)),
            ("show 12", .show(FeedItem.ID(rawValue: 12))),
            ("graph", .graph(GraphRequest(format: .mermaid))),
            ("graph --format dot", .graph(GraphRequest(format: .dot))),
            ("graph --from FeedStore --depth=2", .graph(GraphRequest(root: "FeedStore", depth: 2))),
            ("doctor", .doctor(.text)),
            ("doctor --format=json", .doctor(.json)),
            ("--help", .help),
            ("-h", .help),
            ("list --help", .help),
            ("nonsense --help", .help),
        ] as [(String, Action)]
    )
    func actions(line: String, action: Action) throws {
        #expect(try parse(line) == Invocation(action: action))
    }

    @Test("names feeds by address or file, in relation to the current folder")
    func sources() throws {
        #expect(try parse("add https://example.org/feed").action == .add(FeedSource("https://example.org/feed")))
        #expect(try parse("remove ../feed.xml").action == .remove(FeedSource("../feed.xml")))
        #expect(try parse("add -- --odd.xml").action == .add(FeedSource("--odd.xml")))
        #expect(try parse("add -").action == .add(FeedSource("-")))
    }

    @Test("has options in any place", arguments: ["--trace --database a.db list", "list --database=a.db --trace"])
    func options(line: String) throws {
        let path = URL(filePath: "a.db").absoluteURL
        let expected = Invocation(action: .list(unreadOnly: false), database: .file(path), isTraced: true)
        #expect(try parse(line) == expected)
    }

    @Test(
        "that cannot be understood is an error",
        arguments: [
            ("lst", .unknownCommand("lst")),
            ("--verbose", .unknownOption("--verbose")),
            ("-x", .unknownOption("-x")),
            ("--unread", .misplacedOption("--unread", command: "feeds")),
            ("refresh --unread", .misplacedOption("--unread", command: "refresh")),
            ("--database", .missingValue(option: "--database", value: "PATH")),
            ("--database=", .missingValue(option: "--database", value: "PATH")),
            ("--trace=yes", .unexpectedValue(option: "--trace")),
            ("graph --format", .missingValue(option: "--format", value: "FORMAT")),
            ("graph --from=", .missingValue(option: "--from", value: "KEY")),
            ("graph --format svg", .badValue(option: "--format", value: "svg", expected: "one of mermaid, dot, json")),
            ("doctor --format dot", .badValue(option: "--format", value: "dot", expected: "one of text, json")),
            (
                "graph --from A --depth -1",
                .badValue(option: "--depth", value: "-1", expected: "a number of steps")
            ),
            ("graph --depth 1", .dependentOption("--depth", needed: "--from")),
            ("doctor --from A", .misplacedOption("--from", command: "doctor")),
            ("list --format json", .misplacedOption("--format", command: "list")),
            ("graph FeedStore", .unexpectedOperand("FeedStore", command: "graph")),
            ("add", .missingOperand(command: "add", operand: "URL|FILE")),
            ("show", .missingOperand(command: "show", operand: "ID")),
            ("add a b", .unexpectedOperand("b", command: "add")),
            ("list 3", .unexpectedOperand("3", command: "list")),
        ] as [(String, UsageError)]
    )
    func errors(line: String, error: UsageError) {
        #expect(throws: error) { try parse(line) }
    }

    @Test("with an address or a number that is none is an error of the model")
    func modelErrors() {
        #expect(throws: FeedError.unsupportedAddress("ftp://example.org")) { try parse("add ftp://example.org") }
        #expect(throws: FeedError.unknownItem("first")) { try parse("show first") }
    }

    @Test(
        "has errors that say the way out",
        arguments: [
            (.unknownCommand("lst"), "there is no command 'lst'; feeds --help lists them."),
            (.unknownOption("-x"), "there is no option '-x'; feeds --help lists them."),
            (.misplacedOption("--unread", command: "show"), "'show' has no option '--unread'; see feeds --help."),
            (.missingValue(option: "--database", value: "PATH"), "'--database' needs a value: feeds --database PATH."),
            (
                .badValue(option: "--depth", value: "x", expected: "a number of steps"),
                "'--depth' is a number of steps, not 'x'; see feeds --help."
            ),
            (.dependentOption("--depth", needed: "--from"), "'--depth' goes with '--from' only; see feeds --help."),
            (.unexpectedValue(option: "--trace"), "'--trace' takes no value."),
            (.missingOperand(command: "show", operand: "ID"), "'show' needs to know which: feeds show ID."),
            (.unexpectedOperand("b", command: "add"), "'add' does not know what to do with 'b'; see feeds --help."),
        ] as [(UsageError, String)]
    )
    func texts(error: UsageError, text: String) {
        #expect("\(error)" == text)
    }

    @Test("is explained in 80 columns")
    func help() {
        #expect(HelpText.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
