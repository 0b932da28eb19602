internal import Synchronization

/// What a registration says of itself for checks of the wiring.
final class Wiring: Sendable {
    let state = Mutex(State())

    // Unchecked: read and changed inside the mutex alone.
    struct State: @unchecked Sendable {
        /// What the factory asks for.
        var dependencies: [Dependency] = []

        /// Whether ``dependencies`` are all that there are, so that the factory need not be looked into.
        var isAnalysable = false

        /// How many parameters the registered initializer has.
        var parameterCount = 0

        /// Why the instance may hold one that lives shorter.
        var captiveReason: String?

        /// The actor that the factory belongs to.
        var isolation: (any Actor)?

        /// Where the registration was written that this one has replaced, and whether one of the two forwards a type.
        var replaced: (location: SourceLocation, isForwarding: Bool)?

        /// The places of the scopes that the entry had before, where threads may still be looking at them.
        var outdatedPlaces: [StoragePlace] = []
    }
}

/// A service that the factory of an entry asks for, as the registration says.
public struct Dependency: Hashable, Sendable {
    /// How it is known.
    public enum Source: Hashable, Sendable {
        /// A parameter of the initializer that was registered, counted from zero.
        case parameter(Int)
        /// Named by ``ConfigurableEntry/dependsOn(_:name:)``.
        case declared
        /// Named by ``ConfigurableEntry/dependsOnParent(_:name:)``: asked of the parent of the container that registered it.
        case declaredOfParent
    }

    /// What is asked for; an Optional, an array or a wrapper as it stands in the parameter.
    public let key: ServiceKey

    /// How it is known.
    public let source: Source
}

extension AnyServiceEntry {
    /// The services that the factory asks for, where the registration says so.
    public final var dependencies: [Dependency] { wiringState?.dependencies ?? [] }

    /// Whether ``dependencies`` are complete: the registration was made from an initializer or an instance, or says so.
    public final var isAnalysable: Bool { wiringState?.isAnalysable ?? false }

    /// Why the instance may hold one that lives shorter, if that was granted.
    public final var captiveReason: String? { wiringState?.captiveReason }

    final var wiringState: Wiring.State? { wiring.object?.state.withLock { $0 } }

    final var ownWiring: Wiring {
        wiring.object ?? wiring.objectOrMade(Wiring())
    }

    @usableFromInline
    final func declareAnalysable() {
        ownWiring.state.withLock { $0.isAnalysable = true }
    }

    @usableFromInline
    final func addParameter(_ type: Any.Type, unless argument: Any.Type? = nil) {
        let key = type == argument ? nil : ServiceKey(serviceType: type)
        ownWiring.state.withLock { wiring in
            if let key { wiring.dependencies.append(Dependency(key: key, source: .parameter(wiring.parameterCount))) }
            wiring.parameterCount += 1
        }
    }

    /// Says that the factory asks for the parameters of an initializer, but for a runtime argument, and for nothing else.
    @inlinable
    final func declareParameters<each Parameter>(
        _ types: repeat (each Parameter).Type,
        unless argument: Any.Type? = nil
    ) {
        declareAnalysable()
        repeat addParameter(each types, unless: argument)
    }

    /// Keeps where the last registration of the key was; earlier ones are forgotten, so that replacing one for ever
    /// needs no memory.
    final func noteReplacement(of replaced: AnyServiceEntry) {
        let note = (replaced.location, replaced.forwardTarget != nil || forwardTarget != nil)
        ownWiring.state.withLock { $0.replaced = note }
    }

    /// Says that the factory asks for the service of a key.
    final func declareDependency(_ key: ServiceKey, _ source: Dependency.Source = .declared) {
        ownWiring.state.withLock { wiring in
            wiring.isAnalysable = true
            wiring.dependencies.append(Dependency(key: key, source: source))
        }
    }

    final func noteIsolation(_ isolation: any Actor) {
        ownWiring.state.withLock { $0.isolation = isolation }
    }

    /// The actor that the registration was made on, which its factory belongs to; nil where there was none, and in a
    /// container that several threads use.
    public final var isolation: (any Actor)? { wiringState?.isolation }

    final func grantCaptives(because reason: String) {
        ownWiring.state.withLock { $0.captiveReason = reason }
    }
}
