import DICore
import DIScopes
import Testing

protocol A: AnyObject {}
protocol B: AnyObject {}
final class AImpl: A { var b: (any B)? }
final class BImpl: B { var a: any A; init(_ a: any A) { self.a = a } }

@Suite struct SmokeTests {
    @Test func cycles() throws {
        for scope in [ObjectScope.graph, .container, .weak] {
            let box = Container()
            box.register((any A).self, scope: scope) { _ in AImpl() }.initCompleted { r, a in
                (a as! AImpl).b = r.resolve((any B).self)
            }
            box.register((any B).self, scope: scope) { r in BImpl(try r.require((any A).self)) }
            let a = try box.require((any A).self)
            #expect(((a as! AImpl).b as! BImpl).a === a)
            let b = try box.require((any B).self)
            #expect(((b as! BImpl).a as! AImpl).b === b)
        }
    }
    @Test func real() throws {
        let box = Container()
        box.register((any A).self) { r in
            _ = r.resolve((any B).self); return AImpl()
        }
        box.register((any B).self) { r in BImpl(try r.require((any A).self)) }
        do { _ = try box.require((any A).self); Issue.record("no") } catch { print(error) }
        box.register(Int.self, name: "x") { _ in 3 }
        do { _ = try box.require(Int.self, name: "y"); Issue.record("no") } catch { print(error) }
        do { _ = try box.require(Int?.self);  } catch { print(error) }
    }
}
