extension ServiceEntry {
    /// Registers a type that the instance has as well, under which it can then be resolved.
    ///
    ///     container.register((any Animal).self) { _ in Cat() }
    ///         .implements((any Pet).self)
    ///
    /// Both keys give the same instance, its callbacks run once, and a scope that is set later applies to both. Whether
    /// the instance has the type is found out at the first request; see ``implements(_:name:fileID:line:convert:)`` for
    /// a proof. Has an effect on entries that are registered.
    @discardableResult
    public func implements<Forwarded>(
        _ type: Forwarded.Type,
        name: String? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        register(type, name: name, fileID: fileID, line: line) { $0 as? Forwarded }
        return self
    }

    /// Registers a type that the instance has as well, with a conversion that cannot fail.
    ///
    ///     container.register(Cat.self) { _ in Cat() }
    ///         .implements((any Pet).self) { $0 }
    @discardableResult
    public func implements<Forwarded>(
        _ type: Forwarded.Type,
        name: String? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        convert: @escaping (Service) -> Forwarded
    ) -> Self {
        register(type, name: name, fileID: fileID, line: line) { convert($0) }
        return self
    }

    /// Registers several types that the instance has as well.
    @discardableResult
    public func implements<First, Second, each Forwarded>(
        _ first: First.Type,
        _ second: Second.Type,
        _ more: repeat (each Forwarded).Type,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        implements(first, fileID: fileID, line: line)
        implements(second, fileID: fileID, line: line)
        repeat implementsOne(each more, fileID, line)
        return self
    }

    /// The tuple of a pack expansion would be unused otherwise.
    private func implementsOne<Forwarded>(_ type: Forwarded.Type, _ fileID: StaticString, _ line: UInt) {
        implements(type, fileID: fileID, line: line)
    }

    private func register<Forwarded>(
        _ type: Forwarded.Type,
        name: String?,
        fileID: StaticString,
        line: UInt,
        convert: @escaping (Service) -> Forwarded?
    ) {
        guard let registrar = owner?.resolver as? any ServiceRegistrar else { return }
        addForward(in: registrar, type, name: name, fileID: fileID, line: line, convert: convert)
    }

    /// Registers another type and name, with the same arguments and option, that answers with this one's instance.
    @discardableResult
    func addForward<Forwarded>(
        in registrar: any ServiceRegistrar,
        _ type: Forwarded.Type,
        name: String?,
        fileID: StaticString,
        line: UInt,
        convert: @escaping (Service) -> Forwarded?
    ) -> ServiceEntry<Forwarded> {
        let key = forwardedKey(type, name: name)
        let forwarding = ForwardingEntry(key, to: self, fileID: fileID, line: line, convert: convert)
        registrar.add(forwarding)
        registrar.didForward(type, name: name, to: self)
        return forwarding
    }

    /// The key of another type that answers with this one's instance.
    func forwardedKey(_ type: Any.Type, name: String?) -> ServiceKey {
        ServiceKey(
            serviceType: type,
            argumentsType: argumentsType,
            name: name,
            option: key.option is Contribution ? Contribution() : key.option
        )
    }
}
