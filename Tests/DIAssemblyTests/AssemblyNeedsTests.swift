import DIAssembly
import DICore
import DIScopes
import DITestSupport
import Testing

@Suite("Assemblies that need others")
struct AssemblyNeedsTests {
    struct Text {}

    /// The wiring diagram of a test: who needs whom, by name.
    final class Plan {
        let journal = Journal<String>()
        let needs: [String: [String]]

        init(_ needs: [String: [String]] = [:]) { self.needs = needs }

        func assembly(_ name: String) -> Named { Named(name: name, plan: self) }

        func assemblies(_ names: String) -> [any Assembly] { names.map { assembly(String($0)) } }

        /// The names in the order of `assemble`.
        var assembled: String { names("assemble") }

        /// The names in the order of `loaded`.
        var loaded: String { names("loaded") }

        private func names(_ verb: String) -> String {
            journal.entries.filter { $0.hasPrefix(verb) }.map { $0.dropFirst(verb.count + 1) }.joined()
        }
    }

    /// Many assemblies of one type, each with an identity of its own.
    struct Named: Assembly {
        let name: String
        let plan: Plan

        func assemble(container: Container) {
            plan.journal.add("assemble \(name)")
            container.register(Text.self, name: name) { _ in Text() }
        }

        func loaded(resolver: any Resolver) { plan.journal.add("loaded \(name)") }

        var needs: [any Assembly] { plan.needs[name, default: []].map(plan.assembly) }

        var identity: AnyHashable { name }
    }

    /// Has no identity but its type.
    struct ByType: Assembly {
        let journal: Journal<Int>
        let number: Int

        func assemble(container: Container) { journal.add(number) }
    }

    // MARK: A2

    static let plans: [(needs: [String: [String]], batch: String, order: String)] = [
        ([:], "abc", "abc"),
        (["a": ["b"], "b": ["c"]], "a", "cba"),
        (["a": ["b"]], "ab", "ba"),
        (["a": ["c"], "b": ["c"]], "ab", "cab"),
        (["a": ["b", "c"], "b": ["d"], "c": ["d"]], "a", "dbca"),
        (["a": ["b", "c"], "b": ["c"]], "ca", "cba"),
        (["a": ["b", "b"]], "aab", "ba"),
        (["a": ["b"], "c": ["b", "a"]], "ca", "bac"),
    ]

    @Test("A2: what an assembly needs is applied before it, once, diamonds included")
    func needsFirst() {
        for plan in Self.plans {
            let wiring = Plan(plan.needs)
            _ = Assembler(wiring.assemblies(plan.batch))
            #expect(wiring.assembled == plan.order)
            #expect(wiring.loaded == plan.order)
        }
    }

    @Test("A2: every assemble, of what is needed as well, runs before any loaded")
    func loadedAfterAll() {
        let plan = Plan(["a": ["b"], "c": ["d"]])
        _ = Assembler(plan.assemblies("ac"))
        #expect(
            plan.journal.entries == [
                "assemble b", "assemble a", "assemble d", "assemble c", "loaded b", "loaded a", "loaded d", "loaded c",
            ]
        )
    }

    @Test("A2: what is needed by a later batch and was applied already is not applied again")
    func neededLater() {
        let plan = Plan(["a": ["b"], "c": ["b", "a"]])
        let assembler = Assembler(plan.assemblies("a"))
        assembler.apply(assembly: plan.assembly("c"))
        #expect(plan.assembled == "bac")
        #expect(plan.loaded == "bac")
    }

    @Test("A2: what a parent assembler has is not applied again because a child needs it")
    func neededFromTheParent() {
        let plan = Plan(["b": ["a"]])
        let parent = Assembler(plan.assemblies("a"))
        let child = Assembler(plan.assemblies("b"), parent: Assembler(parentAssembler: parent))
        #expect(plan.assembled == "ab")
        #expect(child.resolver.resolve(Text.self, name: "a") != nil)
        child.apply(assembly: plan.assembly("a"))
        #expect(plan.assembled == "aba", "named outright, it is applied to the child")
    }

    @Test("A2: the same assembly applied twice runs once; its identity is its type")
    func twice() throws {
        let journal = Journal<Int>()
        let assembler = Assembler([ByType(journal: journal, number: 1), ByType(journal: journal, number: 2)])
        assembler.apply(assembly: ByType(journal: journal, number: 3))
        try assembler.load([ByType(journal: journal, number: 4)])
        #expect(journal.entries == [1])
        Assembler(container: nil).apply(assembly: ByType(journal: journal, number: 5))
        #expect(journal.entries == [1, 5])
    }

    @Test("A2: assemblies of one type that state identities are applied side by side")
    func ownIdentity() {
        let plan = Plan()
        let assembler = Assembler(plan.assemblies("abab"))
        assembler.apply(assemblies: plan.assemblies("bc"))
        #expect(plan.assembled == "abc")
    }

    @Test("A2: a form that forces it applies an assembly again, without what it needs")
    func reapply() {
        let plan = Plan(["a": ["b"]])
        let assembler = Assembler(plan.assemblies("a"))
        assembler.reapply(assembly: plan.assembly("a"))
        #expect(plan.assembled == "baa")
        #expect(plan.loaded == "baa")
        assembler.apply(assembly: plan.assembly("a"))
        #expect(plan.assembled == "baa")
        assembler.reapply(assembly: plan.assembly("c"))
        #expect(plan.assembled == "baac")
    }

    @Test("A2: an assembly may apply another one while it is told that all is loaded")
    func applyingInLoaded() {
        final class Late: Assembly {
            var assembler: Assembler?
            let plan: Plan
            init(_ plan: Plan) { self.plan = plan }
            func assemble(container: Container) { plan.journal.add("assemble late") }
            func loaded(resolver: any Resolver) { assembler?.apply(assembly: plan.assembly("a")) }
        }
        let plan = Plan()
        let late = Late(plan)
        let assembler = Assembler()
        late.assembler = assembler
        assembler.apply(assemblies: [late, plan.assembly("b")])
        late.assembler = nil
        #expect(plan.journal.entries == ["assemble late", "assemble b", "assemble a", "loaded a", "loaded b"])
    }

    // MARK: A3

    struct First: Assembly {
        let journal: Journal<String>
        func assemble(container: Container) { journal.add("First") }
        var needs: [any Assembly] { [Second(journal: journal)] }
    }

    struct Second: Assembly {
        let journal: Journal<String>
        func assemble(container: Container) { journal.add("Second") }
        var needs: [any Assembly] { [Third(journal: journal)] }
    }

    struct Third: Assembly {
        let journal: Journal<String>
        func assemble(container: Container) { journal.add("Third") }
        var needs: [any Assembly] { [Second(journal: journal)] }
    }

    struct Itself: Assembly {
        func assemble(container: Container) {}
        var needs: [any Assembly] { [Itself()] }
    }

    /// Assemblies are named as services are: with the types that they are nested in.
    private static let cycle = ["AssemblyNeedsTests.Second", "AssemblyNeedsTests.Third", "AssemblyNeedsTests.Second"]

    @Test("A3: a cycle among assemblies is thrown by load with the way round, and nothing is registered")
    func cycleInLoad() throws {
        let journal = Journal<String>()
        let box = Container()
        let assembler = Assembler(container: box)
        let error = try #require(throws: AssemblyError.self) {
            try assembler.load([ByType(journal: Journal(), number: 1), First(journal: journal)])
        }
        #expect(error.cycle == Self.cycle)
        #expect(
            "\(error)" == """
                [assemblyCycle] assemblies need each other: \(Self.cycle.joined(separator: " → "))
                  → move what both need into an assembly of its own
                """
        )
        #expect(journal.entries.isEmpty)
        #expect(assembler.problems.isEmpty)
        let numbers = Journal<Int>()
        try assembler.load([ByType(journal: numbers, number: 2)])
        #expect(numbers.entries == [2], "the failed batch counts as not applied")
    }

    @Test("A3: an assembly that needs itself is a cycle")
    func selfCycle() throws {
        let error = try #require(throws: AssemblyError.self) { try Assembler().load([Itself()]) }
        #expect(error.cycle == ["AssemblyNeedsTests.Itself", "AssemblyNeedsTests.Itself"])
    }

    @Test("A3: a cycle that is applied is among the problems, and each assembly registers once all the same")
    func cycleInApply() {
        let journal = Journal<String>()
        let assembler = Assembler([First(journal: journal)])
        #expect(assembler.problems.map(\.cycle) == [Self.cycle])
        #expect(journal.entries == ["Third", "Second", "First"])
    }

    @Test("A3: assemblies that differ by identity alone are named apart on the way round")
    func cycleOfOneType() throws {
        let plan = Plan(["a": ["b"], "b": ["a"]])
        let error = try #require(throws: AssemblyError.self) { try Assembler().load(plan.assemblies("a")) }
        #expect(error.cycle.count == 3)
        #expect(error.cycle.first == error.cycle.last)
        #expect(error.cycle[0] != error.cycle[1])
    }
}
