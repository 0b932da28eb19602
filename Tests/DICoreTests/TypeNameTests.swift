import DICore
import Testing

private enum Feed {
    struct Item { struct ID {} }
    protocol Source {}
    struct Page<Content> { struct Row {} }
    private struct Hidden {}

    static var hidden: Any.Type { Hidden.self }

    static func local() -> Any.Type {
        struct Draft { struct Line {} }
        return Draft.Line.self
    }
}

extension Array {
    fileprivate struct Window<Content> {}
}

private protocol Shelf<Book> { associatedtype Book }
private struct Several<each Part> {}
private enum `1.5-(beta)` { struct `a.b` {} }

@Suite("The names of types")
struct TypeNameTests {
    private static let cases: [(Any.Type, String)] = [
        (Int.self, "Int"),
        (Feed.Item.ID.self, "Feed.Item.ID"),
        ((any Feed.Source).self, "Feed.Source"),
        ((any Feed.Source)?.self, "Feed.Source?"),
        ([any Feed.Source].self, "[Feed.Source]"),
        ([Feed.Item?].self, "[Feed.Item?]"),
        ([Int: Feed.Item].self, "Dictionary<Int, Feed.Item>"),
        (Feed.Page<Feed.Item.ID>.self, "Feed.Page<Feed.Item.ID>"),
        (Feed.Page<Int>.Row.self, "Feed.Page<Int>.Row"),
        ([Int].Window<Feed.Item>.self, "Array<Int>.Window<Feed.Item>"),
        (((Feed.Item) -> Feed.Item.ID).self, "(Feed.Item) -> Feed.Item.ID"),
        ((any Feed.Source & Shelf).self, "Shelf & Feed.Source"),
        ((any Shelf<Feed.Item>).self, "Shelf<Book == Feed.Item>"),
        (Several<Int, Feed.Item>.self, "Several<Int, Feed.Item>"),
        (String.Index.self, "String.Index"),
        (`1.5-(beta)`.`a.b`.self, "`1.5-(beta)`.`a.b`"),
    ]

    @Test("A type is named with the types that it is nested in, and without modules", arguments: cases.indices)
    func nested(_ index: Int) {
        let (type, name) = Self.cases[index]
        #expect("\(ServiceKey(serviceType: type))" == name)
    }

    @Test("The types of runtime arguments are named the same way")
    func arguments() {
        let key = ServiceKey(Int.self, arguments: Feed.Item.ID.self, (any Feed.Source)?.self, (Int, Feed.Item).self)
        #expect("\(key)" == "Int(Feed.Item.ID, Feed.Source?, (Int, Feed.Item))")
    }

    @Test("A private type has the name of the type that it is nested in, a local one that of no function")
    func withoutContexts() {
        #expect("\(ServiceKey(serviceType: Feed.hidden))" == "Feed.Hidden")
        #expect("\(ServiceKey(serviceType: Feed.local()))" == "Draft.Line")
    }

    @Test("In full there are the modules, and no address of a context")
    func full() throws {
        func text(_ type: Any.Type) throws -> Substring {
            let key = ServiceKey(serviceType: type)
            let error = ResolutionError(.notRegistered, key: key)
            return try #require(error.debugDescription.split(separator: " is not registered").first)
        }
        #expect(try text(Feed.Item.ID.self) == "[notRegistered] DICoreTests.Feed.Item.ID")
        #expect(try text(Feed.hidden) == "[notRegistered] DICoreTests.Feed.Hidden")
        #expect(try text(Feed.local()) == "[notRegistered] DICoreTests.Draft.Line")
        #expect(try text([String.Index].self) == "[notRegistered] [Swift.String.Index]")
        let window = "Swift.Array<Swift.Int>.Window<DICoreTests.Feed.Item>"
        #expect(try text([Int].Window<Feed.Item>.self) == "[notRegistered] \(window)")
    }
}
