import FeedModel
import FeedStorage
import Foundation

/// Reads the command line.
///
/// Options may stand anywhere; after `--` there are none. `--help` wins over whatever command there is.
package struct InvocationParser {
    /// There is nothing to set.
    package init() {}

    /// Reads the arguments, the name of the program left out.
    ///
    /// Throws `UsageError`, or the `FeedError` of an address or a number that is none.
    package func parse(_ arguments: [String]) throws -> Invocation {
        var words = Words()
        try words.read(arguments)
        return Invocation(action: try action(words), database: words.database, isTraced: words.isTraced)
    }

    private func action(_ words: Words) throws -> Action {
        if words.isHelpWanted { return .help }
        var operands = words.operands[...]
        let command = operands.popFirst()
        try words.checkPlaces(command: command ?? "feeds")
        func operand(_ what: String) throws -> String {
            guard let operand = operands.popFirst(), !operand.isEmpty else {
                throw UsageError.missingOperand(command: command ?? "feeds", operand: what)
            }
            return operand
        }
        func only<Operand>(_ operand: Operand) throws -> Operand {
            guard let extra = operands.first else { return operand }
            throw UsageError.unexpectedOperand(extra, command: command ?? "feeds")
        }
        switch command {
        case nil: return .newest
        case "add": return .add(try FeedSource(only(operand("URL|FILE"))))
        case "remove": return .remove(try FeedSource(only(operand("URL|FILE"))))
        case "refresh": return try only(.refresh)
        case "list": return try only(.list(unreadOnly: words.isUnreadOnly))
        case "show": return .show(try FeedItem.ID(only(operand("ID"))))
        case "graph": return try only(.graph(words.graphRequest()))
        case "doctor": return try only(.doctor(words.choice("--format", or: .text)))
        case let unknown?: throw UsageError.unknownCommand(unknown)
        }
    }
}

extension InvocationParser {
    /// The command line, sorted into options and the rest.
    private struct Words {
        var operands: [String] = []
        var database: DatabaseLocation?
        var isTraced = false
        var isHelpWanted = false

        /// The options that only some commands have, with their values, in the order in which they were given.
        private var commandOptions: [(name: String, value: String)] = []

        private static let commandsWithOptions: [String: Set<String>] = [
            "list": ["--unread"],
            "graph": ["--format", "--from", "--depth"],
            "doctor": ["--format"],
        ]

        var isUnreadOnly: Bool { value(of: "--unread") != nil }

        func checkPlaces(command: String) throws {
            let known = Self.commandsWithOptions[command, default: []]
            for (name, _) in commandOptions where !known.contains(name) {
                throw UsageError.misplacedOption(name, command: command)
            }
        }

        func graphRequest() throws -> GraphRequest {
            var request = GraphRequest(format: try choice("--format", or: .mermaid), root: value(of: "--from"))
            if let text = value(of: "--depth") {
                guard let depth = Int(text), depth >= 0 else {
                    throw UsageError.badValue(option: "--depth", value: text, expected: "a number of steps")
                }
                guard request.root != nil else { throw UsageError.dependentOption("--depth", needed: "--from") }
                request.depth = depth
            }
            return request
        }

        /// One of the values of an option that has only a few.
        func choice<Choice: RawRepresentable<String> & CaseIterable>(
            _ option: String,
            or standard: Choice
        ) throws -> Choice {
            guard let text = value(of: option) else { return standard }
            guard let choice = Choice(rawValue: text) else {
                let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError.badValue(option: option, value: text, expected: "one of \(all)")
            }
            return choice
        }

        private func value(of option: String) -> String? {
            commandOptions.last { $0.name == option }?.value
        }

        mutating func read(_ arguments: [String]) throws {
            var rest = arguments[...]
            while let word = rest.popFirst() {
                if word == "--" {
                    operands += rest
                    return
                }
                // A hyphen alone is a name like any other.
                if word.hasPrefix("-"), word != "-" {
                    try readOption(word, &rest)
                } else {
                    operands.append(word)
                }
            }
        }

        private mutating func readOption(_ word: String, _ rest: inout ArraySlice<String>) throws {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let (name, value) = (parts[0], parts.dropFirst().first)
            switch name {
            case "--database":
                let path = try text(name, "PATH", value, &rest)
                database = .file(URL(filePath: path, directoryHint: .notDirectory).absoluteURL)
            case "--format": commandOptions.append((name, try text(name, "FORMAT", value, &rest)))
            case "--from": commandOptions.append((name, try text(name, "KEY", value, &rest)))
            case "--depth": commandOptions.append((name, try text(name, "N", value, &rest)))
            case "--trace": isTraced = try on(name, value)
            case "--unread":
                if try on(name, value) { commandOptions.append((name, "")) }
            case "--help", "-h": isHelpWanted = try on(name, value)
            default: throw UsageError.unknownOption(name)
            }
        }

        /// The value of an option that needs one: behind an equals sign, or the next word.
        private func text(
            _ name: String,
            _ what: String,
            _ value: String?,
            _ rest: inout ArraySlice<String>
        ) throws -> String {
            guard let text = value ?? rest.popFirst(), !text.isEmpty else {
                throw UsageError.missingValue(option: name, value: what)
            }
            return text
        }

        private func on(_ name: String, _ value: String?) throws -> Bool {
            guard value == nil else { throw UsageError.unexpectedValue(option: name) }
            return true
        }
    }
}
