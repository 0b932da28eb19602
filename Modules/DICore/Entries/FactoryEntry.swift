/// An entry whose factory takes no runtime arguments.
@usableFromInline
final class FactoryEntry<Service>: ServiceEntry<Service> {
    @usableFromInline let factory: (any Resolver) throws -> Service

    init(
        _ key: ServiceKey,
        scope: any ObjectScopeProtocol,
        fileID: StaticString,
        line: UInt,
        factory: @escaping (any Resolver) throws -> Service
    ) {
        self.factory = factory
        super.init(key, scope: scope, flags: [], fileID: fileID, line: line)
    }
}

/// An entry whose factory takes one runtime argument.
@usableFromInline
final class ArgumentFactoryEntry<Service, Argument>: ServiceEntry<Service> {
    @usableFromInline let factory: (any Resolver, Argument) throws -> Service

    init(
        _ key: ServiceKey,
        scope: any ObjectScopeProtocol,
        fileID: StaticString,
        line: UInt,
        factory: @escaping (any Resolver, Argument) throws -> Service
    ) {
        self.factory = factory
        super.init(key, scope: scope, flags: .arguments, fileID: fileID, line: line)
    }
}

/// An entry whose factory takes two runtime arguments. Written out because a parameter pack costs 85 instructions more to call.
@usableFromInline
final class TwoArgumentsFactoryEntry<Service, First, Second>: ServiceEntry<Service> {
    @usableFromInline let factory: (any Resolver, First, Second) throws -> Service

    init(
        _ key: ServiceKey,
        scope: any ObjectScopeProtocol,
        fileID: StaticString,
        line: UInt,
        factory: @escaping (any Resolver, First, Second) throws -> Service
    ) {
        self.factory = factory
        super.init(key, scope: scope, flags: .arguments, fileID: fileID, line: line)
    }
}

/// An entry whose factory takes three or more runtime arguments.
@usableFromInline
final class ArgumentsFactoryEntry<Service, each Argument>: ServiceEntry<Service> {
    @usableFromInline let factory: (any Resolver, repeat each Argument) throws -> Service

    init(
        _ key: ServiceKey,
        scope: any ObjectScopeProtocol,
        fileID: StaticString,
        line: UInt,
        factory: @escaping (any Resolver, repeat each Argument) throws -> Service
    ) {
        self.factory = factory
        super.init(key, scope: scope, flags: .arguments, fileID: fileID, line: line)
    }
}
