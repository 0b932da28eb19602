import DICore
import DIScopes
import DIThreadSafe
import DIWrappers

private struct InjectedHolder {
    @Injected var leaf: any Leaf
}

private struct LazyHolder {
    @LazyInjected var leaf: any Leaf
}

private struct ProvidedHolder {
    @ProvidedInjected var leaf: any Leaf
}

private func makeContainer(_ measurement: Measurement) -> ThreadSafeContainer {
    measurement.container(ThreadSafeContainer.self) {
        $0.register((any Leaf).self, scope: ObjectScope.container) { _ in LeafService() }
    }
}

/// The default of the process can be set once, so all measurements of it have one container.
private let defaultResolver: ThreadSafeContainer = {
    let container = makeContainer(Measurement(.counting, registrations: 100))
    try? CurrentResolver.bootstrap(container)
    return container
}()

extension Case {
    /// The current resolver and the properties that ask it.
    static var injected: [Case] {
        [
            Case("current-default", over: "direct-leaf", makesObjects: false, sizes: [100, 100]) { measurement in
                _ = defaultResolver
                measurement.loop { count in
                    for _ in 0..<count { use(CurrentResolver.resolver) }
                }
            },
            Case("current-override", over: "direct-leaf", makesObjects: false) { measurement in
                CurrentResolver.withValue(makeContainer(measurement)) {
                    measurement.loop { count in
                        for _ in 0..<count { use(CurrentResolver.resolver) }
                    }
                }
            },
            Case("injected-default", over: "direct-leaf", makesObjects: false, sizes: [100, 100]) { measurement in
                _ = defaultResolver
                measurement.loop { count in
                    for _ in 0..<count { use(InjectedHolder().leaf) }
                }
            },
            Case("injected-override", over: "direct-leaf", makesObjects: false) { measurement in
                CurrentResolver.withValue(makeContainer(measurement)) {
                    measurement.loop { count in
                        for _ in 0..<count { use(InjectedHolder().leaf) }
                    }
                }
            },
            Case("lazy-injected", over: "direct-leaf", makesObjects: false) { measurement in
                CurrentResolver.withValue(makeContainer(measurement)) {
                    measurement.loop(count: 100) { count in
                        for _ in 0..<count { use(LazyHolder().leaf) }
                    }
                }
            },
            Case("lazy-injected-use", over: "direct-leaf", makesObjects: false) { measurement in
                CurrentResolver.withValue(makeContainer(measurement)) {
                    let holder = LazyHolder()
                    measurement.loop { count in
                        for _ in 0..<count { use(holder.leaf) }
                    }
                }
            },
            Case("provided-injected-use", over: "direct-leaf", makesObjects: false) { measurement in
                CurrentResolver.withValue(makeContainer(measurement)) {
                    let holder = ProvidedHolder()
                    measurement.loop { count in
                        for _ in 0..<count { use(holder.leaf) }
                    }
                }
            },
        ]
    }
}
