/// An entry that answers with the instance of another one, under another type.
///
/// It has no factory, scope and callbacks of its own: what is set on it is set on the entry that it stands for, which it
/// stays bound to also when that key is registered again.
final class ForwardingEntry<Base, Service>: TypedEntry<Service> {
    private let base: TypedEntry<Base>
    private let convert: (Base) -> Service?

    init(
        _ key: ServiceKey,
        to base: TypedEntry<Base>,
        _ terms: EntryTerms,
        isSendable: Bool,
        convert: @escaping (Base) -> Service?
    ) {
        self.base = base
        self.convert = convert
        super.init(key, terms, flags: isSendable ? [.forwarded, .sendable] : .forwarded)
    }

    override var forwardTarget: AnyServiceEntry? { base.forwardTarget ?? base }

    /// What answers belongs to the same container if nobody has it yet. Ends the program when several threads use one of the
    /// two containers, which would build in the other one, that has no means for it.
    override func wasAdopted(by context: ResolutionContext) {
        if base.ownerID == 0 { return context.adopt(base) }
        guard let owner = base.owner else { return }
        let hasThreads = owner.coordinator != nil
        if hasThreads ? context.isOverThreads : context.coordinator == nil { return }
        fatalError(
            """
            \(key) (\(location)) cannot be forwarded in \(context.name) to \(base.key) (\(base.location)), which is \
            registered in \(owner.name); several threads use one of them and not the other
            """
        )
    }

    override func changeScope(to scope: any ObjectScopeProtocol) {
        base.changeScope(to: scope)
    }

    override func addCallback(_ callback: @escaping (any Resolver, Service) throws -> Void) {
        let convert = convert
        let key = key
        base.addCallback { r, instance in
            guard let converted = convert(instance) else {
                throw ResolutionError(.typeMismatch, key: key, detail: ForwardingEntry.mismatch(instance))
            }
            try callback(r, converted)
        }
    }

    override func forwardedInstance<Arguments: RuntimeArguments>(
        _ located: UnsafeLocatedEntry,
        _ arguments: Arguments,
        for resolver: any Resolver
    ) throws(ResolutionError) -> Service {
        // The entry may be replaced while it is being built; no frame names it, so it is held here.
        try withExtendedLifetime(self) { () throws(ResolutionError) in
            let instance = try located.with(base).instance(Base.self, arguments, for: resolver)
            if let converted = convert(instance) { return converted }
            throw located.context._withUnsafeGuaranteedRef {
                ResolutionError.report(
                    .typeMismatch,
                    key: key,
                    detail: ForwardingEntry.mismatch(instance),
                    near: [self],
                    in: $0
                )
            }
        }
    }

    /// Behaviours are told of the type and of the entry that it stands for.
    override func announce(to container: Container) {
        container.didForward(Service.self, name: name, to: ServiceEntry(base))
    }

    override func add(to registrar: any ServiceRegistrar) {
        registrar.add(self)
        registrar.didForward(Service.self, name: name, to: ServiceEntry(base))
    }

    private static func mismatch(_ instance: Base) -> String {
        "\(TypeName.short(type(of: instance as Any))) is no \(TypeName.short(Service.self))"
    }
}
