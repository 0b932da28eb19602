public import Synchronization

/// A registration of whatever service type: what a container holds and a ``Resolver`` answers with.
///
/// Made by the `register` methods of a container, or by ``ServiceEntry`` for a resolver with its own registry. It is to be
/// looked at: what `register` returns configures it.
public class AnyServiceEntry {
    /// Tells the entry apart from all others in the process.
    // The highest bit says that the instances are not to be found by other threads; see `RecordKey`.
    public final let id: UInt

    /// The type that the registration is for.
    public final let serviceType: Any.Type

    /// The types of the factory's parameters; see ``ServiceKey/argumentsType``.
    public final let argumentsType: Any.Type

    final let name: String?
    private final let boxedOption: ServiceKey.OptionBox?
    final let placeOfRegistration: RegistrationPlace

    // What may change after the registration is in force is atomic: other threads may be resolving it.
    @usableFromInline final let flagBits: Atomic<UInt>

    /// The cell that hits are answered from; the shared empty one when the storage has none. Held by the place.
    @usableFromInline final let cellBits: Atomic<UInt>

    /// What the scope makes of the entry. Those that it had before live as long as the entry, see `Wiring`.
    private final let currentPlace: AtomicReference<StoragePlace>

    /// The context that the entry is registered in. Set once. Not held: the context holds the entry.
    private final let ownership = AtomicReference<ContextReference>(nil)

    /// What the registration says of itself for checks of the wiring, if anything; apart, since most say nothing.
    final let wiring = AtomicReference<Wiring>(nil)

    init(_ key: ServiceKey, _ terms: EntryTerms, flags: EntryFlags) {
        id = Identity.next() | (terms.isUnshared ? RecordKey.mark : 0)
        serviceType = key.serviceType
        argumentsType = key.argumentsType
        name = key.name
        boxedOption = key.boxedOption
        placeOfRegistration = RegistrationPlace(fileID: terms.fileID, line: UInt32(clamping: terms.line))
        let place = StoragePlace.make(terms.scope, for: key.serviceType)
        flagBits = Atomic(flags.union(EntryFlags(place: place)).rawValue)
        cellBits = Atomic(AnyServiceEntry.cellBits(of: place))
        currentPlace = AtomicReference(place)
    }

    /// What the resolution has to know.
    @inlinable
    @inline(__always)
    final var flags: EntryFlags { EntryFlags(rawValue: flagBits.load(ordering: .relaxed)) }

    /// The bits of the box that every request may have, or zero.
    // Unsafe: the place that holds the cell lives as long as the entry, and the shared empty cell for ever.
    @inlinable
    @inline(__always)
    final var publishedBits: UInt {
        let cell = UnsafeRawPointer(bitPattern: cellBits.load(ordering: .acquiring)).unsafelyUnwrapped
        return Unmanaged<InstanceCell>.fromOpaque(cell)
            ._withUnsafeGuaranteedRef { $0.ready.load(ordering: .sequentiallyConsistent) }
    }

    final func insert(_ flags: EntryFlags) {
        flagBits.bitwiseOr(flags.rawValue, ordering: .relaxed)
    }

    /// Where the instances are kept, unless each container that asks keeps its own.
    final var place: StoragePlace { currentPlace.object! }

    /// How the instances are shared.
    public final var scope: any ObjectScopeProtocol { place.scope }

    /// The context of the container that the entry is registered in, while that is there.
    final var owner: ResolutionContext? { ownership.object?.context }

    /// What tells the context of the entry from others; zero when it is registered nowhere, and never was.
    final var ownerID: UInt { ownership.bits.load(ordering: .relaxed) }

    /// Whether the entry is registered in a context.
    final func belongs(to context: ResolutionContext) -> Bool {
        let owner = ownerID
        return owner != 0 && owner == context.ownReference.bits.load(ordering: .relaxed)
    }

    /// Makes a context the owner, once and for all. False when the entry belongs to another one.
    final func becomeOwned(by context: ResolutionContext) -> Bool {
        if belongs(to: context) { return true }
        guard ownership.setFirst(context.reference) || belongs(to: context) else { return false }
        if context.isForThreads { becomeShared() }
        return true
    }

    /// Says that several threads use the entry.
    final func becomeShared() {
        insert(.forThreads)
        place.share()
    }

    /// The entry has become that of a context.
    func wasAdopted(by context: ResolutionContext) {}

    /// Whether the entry can answer a request for a key with an instance of its type, whatever the name.
    final func hasTypes(of key: ServiceKey) -> Bool {
        serviceType == key.serviceType && argumentsType == key.argumentsType
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

    /// Whether the registration is one of a collection, and never answers for its type.
    final var isContribution: Bool { boxedOption.map { $0.option is Contribution } ?? false }

    /// Where the registration was written.
    public final var location: SourceLocation { placeOfRegistration.location }

    /// The entry that answers in place of this one, for a forwarded type.
    public var forwardTarget: AnyServiceEntry? { nil }

    /// An entry that stands for its key and has no factory, for a registry that is used as a set.
    static func marker(_ key: ServiceKey) -> AnyServiceEntry {
        AnyServiceEntry(key, EntryTerms(nil, nil, ObjectScope.transient, #fileID, #line), flags: [])
    }

    /// Its place in the order of registration: entries that were made later have greater ones.
    final var order: UInt { id & ~RecordKey.mark }

    /// Tells the behaviours of a container that the entry was registered there.
    func announce(to container: Container) {}

    /// Registers another type, with the same arguments and option, that answers with this one's instance.
    func addForward<Forwarded>(_ type: Forwarded.Type, name: String?, _ fileID: StaticString, _ line: UInt) {}

    /// Compares in full what a tag has found.
    final func answers(to key: ServiceKey) -> Bool {
        serviceType == key.serviceType && argumentsType == key.argumentsType && name == key.name
            && ServiceKey.sameOption(boxedOption, key.boxedOption)
    }

    /// Whether the key is seen to be that of the entry by comparing words. If not it may still be.
    @inline(__always)
    final func isPlainly(_ key: ServiceKey) -> Bool {
        // Two strings with the same bits are equal, and so is none to none.
        serviceType == key.serviceType && argumentsType == key.argumentsType
            && WordHash.haveSameWords(name, key.name)
            && boxedOption === key.boxedOption
    }

    /// Gives the entry another scope. Instances of the old one are left to whoever holds them.
    func changeScope(to scope: any ObjectScopeProtocol) {
        if flags.contains(.produced) { reportScopeChange(to: scope) }
        let owner = owner
        let kept = owner?.removePrivateStorage(of: self)
        let place = StoragePlace.make(scope, for: serviceType)
        let isForThreads = flags.contains(.forThreads)
        if isForThreads { place.share() }
        let old = currentPlace.exchange(place)
        cellBits.store(AnyServiceEntry.cellBits(of: place), ordering: .releasing)
        flagBits.bitwiseAnd(~EntryFlags.place.rawValue, ordering: .relaxed)
        insert(EntryFlags(place: place))
        // Threads may be looking at the old place.
        if isForThreads, let old { ownWiring.state.withLock { $0.outdatedPlaces.append(old) } }
        withExtendedLifetime((old, kept)) {}
    }

    private static func cellBits(of place: StoragePlace) -> UInt {
        // With one instance for each container, only the container's own cell may answer.
        let cell = place.scope.residence == .askingContainer ? nil : place.cell
        return Unmanaged.passUnretained(cell ?? .none).bits
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

    /// Is registered no more, and only finishes what is being built.
    @usableFromInline static var retired: EntryFlags { EntryFlags(rawValue: 256) }

    /// Is registered in a container that several threads use.
    @usableFromInline static var forThreads: EntryFlags { EntryFlags(rawValue: 512) }

    /// Is made of `@Sendable` closures alone.
    @usableFromInline static var sendable: EntryFlags { EntryFlags(rawValue: 1024) }

    /// What asks for something after the factory. The last one does so by its absence.
    @usableFromInline static var rest: UInt { 1 | 2 | 4 | 128 }

    /// What the scope decides.
    static var place: EntryFlags { [.graph, .shared, .askingContainer, .owner] }

    init(place: StoragePlace) {
        self = place.isTransient ? [] : place.isGraph ? .graph : .shared
        switch place.scope.residence {
        case .resolve: break
        case .askingContainer: insert(.askingContainer)
        case .owner: insert(.owner)
        }
    }

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
