extension ServiceEntry {
    /// Makes an entry without registering it, for a resolver with a registry of its own.
    ///
    ///     let entry = ServiceEntry<Clock>.make(scope: .graph) { _ in Clock() }
    ///     registry.insert(entry.anyEntry)
    ///
    /// Its key is made of the types of the factory, the name and the option.
    public static func make(
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        scope: any ObjectScopeProtocol,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping (any Resolver) throws -> Service
    ) -> ServiceEntry<Service> {
        ServiceEntry(makeEntry(EntryTerms(name, option, scope, fileID, line), factory))
    }

    /// Makes an entry whose factory takes one runtime argument.
    public static func make<Argument>(
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        scope: any ObjectScopeProtocol,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping (any Resolver, Argument) throws -> Service
    ) -> ServiceEntry<Service> {
        ServiceEntry(makeEntry(EntryTerms(name, option, scope, fileID, line), factory))
    }

    /// Makes an entry whose factory takes two runtime arguments.
    public static func make<First, Second>(
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        scope: any ObjectScopeProtocol,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping (any Resolver, First, Second) throws -> Service
    ) -> ServiceEntry<Service> {
        ServiceEntry(makeEntry(EntryTerms(name, option, scope, fileID, line), factory))
    }

    /// Makes an entry whose factory takes three or more runtime arguments.
    public static func make<First, Second, Third, each Argument>(
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        scope: any ObjectScopeProtocol,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping (any Resolver, First, Second, Third, repeat each Argument) throws -> Service
    ) -> ServiceEntry<Service> {
        ServiceEntry(makeEntry(EntryTerms(name, option, scope, fileID, line), factory))
    }
}
