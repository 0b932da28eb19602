import DICore
import DILogging
import DITestSupport
import Testing

/// Serialised, since these tests set the one global of the package. Other suites fail things on purpose at the same
/// time, so only texts about types of this suite count.
@Suite("The logging function of the process", .serialized)
struct LoggingFunctionTests {
    struct MissingForTheLoggingFunction {}

    private static func only(_ journal: Journal<String>, _ mark: String = "") -> @Sendable (String) -> Void {
        { text in
            if text.contains("MissingForTheLoggingFunction") { journal.add(mark + text) }
        }
    }

    @Test("It is given the text of each failure of any container until it is taken away")
    func failures() throws {
        let journal = Journal<String>()
        Container.loggingFunction = Self.only(journal)
        defer { Container.loggingFunction = nil }
        let box = Container()
        let error = try #require(throws: ResolutionError.self) {
            try box.require(MissingForTheLoggingFunction.self)
        }
        #expect(Container(parent: Container()).resolve(MissingForTheLoggingFunction.self) == nil)
        #expect(journal.entries == ["\(error)", "\(error)"])
        Container.loggingFunction = nil
        #expect(box.resolve(MissingForTheLoggingFunction.self) == nil)
        #expect(journal.entries.count == 2)
    }

    @Test("The last one set is the one that is called, and can be read back")
    func replacement() {
        let journal = Journal<String>()
        #expect(Container.loggingFunction == nil)
        Container.loggingFunction = Self.only(journal, "first ")
        Container.loggingFunction = Self.only(journal, "second ")
        defer { Container.loggingFunction = nil }
        _ = Container().resolve(MissingForTheLoggingFunction.self)
        #expect(journal.entries.map { $0.prefix { $0 != " " } } == ["second"])
        Container.loggingFunction?("MissingForTheLoggingFunction by hand")
        #expect(journal.entries.last == "second MissingForTheLoggingFunction by hand")
        Container.loggingFunction = nil
        #expect(Container.loggingFunction == nil)
    }

    @Test("It is not called for an optional dependency that is absent")
    func absentOptional() throws {
        let journal = Journal<String>()
        Container.loggingFunction = Self.only(journal)
        defer { Container.loggingFunction = nil }
        #expect(try Container().require(MissingForTheLoggingFunction?.self) == nil)
        #expect(journal.entries.isEmpty)
    }
}
