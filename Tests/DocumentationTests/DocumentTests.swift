import Testing

@Suite("Documents")
struct DocumentTests {
    @Test("Every Swift block of a document is a sample that is compiled, or says why not", arguments: Documents.paths)
    func blocks(path: String) throws {
        for block in try Documents.blocks(in: path) where block.language == "swift" {
            let place = "\(path):\(block.line)"
            guard let label = block.label else {
                Issue.record("\(place) has no comment that names its sample")
                continue
            }
            if label.hasPrefix("not compiled: ") { continue }
            // Compiled in a package of its own, by the check of that name.
            if label.hasPrefix("newcomer: file ") { continue }
            guard label.hasPrefix("sample: ") else {
                Issue.record("\(place) has the comment '\(label)', which names no sample")
                continue
            }
            let name = String(label.dropFirst("sample: ".count))
            guard let sample = Documents.samples[name] else {
                Issue.record("\(place) shows the sample '\(name)', which is not among the tests")
                continue
            }
            #expect(block.text == sample, "\(place) differs from the sample '\(name)'")
        }
    }

    @Test("Every sample is shown in a document")
    func samplesAreShown() throws {
        let labels = try Documents.paths.flatMap { try Documents.blocks(in: $0) }.compactMap(\.label)
        let shown = Set(labels.filter { $0.hasPrefix("sample: ") }.map { String($0.dropFirst("sample: ".count)) })
        #expect(shown.symmetricDifference(Documents.samples.keys) == [])
    }

    @Test("Every link between documents leads to a file that is there", arguments: Documents.paths)
    func links(path: String) throws {
        #expect(try Documents.brokenLinks(in: path) == [])
    }
}
