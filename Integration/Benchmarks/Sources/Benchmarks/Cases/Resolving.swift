import DICore
import DIScopes
import DIWrappers

extension Case {
    /// What a container answers, for one kind of container.
    @inline(__always)
    static func resolving<Box: MeasuredContainer>(from _: Box.Type, prefix: String) -> [Case] {
        requesting(Box.self, prefix)
            + [hitFiveParentsUp(Box.self, prefix), weakHit(Box.self, prefix), firstTouch(Box.self, prefix)]
            + [provider(Box.self, prefix)]
    }

    /// The cases that ask for the same thing again and again.
    @inline(__always)
    private static func requesting<Box: MeasuredContainer>(_: Box.Type, _ prefix: String) -> [Case] {
        func test(
            _ name: String,
            over direct: String,
            makesObjects: Bool = true,
            _ request: Request,
            count: Int = 400,
            sizes: [Int] = Case.usualSizes,
            _ register: @escaping (any SendableRegistrar) -> Void
        ) -> Case {
            Case(prefix + name, over: direct, makesObjects: makesObjects, sizes: sizes) { measurement in
                let box = measurement.container(Box.self, register)
                measurement.loop(count: count) { count in box.run(request, count) }
            }
        }
        return [
            test("transient-leaf", over: "direct-leaf", .leaf, registerTransientLeafOrPlanted),
            test("require-leaf", over: "direct-leaf", .requireLeaf, registerTransientLeaf),
            test("transient-open-leaf", over: "direct-open-leaf", .openLeaf) {
                $0.register((any OpenLeaf).self, scope: ObjectScope.transient) { _ in OpenLeafService() }
            },
            test("named-leaf", over: "direct-leaf", .namedLeaf) {
                $0.register((any Leaf).self, name: "oak", scope: ObjectScope.transient) { _ in LeafService() }
            },
            test("graph-leaf", over: "direct-leaf", .leaf) {
                $0.register((any Leaf).self) { _ in LeafService() }
            },
            test("graph-open-leaf", over: "direct-open-leaf", .openLeaf) {
                $0.register((any OpenLeaf).self) { _ in OpenLeafService() }
            },
            test("graph-leaf-callback", over: "direct-leaf", .leaf) {
                $0.register((any Leaf).self) { _ in LeafService() }.initCompleted { _, leaf in use(leaf) }
            },

            test("container-hit", over: "direct-leaf", makesObjects: false, .leaf, registerKeptLeaf),
            test("container-hit-open", over: "direct-open-leaf", makesObjects: false, .openLeaf) {
                $0.register((any OpenLeaf).self, scope: ObjectScope.container) { _ in OpenLeafService() }
            },
            test("per-container-hit", over: "direct-leaf", makesObjects: false, .leaf) {
                $0.register((any Leaf).self, scope: ObjectScope.perContainer) { _ in LeafService() }
            },
            test("forwarded-hit", over: "direct-leaf", makesObjects: false, .leaf) {
                $0.register(LeafService.self, scope: ObjectScope.container) { _ in LeafService() }
                    .implements((any Leaf).self) { $0 }
            },

            test("one-argument", over: "direct-pair", .argument) {
                $0.registerUnshared((any Pair).self, scope: .transient) { (_, left: Int) in PairService(left, 2) }
            },
            test("two-arguments", over: "direct-pair", .twoArguments) {
                $0.registerUnshared((any Pair).self, scope: .transient) { (_, left: Int, right: Int) in
                    PairService(left, right)
                }
            },
            test("four-arguments", over: "direct-quad", .fourArguments) {
                $0.registerUnshared((any Quad).self, scope: .transient) { (_, a: Int, b: Int, c: Int, d: Int) in
                    QuadService(a, b, c, d)
                }
            },

            test("chain-transient", over: "direct-chain", .chain) { registerChain(in: $0, scope: .transient) },
            test("chain-graph", over: "direct-chain", .chain) { registerChain(in: $0, scope: .graph) },
            test("chain-100-transient", over: "direct-chain-100", .links, count: 50) {
                registerLinks(in: $0, scope: .transient)
            },
            test("chain-100-graph", over: "direct-chain-100", .links, count: 50) {
                registerLinks(in: $0, scope: .graph)
            },
            test("tree-100-graph", over: "direct-tree-100", .tree, count: 50, registerTree),
            test("circular-pair", over: "direct-circular-pair", .screen) {
                $0.registerUnshared((any Screen).self) { r in ScreenService(try r.require((any Presenter).self)) }
                $0.registerUnshared((any Presenter).self) { _ in PresenterService() }
                    .initCompleted { r, presenter in presenter.screen = try r.require((any Screen).self) }
            },

            test("optional-hit", over: "direct-leaf", makesObjects: false, .optional, registerKeptLeaf),
            test("lazy", over: "direct-leaf", makesObjects: false, .lazy, registerKeptLeaf),
            test("collection-of-ten", over: "direct-ten", .all) {
                for _ in 0..<10 {
                    $0.contribute((any Leaf).self, scope: ObjectScope.transient) { _ in LeafService() }
                }
            },

            test("miss", over: "direct-leaf", makesObjects: false, .absent, registerTransientLeaf),
            // The error looks through all registrations for what may have been meant: with few of them, it is the rest.
            test(
                "require-miss",
                over: "direct-leaf",
                makesObjects: false,
                .requireAbsent,
                count: 50,
                sizes: [25, 25],
                registerTransientLeaf
            ),
        ]
    }

    @inline(__always)
    private static func hitFiveParentsUp<Box: MeasuredContainer>(_: Box.Type, _ prefix: String) -> Case {
        Case(prefix + "hit-five-parents", over: "direct-leaf", makesObjects: false) { measurement in
            var box = measurement.container(Box.self, registerKeptLeaf)
            for _ in 0..<5 { box = box.child() }
            let youngest = box
            measurement.loop { count in youngest.run(.leaf, count) }
        }
    }

    @inline(__always)
    private static func weakHit<Box: MeasuredContainer>(_: Box.Type, _ prefix: String) -> Case {
        Case(prefix + "weak-hit", over: "direct-leaf", makesObjects: false) { measurement in
            let box = measurement.container(Box.self) {
                $0.register((any Leaf).self, scope: ObjectScope.weak) { _ in LeafService() }
            }
            let held = box.resolve((any Leaf).self)
            measurement.loop { count in box.run(.leaf, count) }
            use(held)
        }
    }

    /// The first request for what is then kept, each in a container of its own.
    @inline(__always)
    private static func firstTouch<Box: MeasuredContainer>(_: Box.Type, _ prefix: String) -> Case {
        Case(prefix + "first-touch", over: "direct-leaf", sizes: [0, 0]) { measurement in
            measurement.once(count: 200) {
                (0..<200).map { _ in
                    let box = measurement.container(Box.self) {
                        registerKeptLeaf(in: $0)
                        $0.register((any OpenLeaf).self) { _ in OpenLeafService() }
                    }
                    // What a container makes at its first request is not what is measured.
                    _ = box.resolve((any OpenLeaf).self)
                    return box
                }
            } _: { boxes in
                for box in boxes { box.run(.leaf, 1) }
            }
        }
    }

    @inline(__always)
    private static func provider<Box: MeasuredContainer>(_: Box.Type, _ prefix: String) -> Case {
        Case(prefix + "provider", over: "direct-leaf") { measurement in
            let box = measurement.container(Box.self, registerTransientLeaf)
            let provider = box.resolve(Provider<any Leaf>.self)
            measurement.loop { count in
                for _ in 0..<count { use(try? provider?.get()) }
            }
        }
    }
}

/// Registers a factory that does more than it has to, where the self-test of the gate wants it.
private func registerTransientLeafOrPlanted(in registrar: any SendableRegistrar) {
    switch Plant.wanted {
    case nil:
        registerTransientLeaf(in: registrar)
    case .work:
        registrar.register((any Leaf).self, scope: ObjectScope.transient) { _ in
            for _ in 0..<7 { use(nil) }
            return LeafService()
        }
    case .allocation:
        registrar.register((any Leaf).self, scope: ObjectScope.transient) { _ in
            use(OpenLeafService())
            return LeafService()
        }
    }
}

private func registerTransientLeaf(in registrar: any SendableRegistrar) {
    registrar.register((any Leaf).self, scope: ObjectScope.transient) { _ in LeafService() }
}

private func registerKeptLeaf(in registrar: any SendableRegistrar) {
    registrar.register((any Leaf).self, scope: ObjectScope.container) { _ in LeafService() }
}
