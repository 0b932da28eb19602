import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("Stress: identifiers of graphs on other threads", .serialized)
struct ForeignGraphTests {
    private final class Session {
        var requests: [Int] = []
    }

    private struct Carried<Value>: @unchecked Sendable {
        // Unchecked: what storages do with an identifier on another thread is tested.
        let value: Value
    }

    @Test(
        "T5, T13: an unshared object is found again through its graph's identifier by nobody, on this or another thread"
    )
    func unshared() {
        let shared = ThreadSafeContainer()
        shared.registerUnshared(Session.self) { _ in Session() }
        let identifier = GraphIdentifier()
        let session = shared.withObjectGraph(identifier) { r in
            let session = r.resolve(Session.self)
            #expect(r.resolve(Session.self) === session)
            return session
        }
        let found = Counter()
        let mine = Carried(value: session)
        Threads.together(4) { _ in
            for number in 0..<1_000 {
                let other = shared.withObjectGraph(identifier) { $0.resolve(Session.self) }
                if other === mine.value { found.add() }
                other?.requests.append(number)
            }
        }
        #expect(found.value == 0)
        #expect(shared.withObjectGraph(identifier) { $0.resolve(Session.self) } !== session)
        #expect(session?.requests.isEmpty == true)
    }

    @Test("T5: an object that threads may share is found again through its graph's identifier by all of them")
    func shared() {
        let shared = ThreadSafeContainer()
        let tracker = LifetimeTracker()
        shared.register(Thing.self) { _ in Thing(tracker) }
        let identifier = GraphIdentifier()
        let thing = shared.withObjectGraph(identifier) { $0.resolve(Thing.self) }
        let missed = Counter()
        Threads.together(4) { _ in
            if shared.withObjectGraph(identifier, { $0.resolve(Thing.self) }) !== thing { missed.add() }
        }
        #expect(missed.value == 0)
    }

    @Test("G8: in a confined container an unshared object is found again while it lives")
    func confined() {
        let box = Container()
        box.registrar.registerUnshared(Session.self) { _ in Session() }
        let identifier = GraphIdentifier()
        let session = box.withObjectGraph(identifier) { $0.resolve(Session.self) }
        #expect(box.withObjectGraph(identifier) { $0.resolve(Session.self) } === session)
    }

    @Test("T5, T13: a storage finds nothing in a graph that runs on another thread, and puts nothing into it")
    func storages() {
        let identifier = GraphIdentifier()
        let storage = Carried(value: GraphStorage())
        let wrong = Counter()
        ThreadSafeContainer().withObjectGraph(identifier) { _ in
            storage.value.setInstance("mine", inGraph: identifier)
            Threads.together(4) { _ in
                if storage.value.instance(inGraph: identifier) != nil { wrong.add() }
                for number in 0..<2_000 {
                    let own = GraphStorage()
                    own.setInstance("text \(number)", inGraph: identifier)
                    if own.instance(inGraph: identifier) != nil { wrong.add() }
                }
            }
            #expect(storage.value.instance(inGraph: identifier) as? String == "mine")
        }
        #expect(wrong.value == 0)
        // The graph is over, and its identifier begins another one elsewhere.
        Threads.run {
            Container().withObjectGraph(identifier) { _ in
                if storage.value.instance(inGraph: identifier) != nil { wrong.add() }
                storage.value.setInstance(1, inGraph: identifier)
                if storage.value.instance(inGraph: identifier) as? Int != 1 { wrong.add() }
            }
        }
        #expect(wrong.value == 0)
    }

    @Test("T5, T13: threads that run graphs of one identifier in turn never see one another's")
    func inTurn() {
        let identifier = GraphIdentifier()
        let wrong = Counter()
        Threads.together(4) { thread in
            let box = Container()
            let storage = GraphStorage()
            for number in 0..<5_000 {
                if number % 2 == thread % 2 {
                    box.withObjectGraph(identifier) { _ in storage.setInstance(number, inGraph: identifier) }
                } else {
                    storage.setInstance(number, inGraph: identifier)
                }
                // An Int is kept in a running graph alone.
                if storage.instance(inGraph: identifier) != nil { wrong.add() }
            }
        }
        #expect(wrong.value == 0)
    }

    @Test("T13: an object of a plain container ends on its own thread, whoever else joins its graph's identifier")
    func endsAtHome() {
        final class Guest {
            let home: Int
            let wrong: Counter
            init(_ home: Int, _ wrong: Counter) {
                self.home = home
                self.wrong = wrong
            }
            deinit { if Threads.number != home { wrong.add() } }
        }
        let identifier = GraphIdentifier()
        let wrong = Counter()
        Threads.together(4) { thread in
            Threads.number = thread
            // Some live while others look for the dead.
            var guests: [Guest?] = Array(repeating: nil, count: 64)
            for number in 0..<Stress.times(4_000, long: 100_000) {
                let box = Container()
                box.register(Guest.self) { _ in Guest(thread, wrong) }
                guests[number % 64] = box.withObjectGraph(identifier) { $0.resolve(Guest.self) }
            }
            guests = []
        }
        #expect(wrong.value == 0)
    }
}

extension Threads {
    /// A number that the calling thread was given.
    fileprivate static var number: Int {
        get { pthread_getspecific(key).map { Int(bitPattern: $0) - 1 } ?? -1 }
        set { pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: newValue + 1)) }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()
}
