/// An entry whose factory takes no runtime arguments.
@usableFromInline
final class FactoryEntry<Service>: TypedEntry<Service> {
    @usableFromInline let factory: (any Resolver) throws -> Service

    init(_ terms: EntryTerms, _ factory: @escaping (any Resolver) throws -> Service) {
        self.factory = factory
        super.init(ServiceKey(serviceType: Service.self, name: terms.name, option: terms.option), terms, flags: [])
    }
}

/// An entry whose factory takes one runtime argument.
@usableFromInline
final class ArgumentFactoryEntry<Service, Argument>: TypedEntry<Service> {
    @usableFromInline let factory: (any Resolver, Argument) throws -> Service

    init(_ terms: EntryTerms, _ factory: @escaping (any Resolver, Argument) throws -> Service) {
        self.factory = factory
        let key = ServiceKey(Service.self, arguments: Argument.self, name: terms.name, option: terms.option)
        super.init(key, terms, flags: .arguments)
    }
}

/// An entry whose factory takes two runtime arguments. Written out because a parameter pack costs 85 instructions more to call.
@usableFromInline
final class TwoArgumentsFactoryEntry<Service, First, Second>: TypedEntry<Service> {
    @usableFromInline let factory: (any Resolver, First, Second) throws -> Service

    init(_ terms: EntryTerms, _ factory: @escaping (any Resolver, First, Second) throws -> Service) {
        self.factory = factory
        let key = ServiceKey(
            Service.self,
            arguments: First.self,
            Second.self,
            name: terms.name,
            option: terms.option
        )
        super.init(key, terms, flags: .arguments)
    }
}

/// An entry whose factory takes three or more runtime arguments.
@usableFromInline
final class ArgumentsFactoryEntry<Service, each Argument>: TypedEntry<Service> {
    @usableFromInline let factory: (any Resolver, repeat each Argument) throws -> Service

    init(
        _ key: ServiceKey,
        _ terms: EntryTerms,
        _ factory: @escaping (any Resolver, repeat each Argument) throws -> Service
    ) {
        self.factory = factory
        super.init(key, terms, flags: .arguments)
    }
}
