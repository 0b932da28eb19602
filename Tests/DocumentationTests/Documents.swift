import Foundation

/// The documents of the package, and the samples in the sources of this test target.
enum Documents {
    /// A fenced block of a document.
    struct Block {
        let language: String
        let text: String
        /// The content of the HTML comment right above the block, if there is one.
        let label: String?
        /// The line of the fence, from one.
        let line: Int
    }

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let root = sources.deletingLastPathComponent().deletingLastPathComponent()

    /// The paths of all documents whose code is checked, relative to the package.
    static let paths: [String] =
        (["README.md"] + files(in: "Docs") + files(in: "Modules").filter { $0.contains(".docc/") })
        .filter { $0.hasSuffix(".md") }

    private static func files(in folder: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        return (found?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }.sorted()
    }

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    // MARK: Documents

    static func blocks(in path: String) throws -> [Block] {
        var blocks: [Block] = []
        var open: (language: String, label: String?, line: Int, lines: [String])?
        var label: String?
        for (index, line) in try lines(of: root.appendingPathComponent(path)).enumerated() {
            if let block = open {
                if line == "```" {
                    let text = block.lines.joined(separator: "\n")
                    blocks.append(Block(language: block.language, text: text, label: block.label, line: block.line))
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                open = (String(line.dropFirst(3)), label, index + 1, [])
                label = nil
            } else if line.hasPrefix("<!-- "), line.hasSuffix(" -->") {
                label = String(line.dropFirst(5).dropLast(4))
            } else {
                label = nil
            }
        }
        return blocks
    }

    /// The text of the one block in all documents that has the label.
    static func block(labelled label: String) throws -> String? {
        let found = try paths.flatMap { try blocks(in: $0) }.filter { $0.label == label }
        return found.count == 1 ? found[0].text : nil
    }

    // MARK: Samples

    /// The samples by name. One in several pieces, such as imports and a body, is joined with empty lines.
    static let samples: [String: String] = {
        var samples: [String: [String]] = [:]
        let files = try? FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
        for file in (files ?? []) where file.pathExtension == "swift" {
            var open: (name: String, lines: [String])?
            for line in (try? lines(of: file)) ?? [] {
                let text = line.trimmingCharacters(in: .whitespaces)
                if text.hasPrefix("// sample: ") {
                    open = (String(text.dropFirst(11)), [])
                } else if text == "// end sample", let sample = open {
                    samples[sample.name, default: []].append(withoutIndentation(sample.lines))
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            }
        }
        return samples.mapValues { $0.joined(separator: "\n\n") }
    }()

    private static func withoutIndentation(_ lines: [String]) -> String {
        let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
    }
}

extension Documents {
    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Puts a text into the block under a label.
    static func write(_ text: String, inBlockLabelled label: String) throws {
        for path in paths {
            var lines = try lines(of: root.appendingPathComponent(path))
            guard let start = lines.firstIndex(of: "<!-- \(label) -->"), lines[start + 1].hasPrefix("```"),
                let end = lines[(start + 2)...].firstIndex(of: "```")
            else { continue }
            lines.replaceSubrange((start + 2)..<end, with: text.components(separatedBy: "\n"))
            let document = lines.joined(separator: "\n")
            try document.write(to: root.appendingPathComponent(path), atomically: true, encoding: .utf8)
        }
    }

    /// The codes of resolution errors that the sources of the modules declare.
    static func errorCodes() throws -> [String] {
        let declaration = #/static let \w+ = (?:ResolutionError\.)?Code\(rawValue: "(\w+)"\)/#
        return try files(in: "Modules").filter { $0.hasSuffix(".swift") }.flatMap { path in
            try text(of: path).matches(of: declaration).map { String($0.output.1) }
        }
    }

    /// The targets of relative links that do not exist.
    static func brokenLinks(in path: String) throws -> [String] {
        let document = root.appendingPathComponent(path)
        let text = try String(contentsOf: document, encoding: .utf8)
        return text.matches(of: #/\]\(([^)#: ]+)(?:#[^)]*)?\)/#).map { String($0.output.1) }.filter {
            let target = document.deletingLastPathComponent().appendingPathComponent($0)
            return !FileManager.default.fileExists(atPath: target.path)
        }
    }
}
