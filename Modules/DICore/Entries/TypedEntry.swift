/// An entry whose service type is known: what the engine works with, and what a handle stands for.
///
/// Not public, and neither are the means to change an entry: who finds one in a container that several threads use may
/// look at it and no more. The handles that registering returns configure it, each with what its container may be given.
@usableFromInline
class TypedEntry<Service>: AnyServiceEntry {
    /// Run right after the instance is stored.
    @usableFromInline final let callbacks = AtomicReference<CallbackList<Service>>(nil)

    func addCallback(_ callback: @escaping (any Resolver, Service) throws -> Void) {
        // Retried when another thread has added one meanwhile.
        while !callbacks.replace(callbacks.object, with: { CallbackList(callback, after: $0) }) {}
        insert(.callbacks)
    }

    /// The instance of the entry that answers in place of this one. Only asked of a forwarding entry.
    func forwardedInstance<Arguments: RuntimeArguments>(
        _ located: UnsafeLocatedEntry,
        _ arguments: Arguments,
        for resolver: any Resolver
    ) throws(ResolutionError) -> Service {
        preconditionFailure("only a forwarding entry has the flag")
    }

    override func announce(to container: Container) {
        container.tellBehaviors(of: Service.self, ServiceEntry(self), name: name)
    }

    // MARK: Forwarding

    /// Makes an entry of another type, with the same arguments and option, that answers with this one's instance.
    ///
    /// - Parameter isSendable: whether this entry and the conversion are made of `@Sendable` closures alone.
    final func forwarding<Forwarded>(
        _ type: Forwarded.Type,
        name: String?,
        _ fileID: StaticString,
        _ line: UInt,
        isSendable: Bool,
        convert: @escaping (Service) -> Forwarded?
    ) -> TypedEntry<Forwarded> {
        let key = key
        return ForwardingEntry(
            ServiceKey(
                serviceType: type,
                argumentsType: argumentsType,
                name: name,
                option: key.option is Contribution ? Contribution() : key.option
            ),
            to: self,
            EntryTerms(nil, nil, ObjectScope.transient, fileID, line),
            isSendable: isSendable,
            convert: convert
        )
    }

    /// Registers a forwarding entry where this one is registered. Does nothing when that container has ended, or there is
    /// none.
    final func addForward<Forwarded>(
        _ type: Forwarded.Type,
        name: String?,
        _ fileID: StaticString,
        _ line: UInt,
        isSendable: Bool,
        convert: @escaping (Service) -> Forwarded?
    ) {
        guard let resolver = owner?.resolver else { return }
        let forwarding = forwarding(type, name: name, fileID, line, isSendable: isSendable, convert: convert)
        if let registrar = resolver as? any ServiceRegistrar {
            forwarding.add(to: registrar)
        } else if isSendable, let registrar = resolver as? any SendableRegistrar {
            registrar.add(AnySendableEntry(forwarding))
        }
    }

    override func addForward<Forwarded>(
        _ type: Forwarded.Type,
        name: String?,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        addForward(type, name: name, fileID, line, isSendable: flags.contains(.sendable)) { $0 as? Forwarded }
    }

    /// Registers the entry with a registrar that is told of forwarding.
    func add(to registrar: any ServiceRegistrar) { registrar.add(self) }
}
