// Unsafe: the object owns one count of the box whose bits it holds; a box is put in once and released in the deinit.

internal import DICore
internal import Synchronization

/// What the copies of a `SendableLazy` share: the instance, or how to get it and who is doing so.
final class SendableLazyState<Service: Sendable>: Sendable {
    private let turn = BuildTurn()
    /// Stays at hand while an attempt is made, in case that it fails; nil once there is an instance.
    private let provider: Mutex<SendableInstanceProvider<Service>?>
    /// The bits of the box, or zero. Nothing is written once it is there, so that it is read without a lock.
    private let box: Atomic<UInt>

    init(_ provider: SendableInstanceProvider<Service>) {
        self.provider = Mutex(provider)
        box = Atomic(0)
    }

    init(_ instance: Service) {
        provider = Mutex(nil)
        box = Atomic(SendableLazyState.retainedBits(instance))
    }

    deinit {
        if let box = UnsafeRawPointer(bitPattern: box.load(ordering: .acquiring)) {
            Unmanaged<OpenedInstance<Service>>.fromOpaque(box).release()
        }
    }

    private static func retainedBits(_ instance: Service) -> UInt {
        UInt(bitPattern: Unmanaged.passRetained(OpenedInstance(instance)).toOpaque())
    }

    var opened: Service? {
        UnsafeRawPointer(bitPattern: box.load(ordering: .acquiring)).map {
            Unmanaged<OpenedInstance<Service>>.fromOpaque($0)._withUnsafeGuaranteedRef { $0.instance }
        }
    }

    func open() throws(ResolutionError) -> Service {
        while true {
            if let opened { return opened }
            // None when it has been opened meanwhile.
            guard let provider = provider.withLock({ $0 }) else { continue }
            return try provider.withTurn(turn) { () throws(ResolutionError) in
                if let opened { return opened }
                return try build(with: provider)
            }
        }
    }

    private func build(with provider: SendableInstanceProvider<Service>) throws(ResolutionError) -> Service {
        provider.requireIsolation()
        let instance = try provider()
        box.store(SendableLazyState.retainedBits(instance), ordering: .releasing)
        // Released by the caller's copy, outside the lock.
        self.provider.withLock { $0 = nil }
        return instance
    }
}
