/// A registration of whatever service type: what a ``Registry`` holds and a ``Resolver`` answers with.
///
/// Made by the `register` methods of a container, or by ``ServiceEntry`` for a resolver with its own registry.
public class AnyServiceEntry {
    /// The number of the entry in the process; entries that were made later have greater ones.
    public final let id = Identity.next()

    /// The type that the registration is for.
    public final let serviceType: Any.Type

    /// The types of the factory's parameters; see ``ServiceKey/argumentsType``.
    public final let argumentsType: Any.Type

    private final let name: String?
    private final let boxedOption: ServiceKey.OptionBox?
    /// Whether there is neither name nor option.
    private final var hasPlainKey: Bool { flags.contains(.plainKey) }
    final let placeOfRegistration: RegistrationPlace

    // Unchecked exclusivity, here and below: read on every resolve from other modules, where each checked access costs
    // about 80 instructions. The accesses are loads and stores of a word and run no code in between.
    @exclusivity(unchecked) @usableFromInline final var flags: EntryFlags

    /// The cell that hits are answered from; the shared empty one when the storage has none.
    @exclusivity(unchecked) @usableFromInline final var cell: InstanceCell = .none

    /// How the instances are shared.
    public final internal(set) var scope: any ObjectScopeProtocol

    final var place: StoragePlace

    /// The container that the entry is registered in.
    final var owner: ResolutionContext?

    /// What the registration says of itself for checks of the wiring, if anything; apart, since most say nothing.
    final var wiring: Wiring?

    init(
        _ key: ServiceKey,
        scope: any ObjectScopeProtocol,
        flags: EntryFlags,
        fileID: StaticString,
        line: UInt
    ) {
        serviceType = key.serviceType
        argumentsType = key.argumentsType
        name = key.name
        boxedOption = key.boxedOption
        placeOfRegistration = RegistrationPlace(fileID: fileID, line: UInt32(clamping: line))
        self.scope = scope
        self.flags = key.name == nil && key.boxedOption == nil ? flags.union(.plainKey) : flags
        self.place = StoragePlace(scope.makeStorage(), for: key.serviceType)
        applyPlace()
    }

    /// What the entry is found by.
    public final var key: ServiceKey {
        ServiceKey(
            serviceType: serviceType,
            argumentsType: argumentsType,
            name: name,
            option: boxedOption?.option
        )
    }

    /// Where the registration was written.
    public final var location: SourceLocation { placeOfRegistration.location }

    /// The entry that answers in place of this one, for a forwarded type.
    public var forwardTarget: AnyServiceEntry? { nil }

    /// An entry that stands for its key and has no factory, for a registry that is used as a set.
    static func marker(_ key: ServiceKey) -> AnyServiceEntry {
        AnyServiceEntry(key, scope: ObjectScope.transient, flags: [], fileID: #fileID, line: #line)
    }

    /// Whether a container holds the instances.
    final var isKept: Bool { flags.contains(.shared) && place.storage.keepsInstances }

    /// Compares in full what a tag has found.
    @inline(__always)
    final func answers(to key: ServiceKey) -> Bool {
        guard serviceType == key.serviceType, argumentsType == key.argumentsType else { return false }
        if hasPlainKey, key.name == nil, key.boxedOption == nil { return true }
        return hasSuffix(of: key)
    }

    @inline(never)
    private final func hasSuffix(of key: ServiceKey) -> Bool {
        name == key.name && ServiceKey.sameOption(boxedOption, key.boxedOption)
    }

    /// Gives the entry another scope. Instances of the old one are left to whoever holds them.
    func changeScope(to scope: any ObjectScopeProtocol) {
        if flags.contains(.produced) { reportScopeChange(to: scope) }
        let old = (place, self.scope, owner?.removePrivateStorage(of: self))
        self.scope = scope
        place = StoragePlace(scope.makeStorage(), for: serviceType)
        applyPlace()
        withExtendedLifetime(old) {}
    }

    private final func applyPlace() {
        flags.remove(.place)
        switch place.storage {
        case is TransientStorage: break
        case is GraphStorage: flags.insert(.graph)
        default: flags.insert(.shared)
        }
        switch scope.residence {
        case .resolve: break
        case .askingContainer: flags.insert(.askingContainer)
        case .owner: flags.insert(.owner)
        }
        // With one instance for each container, only the container's own cell may answer.
        cell = flags.contains(.askingContainer) ? .none : place.cell ?? .none
    }

    private final func reportScopeChange(to scope: any ObjectScopeProtocol) {
        guard let owner else { return }
        _ = ResolutionError.report(
            .scopeChanged,
            key: key,
            detail: "from \(self.scope) to \(scope)",
            near: [self],
            in: owner
        )
    }
}

/// What the resolution has to know of an entry, in one word.
@usableFromInline
struct EntryFlags: OptionSet {
    @usableFromInline let rawValue: UInt

    @inlinable
    init(rawValue: UInt) { self.rawValue = rawValue }

    /// Kept in the running graph.
    @usableFromInline static var graph: EntryFlags { EntryFlags(rawValue: 1) }
    /// Kept in a storage.
    @usableFromInline static var shared: EntryFlags { EntryFlags(rawValue: 2) }
    /// Has callbacks.
    @usableFromInline static var callbacks: EntryFlags { EntryFlags(rawValue: 4) }
    /// Answers with the instance of another entry.
    @usableFromInline static var forwarded: EntryFlags { EntryFlags(rawValue: 8) }
    /// Kept by each container that asks.
    @usableFromInline static var askingContainer: EntryFlags { EntryFlags(rawValue: 16) }
    /// Built and kept by the container that registered it.
    @usableFromInline static var owner: EntryFlags { EntryFlags(rawValue: 32) }
    /// The factory takes runtime arguments.
    @usableFromInline static var arguments: EntryFlags { EntryFlags(rawValue: 64) }
    /// Has produced an instance.
    @usableFromInline static var produced: EntryFlags { EntryFlags(rawValue: 128) }

    /// Has neither name nor option.
    @usableFromInline static var plainKey: EntryFlags { EntryFlags(rawValue: 256) }

    /// Is registered no more, and only finishes what is being built.
    @usableFromInline static var retired: EntryFlags { EntryFlags(rawValue: 512) }

    /// What the scope decides.
    static var place: EntryFlags { [.graph, .shared, .askingContainer, .owner] }

    /// Not simply built by the container that asks, in the graph that runs.
    @inlinable
    @inline(__always)
    var needsCare: Bool { rawValue & (2 | 8 | 16 | 32) != 0 }
}

extension AnyServiceEntry {
    // Unsafe: bits come from a registry or a located entry, which hold the entry.
    @inline(__always)
    static func fromBits(_ bits: UInt) -> AnyServiceEntry {
        Unmanaged<AnyServiceEntry>.fromOpaque(UnsafeRawPointer(bitPattern: bits)!).takeUnretainedValue()
    }

    /// Looks at an entry without retaining it, which a comparison in the middle of a look-up would pay for dearly.
    @inline(__always)
    static func withBits<Result>(_ bits: UInt, _ body: (AnyServiceEntry) -> Result) -> Result {
        Unmanaged<AnyServiceEntry>.fromOpaque(UnsafeRawPointer(bitPattern: bits)!)._withUnsafeGuaranteedRef(body)
    }

    /// Takes over the count that a registry's slot had.
    static func takingBits(_ bits: UInt) -> AnyServiceEntry? {
        UnsafeRawPointer(bitPattern: bits).map { Unmanaged<AnyServiceEntry>.fromOpaque($0).takeRetainedValue() }
    }
}
