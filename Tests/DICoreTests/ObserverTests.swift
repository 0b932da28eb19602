import DICore
import DIScopes
import DITestSupport
import Testing

private final class Leaf {}

private final class Root {
    let left: Leaf
    let right: Leaf

    init(_ r: any Resolver) throws {
        left = try r.require(Leaf.self)
        right = try r.require(Leaf.self)
    }
}

private final class Kept {
    let leaf: Leaf
    init(_ leaf: Leaf) { self.leaf = leaf }
}

private struct Broken: Error {}

/// Calls a closure with each event.
private final class Watcher: ResolutionObserver {
    let interests: ResolutionInterests
    let isInheritedByChildren: Bool
    private let watch: (ResolutionEvent) -> Void

    init(
        _ interests: ResolutionInterests = .all,
        isInheritedByChildren: Bool = true,
        watch: @escaping (ResolutionEvent) -> Void
    ) {
        self.interests = interests
        self.isInheritedByChildren = isInheritedByChildren
        self.watch = watch
    }

    func observe(_ event: ResolutionEvent) { watch(event) }
}

@Suite("Observers")
struct ObserverTests {
    /// An event in words: kind, key, and the path in brackets.
    private static func words(_ event: ResolutionEvent) -> String {
        let kind =
            switch event.kind {
            case .registered: "registered"
            case .replaced: "replaced"
            case .removed: "removed"
            case .began: "began"
            case .created: "created"
            case .aborted: "aborted"
            case .reused: "reused"
            case .failed(let error): "failed (\(error.code))"
            case .scopeReset(let scope): "reset \(scope)"
            case .deferred: "deferred"
            case .overridePassedOver: "passed over"
            case .waiting: "waiting"
            }
        let key = event.key.map { " \($0)" } ?? ""
        return "\(kind)\(key) [\(event.path.map { "\($0)" }.joined(separator: " "))]"
    }

    private static func words(_ recorder: EventRecorder) -> [String] { recorder.events.map(words) }

    // MARK: Kinds

    @Test("A registration is told when it is added, replaced and removed, with its place and scope")
    func registrations() {
        let box = Container()
        let recorder = EventRecorder()
        box.addObserver(recorder)
        let line: UInt = #line + 1
        box.register(Leaf.self, name: "a", scope: .container) { _ in Leaf() }
        box.register(Leaf.self, name: "a") { _ in Leaf() }
        box.remove(Leaf.self, name: "a")
        box.remove(Leaf.self, name: "a")
        box.register(Root.self) { r in try Root(r) }
        box.removeAll()
        #expect(
            Self.words(recorder) == [
                "registered Leaf named \"a\" []", "replaced Leaf named \"a\" []", "removed Leaf named \"a\" []",
                "registered Root []", "removed Root []",
            ]
        )
        #expect(recorder.events[0].location == SourceLocation(fileID: #fileID, line: line))
        #expect(recorder.events.map(\.scope) == ["container", "graph", "graph", "graph", "graph"])
    }

    @Test("Forwarded types, contributions and initializers are registrations like others")
    func formsOfRegistration() {
        let box = Container()
        let recorder = EventRecorder(.registrations)
        box.addObserver(recorder)
        box.register(Leaf.self, scope: .container) { _ in Leaf() }.implements(AnyObject.self)
        box.contribute(Leaf.self) { _ in Leaf() }
        box.autoregister(Kept.self, initializer: Kept.init)
        #expect(
            Self.words(recorder) == [
                "registered Leaf []", "registered AnyObject []", "registered Leaf [contribution] []",
                "registered Kept []",
            ]
        )
        #expect(recorder.events.map(\.scope) == ["container", "container", "graph", "graph"])
    }

    @Test("A resolve is told as it goes: began, created or reused, each with what is running around it")
    func resolutions() throws {
        let box = Container()
        box.register(Leaf.self) { _ in Leaf() }
        box.register(Root.self, scope: .container) { r in try Root(r) }
        let recorder = EventRecorder()
        box.addObserver(recorder)
        _ = try box.require(Root.self)
        _ = try box.require(Root.self)
        #expect(
            Self.words(recorder) == [
                "began Root []", "began Leaf [Root]", "created Leaf [Root]", "reused Leaf [Root]", "created Root []",
                "reused Root []",
            ]
        )
        #expect(recorder.events.map(\.scope) == ["container", "graph", "graph", "graph", "container", "container"])
        #expect(recorder.events.allSatisfy { $0.location?.fileID == #fileID })
    }

    @Test("What fails is told once where it starts, and aborted for each construction that ends by it")
    func failures() throws {
        let box = Container()
        box.register(Kept.self) { r in Kept(try r.require(Leaf.self)) }
        box.register(Leaf.self) { _ -> Leaf in throw Broken() }
        let recorder = EventRecorder()
        box.addObserver(recorder)
        #expect(box.resolve(Kept.self) == nil)
        #expect(
            Self.words(recorder) == [
                "began Kept []", "began Leaf [Kept]", "failed (factoryThrew) Leaf [Kept Leaf]", "aborted Leaf [Kept]",
                "aborted Kept []",
            ]
        )
        recorder.reset()
        box.remove(Leaf.self)
        recorder.reset()
        #expect(box.resolve(Kept.self) == nil)
        #expect(
            Self.words(recorder) == [
                "began Kept []", "failed (notRegistered) Leaf [Kept]", "aborted Kept []",
            ]
        )
    }

    @Test("A cycle ends every construction that it began")
    func cycle() {
        let box = Container()
        box.register(Kept.self) { r in Kept(try r.require(Leaf.self)) }
        box.register(Leaf.self) { r in
            _ = r.resolve(Kept.self)
            return Leaf()
        }
        let recorder = EventRecorder()
        box.addObserver(recorder)
        #expect(box.resolve(Kept.self) == nil)
        let words = Self.words(recorder)
        #expect(words.filter { $0.hasPrefix("began") }.count == words.filter { $0.hasPrefix("aborted") }.count)
        #expect(words.filter { $0.hasPrefix("failed (circular)") }.count == 1)
        #expect(words.last == "aborted Kept []")
    }

    @Test("A scope's reset is told, per-type resets as well")
    func resets() {
        let box = Container()
        let recorder = EventRecorder()
        box.addObserver(recorder)
        box.resetObjectScope(.container)
        box.resetObjectScope(.weak, serviceType: Leaf.self)
        #expect(Self.words(recorder) == ["reset container []", "reset weak []"])
        #expect(recorder.events.allSatisfy { $0.key == nil && $0.location == nil })
    }

    @Test("An override that a parent's kept service does not see is told with its place")
    func passedOverOverride() throws {
        let parent = Container()
        let child = parent.createChild()
        parent.register(Leaf.self) { _ in Leaf() }
        parent.register(Kept.self, scope: .container) { r in Kept(try r.require(Leaf.self)) }
        let line: UInt = #line + 1
        child.register(Leaf.self) { _ in Leaf() }
        let recorder = EventRecorder(.resolutions)
        child.addObserver(recorder)
        _ = try child.require(Kept.self)
        let passedOver = try #require(recorder.events.first { Self.words($0) == "passed over Leaf [Kept]" })
        guard case .overridePassedOver(let override) = passedOver.kind else { return }
        #expect(override == SourceLocation(fileID: #fileID, line: line))
        #expect(recorder.events.count { Self.words($0).hasPrefix("passed over") } == 1)
    }

    // MARK: Interests

    static let kindsByInterests: [(ResolutionInterests, [String])] = [
        (.registrations, ["registered", "removed", "replaced", "reset"]),
        (.failures, ["failed"]),
        (.resolutions, ["aborted", "began", "created", "reused"]),
        (.durations, ["aborted", "began", "created", "reused"]),
        ([], []),
        (.all, ["aborted", "began", "created", "failed", "registered", "removed", "replaced", "reset", "reused"]),
    ]

    @Test("An observer is told of what it is interested in and of nothing else", arguments: kindsByInterests)
    func interests(_ interests: ResolutionInterests, _ kinds: [String]) {
        let box = Container()
        let recorder = EventRecorder(interests)
        box.addObserver(recorder)
        box.register(Leaf.self, scope: .container) { _ in Leaf() }
        box.register(Leaf.self, scope: .container) { _ in Leaf() }
        box.register(Kept.self) { _ -> Kept in throw Broken() }
        _ = box.resolve(Leaf.self)
        _ = box.resolve(Leaf.self)
        _ = box.resolve(Kept.self)
        box.resetObjectScope(.container)
        box.removeAll()
        let told = Set(Self.words(recorder).map { String($0.prefix { $0 != " " }) })
        #expect(told.sorted() == kinds)
    }

    @Test("How long something took is told for what was created, when the observer asks for it")
    func durations() throws {
        let box = Container()
        box.register(Leaf.self, scope: .container) { _ in Leaf() }
        box.register(Kept.self) { _ -> Kept in throw Broken() }
        let asking = EventRecorder(.durations)
        box.addObserver(asking)
        _ = box.resolve(Leaf.self)
        _ = box.resolve(Leaf.self)
        for event in asking.events {
            if case .created = event.kind {
                #expect(try #require(event.duration) >= .zero)
            } else {
                #expect(event.duration == nil, "\(Self.words(event))")
            }
        }
        #expect(Self.words(asking) == ["began Leaf []", "created Leaf []", "reused Leaf []"])
    }

    @Test("An observer that does not ask for durations is given none")
    func noDurations() {
        let box = Container()
        box.register(Leaf.self) { _ in Leaf() }
        box.register(Kept.self) { _ -> Kept in throw Broken() }
        let recorder = EventRecorder([.resolutions, .failures, .registrations])
        box.addObserver(recorder)
        _ = box.resolve(Leaf.self)
        _ = box.resolve(Kept.self)
        #expect(recorder.events.count == 5)
        for event in recorder.events { #expect(event.duration == nil, "\(Self.words(event))") }
    }

    // MARK: Who is told

    @Test("A parent's observer is told of what happens in children, unless it says otherwise")
    func inheritance() {
        let root = Container()
        let child = root.createChild().createChild()
        let inherited = EventRecorder()
        let own = EventRecorder(.all, isInheritedByChildren: false)
        root.addObserver(inherited)
        root.addObserver(own)
        child.register(Leaf.self) { _ in Leaf() }
        _ = child.resolve(Leaf.self)
        _ = child.resolve(Kept.self)
        #expect(
            Self.words(inherited) == [
                "registered Leaf []", "began Leaf []", "created Leaf []", "failed (notRegistered) Kept []",
            ]
        )
        #expect(own.events.isEmpty)
        root.register(Kept.self) { _ in Kept(Leaf()) }
        _ = root.resolve(Kept.self)
        #expect(Self.words(own) == ["registered Kept []", "began Kept []", "created Kept []"])
    }

    @Test("A child's observer is told of nothing that happens in the parent")
    func childObserver() {
        let parent = Container()
        let child = parent.createChild()
        let recorder = EventRecorder()
        child.addObserver(recorder)
        parent.register(Leaf.self) { _ in Leaf() }
        _ = parent.resolve(Leaf.self)
        _ = parent.resolve(Kept.self)
        #expect(recorder.events.isEmpty)
        _ = child.resolve(Leaf.self)
        #expect(Self.words(recorder) == ["began Leaf []", "created Leaf []"])
    }

    @Test("Observers are told in the order in which they were added, the container's own before its parents'")
    func order() {
        let parent = Container()
        let child = parent.createChild()
        let journal = Journal<String>()
        parent.addObserver(Watcher { _ in journal.add("parent") })
        child.addObserver(Watcher { _ in journal.add("first") })
        child.addObserver(Watcher { _ in journal.add("second") })
        child.register(Leaf.self) { _ in Leaf() }
        #expect(journal.entries == ["first", "second", "parent"])
    }

    @Test("An observer that resolves is not told of its own resolves; others are")
    func resolvingObserver() {
        let box = Container()
        box.register(Leaf.self) { _ in Leaf() }
        box.register(Kept.self) { _ in Kept(Leaf()) }
        let journal = Journal<String>()
        let other = EventRecorder(.resolutions)
        let resolving = Watcher(.resolutions) { [unowned box] event in
            journal.add(Self.words(event))
            #expect(box.resolve(Leaf.self) != nil)
            #expect(box.resolve(Int.self) == nil)
        }
        box.addObserver(resolving)
        box.addObserver(other)
        _ = box.resolve(Kept.self)
        #expect(journal.entries == ["began Kept []", "created Kept []"])
        #expect(other.events.count { Self.words($0).contains("Leaf") } == 4)
        #expect(other.events.count { Self.words($0).contains("Kept") } == 2)
    }

    @Test("An observer may register; it is not told of it, and the registration counts from there")
    func registeringObserver() {
        let box = Container()
        let journal = Journal<String>()
        box.addObserver(
            Watcher { [unowned box] event in
                journal.add(Self.words(event))
                if case .failed = event.kind { box.register(Leaf.self) { _ in Leaf() } }
            }
        )
        #expect(box.resolve(Leaf.self) == nil)
        #expect(box.resolve(Leaf.self) != nil)
        #expect(journal.entries == ["failed (notRegistered) Leaf []", "began Leaf []", "created Leaf []"])
    }

    @Test("An observer may replace or remove the very registration that an event is about")
    func replacingObserver() async {
        // In a process of its own, since what could go wrong is the use of an entry that is gone.
        await #expect(processExitsWith: .success) {
            for scope in [ObjectScope.transient, .graph, .container, .weak, .perContainer] {
                for removes in [true, false] {
                    let box = Container()
                    func register() {
                        box.register(Leaf.self, scope: scope) { _ in Leaf() }.initCompleted { _, _ in }
                        box.register(Kept.self, scope: scope) { r in Kept(try r.require(Leaf.self)) }
                            .implements(AnyObject.self)
                    }
                    box.addObserver(
                        Watcher(.resolutions) { [unowned box] _ in
                            if removes { box.removeAll() } else { register() }
                        }
                    )
                    for _ in 0..<3 {
                        register()
                        #expect(box.resolve(Leaf.self) != nil)
                        #expect(box.resolve(Leaf.self) != nil || removes)
                        register()
                        // Its leaf may have been removed by then.
                        #expect(box.resolve(Kept.self) != nil || removes)
                        register()
                        #expect(box.resolve(AnyObject.self) != nil || removes)
                    }
                }
            }
        }
    }

    @Test("A removed observer is told of nothing more, and is released")
    func removal() {
        let box = Container()
        let tracker = LifetimeTracker()
        let count = Counter()
        do {
            let tracked = Tracked(tracker)
            let watcher = Watcher { _ in withExtendedLifetime(tracked) { _ = count.add() } }
            box.addObserver(watcher)
            box.register(Leaf.self) { _ in Leaf() }
            box.removeObserver(watcher)
            box.removeObserver(watcher)
        }
        #expect(tracker.alive == 0)
        _ = box.resolve(Leaf.self)
        _ = box.resolve(Kept.self)
        #expect(count.value == 1)
    }

    @Test("An observer of a child that has ended costs the others nothing")
    func endedChild() {
        let parent = Container()
        parent.register(Leaf.self) { _ in Leaf() }
        do {
            let child = parent.createChild()
            child.addObserver(EventRecorder())
            _ = child.resolve(Leaf.self)
        }
        let recorder = EventRecorder()
        parent.addObserver(recorder)
        _ = parent.resolve(Leaf.self)
        #expect(Self.words(recorder) == ["began Leaf []", "created Leaf []"])
    }

    @Test("An observer that comes or goes during a resolve leaves no trace of a half-seen construction")
    func addedDuringAResolve() throws {
        let box = Container()
        let recorder = EventRecorder(.resolutions)
        box.register(Leaf.self, scope: .transient) { _ in Leaf() }
        box.register(Root.self, name: "adds") { [unowned box] r in
            box.addObserver(recorder)
            return try Root(r)
        }
        box.register(Root.self, name: "removes") { [unowned box] r in
            box.removeObserver(recorder)
            return try Root(r)
        }
        _ = try box.require(Root.self, name: "adds")
        #expect(
            Self.words(recorder).map { String($0.prefix { $0 != "[" }) } == [
                "began Leaf ", "created Leaf ", "began Leaf ", "created Leaf ",
            ]
        )
        recorder.reset()
        _ = try box.require(Root.self, name: "removes")
        #expect(Self.words(recorder) == ["began Root named \"removes\" []"])
        recorder.reset()
        box.addObserver(recorder)
        _ = try box.require(Leaf.self)
        #expect(Self.words(recorder) == ["began Leaf []", "created Leaf []"])
    }
}

// Other tests fail things on purpose at the same time, so only what concerns these types counts.
private struct First {}
private struct Second {}
private struct Other {}

@Suite("Observers of all failures in the process")
struct ObserverOfFailuresTests {
    @Test("An observer of the process is told of the failures of any container until it is removed")
    func anyContainer() {
        let journal = Journal<String>()
        let token = FailureObservers.add { error in
            if [ObjectIdentifier(First.self), ObjectIdentifier(Second.self)]
                .contains(ObjectIdentifier(error.key.serviceType))
            {
                journal.add("\(error.code) \(error.key)")
            }
        }
        let box = Container()
        let child = Container(parent: Container())
        box.register(Second.self) { r in
            _ = try r.require(First.self)
            return Second()
        }
        _ = box.resolve(First.self)
        _ = try? child.require(Second.self)
        _ = box.resolve(Second.self)
        #expect(
            journal.entries == ["notRegistered First", "notRegistered Second", "notRegistered First"]
        )
        FailureObservers.remove(token)
        FailureObservers.remove(token)
        _ = box.resolve(First.self)
        _ = try? child.require(Second.self)
        #expect(journal.entries.count == 3)
    }

    @Test("Several observers are told independently; each token removes its own")
    func severalObservers() {
        let journal = Journal<Int>()
        let tokens = (0..<3).map { number in
            FailureObservers.add { error in
                if error.key.serviceType == Other.self { journal.add(number) }
            }
        }
        #expect(Set(tokens).count == 3)
        let box = Container()
        _ = box.resolve(Other.self)
        FailureObservers.remove(tokens[1])
        _ = box.resolve(Other.self)
        FailureObservers.remove(tokens[0])
        FailureObservers.remove(tokens[2])
        _ = box.resolve(Other.self)
        #expect(journal.entries == [0, 1, 2, 0, 2])
    }
}
