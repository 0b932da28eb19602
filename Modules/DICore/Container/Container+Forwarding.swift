extension Container {
    /// Registers a type as another name for an entry: its requests get the instance of that entry.
    ///
    /// Whether the instance has the type is found out at the first request; when it has not, the request fails with
    /// ``ResolutionError/Code/typeMismatch``. With ``forward(_:name:to:fileID:line:convert:)`` the compiler proves it.
    ///
    /// - Returns: the entry of the forwarded type. A scope or a callback that it is given goes to the original.
    @discardableResult
    public func forward<Forwarded, Service>(
        _ type: Forwarded.Type,
        name: String? = nil,
        to entry: ServiceEntry<Service>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Forwarded> {
        forward(type, name: name, to: entry, fileID: fileID, line: line, converting: { $0 as? Forwarded })
    }

    /// Registers a type as another name for an entry, with a conversion that cannot fail.
    @discardableResult
    public func forward<Forwarded, Service>(
        _ type: Forwarded.Type,
        name: String? = nil,
        to entry: ServiceEntry<Service>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        convert: @escaping (Service) -> Forwarded
    ) -> ServiceEntry<Forwarded> {
        forward(type, name: name, to: entry, fileID: fileID, line: line, converting: { convert($0) })
    }

    private func forward<Forwarded, Service>(
        _ type: Forwarded.Type,
        name: String?,
        to entry: ServiceEntry<Service>,
        fileID: StaticString,
        line: UInt,
        converting convert: @escaping (Service) -> Forwarded?
    ) -> ServiceEntry<Forwarded> {
        let forwarding = entry.entry
            .forwarding(type, name: name, fileID, line, isSendable: false, convert: convert)
        forwarding.add(to: self)
        return ServiceEntry(forwarding)
    }

    /// Tells the behaviours.
    public func didForward<Forwarded, Service>(
        _ type: Forwarded.Type,
        name: String?,
        to entry: ServiceEntry<Service>
    ) {
        tellBehaviors(of: type, entry, name: name)
    }
}
