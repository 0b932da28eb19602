/// An entry that answers with the instance of another one, under another type.
///
/// It has no factory, scope and callbacks of its own: what is set on it is set on the entry that it stands for, which it
/// stays bound to also when that key is registered again.
final class ForwardingEntry<Base, Service>: ServiceEntry<Service> {
    private let base: ServiceEntry<Base>
    private let convert: (Base) -> Service?

    init(
        _ key: ServiceKey,
        to base: ServiceEntry<Base>,
        fileID: StaticString,
        line: UInt,
        convert: @escaping (Base) -> Service?
    ) {
        self.base = base
        self.convert = convert
        super.init(key, scope: ObjectScope.transient, flags: .forwarded, fileID: fileID, line: line)
    }

    override var forwardTarget: AnyServiceEntry? { base.forwardTarget ?? base }

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
        _ located: LocatedEntry,
        _ arguments: Arguments,
        for resolver: any Resolver
    ) throws(ResolutionError) -> Service {
        // The entry may be replaced while it is being built; no frame names it, so it is held here.
        try withExtendedLifetime(self) { () throws(ResolutionError) in
            let instance = try instance(of: base, located.with(base), arguments, for: resolver)
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

    private static func mismatch(_ instance: Base) -> String {
        "\(TypeName.short(type(of: instance as Any))) is no \(TypeName.short(Service.self))"
    }
}
