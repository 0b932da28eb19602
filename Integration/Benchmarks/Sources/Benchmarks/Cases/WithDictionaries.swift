// What one would write instead of a container: a dictionary of closures, with a lock for several threads, and a constant
// of the process.

import Synchronization

private typealias Factory = @Sendable () -> any Leaf

private enum Constants {
    static let leaf: any Leaf = LeafService()
}

/// A dictionary with the factory of a leaf and as many others as the containers have.
private func makeFactories(_ count: Int) -> [ObjectIdentifier: any Sendable] {
    let leaf: Factory = { LeafService() }
    var factories: [ObjectIdentifier: any Sendable] = [ObjectIdentifier((any Leaf).self): leaf]
    for type in manyTypes().prefix(count - 1) { factories[ObjectIdentifier(type)] = leaf }
    return factories
}

/// Types to fill the dictionary with: arrays of more and more dimensions.
private func manyTypes() -> some Sequence<Any.Type> {
    func deeper<Element>(_: Element.Type) -> Any.Type { [Element].self }
    return sequence(first: Int.self as Any.Type) { deeper($0) }
}

extension Case {
    // The sizes are small, since types are made for them.
    static var withDictionaries: [Case] {
        [
            Case("dictionary-leaf", over: "direct-leaf", sizes: [100, 25], role: .reference) { measurement in
                let factories = makeFactories(measurement.registrations)
                measurement.loop { count in
                    for _ in 0..<count {
                        use((factories[ObjectIdentifier((any Leaf).self)] as? Factory)?())
                    }
                }
            },
            Case("dictionary-mutex-leaf", over: "direct-leaf", sizes: [100, 25], role: .reference) { measurement in
                let factories = Mutex(makeFactories(measurement.registrations))
                measurement.loop { count in
                    for _ in 0..<count {
                        let factory = factories.withLock { $0[ObjectIdentifier((any Leaf).self)] }
                        use((factory as? Factory)?())
                    }
                }
            },
            Case("static-let", over: "direct-leaf", makesObjects: false, sizes: [0, 0], role: .reference) {
                measurement in
                measurement.loop { count in
                    for _ in 0..<count { use(Constants.leaf) }
                }
            },
        ]
    }
}
