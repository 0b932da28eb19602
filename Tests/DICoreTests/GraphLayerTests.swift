import DICore
import DIScopes
import DITestSupport
import Testing

/// G6: what looks like a cycle and is none.
@Suite("One type at several layers")
struct GraphLayerTests {
    private final class Layer {
        let name: String
        let base: Layer?

        init(_ name: String, _ base: Layer?) {
            self.name = name
            self.base = base
        }

        var names: [String] { [name] + (base?.names ?? []) }
    }

    static let scopes: [ObjectScope] = [.transient, .graph, .container, .weak, .perContainer]

    @Test("G6: the unnamed registration asks for the one named base of the same type", arguments: scopes)
    func named(scope: ObjectScope) throws {
        let box = Container()
        box.register(Layer.self, scope: scope) { r in Layer("top", try r.require(Layer.self, name: "middle")) }
        box.register(Layer.self, name: "middle", scope: scope) { r in
            Layer("middle", try r.require(Layer.self, name: "base"))
        }
        box.register(Layer.self, name: "base", scope: scope) { _ in Layer("base", nil) }
        #expect(try box.require(Layer.self).names == ["top", "middle", "base"])
    }

    @Test("G6: a child's factory asks its parent for the same key", arguments: scopes)
    func childOverParent(scope: ObjectScope) throws {
        let root = Container()
        let middle = root.createChild()
        let child = middle.createChild()
        root.register(Layer.self, scope: scope) { _ in Layer("root", nil) }
        middle.register(Layer.self, scope: scope) { [unowned root] _ in Layer("middle", try root.require(Layer.self)) }
        child.register(Layer.self, scope: scope) { [unowned middle] _ in
            Layer("child", try middle.require(Layer.self))
        }
        #expect(try child.require(Layer.self).names == ["child", "middle", "root"])
        #expect(try middle.require(Layer.self).names == ["middle", "root"])
    }

    @Test(
        "G6: a registration of the parent, asked for on behalf of a child, may ask the parent for itself",
        arguments: [ObjectScope.transient, .graph, .perContainer]
    )
    func sameEntryOtherContainer(scope: ObjectScope) throws {
        let root = Container()
        let child = root.createChild()
        root.register(Layer.self, scope: scope) { [unowned root] r in
            if r === root { return Layer("root", nil) }
            return Layer("child", try root.require(Layer.self))
        }
        #expect(try child.require(Layer.self).names == ["child", "root"])
    }

    @Test("G6: the same type with and without runtime arguments is two registrations", arguments: scopes)
    func otherArguments(scope: ObjectScope) throws {
        let box = Container()
        box.register(Layer.self, scope: scope) { r in Layer("default", try r.require(Layer.self, argument: "given")) }
        box.register(Layer.self, scope: scope) { (_, name: String) in Layer(name, nil) }
        #expect(try box.require(Layer.self).names == ["default", "given"])
    }

    @Test("G6: a diamond is no cycle: its leaf is asked for twice", arguments: scopes)
    func diamond(scope: ObjectScope) throws {
        let box = Container()
        box.register(Layer.self, name: "leaf", scope: scope) { _ in Layer("leaf", nil) }
        for side in ["left", "right"] {
            box.register(Layer.self, name: side, scope: scope) { r in
                Layer(side, try r.require(Layer.self, name: "leaf"))
            }
        }
        box.register([Layer].self) { r in
            [try r.require(Layer.self, name: "left"), try r.require(Layer.self, name: "right")]
        }
        let sides = try box.require([Layer].self)
        #expect(sides.map(\.names) == [["left", "leaf"], ["right", "leaf"]])
        #expect((sides[0].base === sides[1].base) == (scope !== ObjectScope.transient))
    }

    @Test("G6: a container of its own behind the same key is no cycle")
    func unrelatedContainer() throws {
        let inner = Container()
        inner.register(Layer.self) { _ in Layer("inner", nil) }
        let outer = Container()
        outer.register(Layer.self) { _ in Layer("outer", try inner.require(Layer.self)) }
        #expect(try outer.require(Layer.self).names == ["outer", "inner"])
    }
}
