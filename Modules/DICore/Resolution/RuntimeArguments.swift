// Unsafe: the key under which an entry was found names the service type and the types of the arguments, and an entry that
// is not a forwarding one is made by the one `make` that has such a key. So its class is known without a cast.

/// The runtime arguments of one request: how the factory of a located entry is called.
///
/// One algorithm serves every number of arguments; what differs is this call. The entry was found under a key that has
/// the types of these arguments, so its class is known.
@usableFromInline
protocol RuntimeArguments {
    func callFactory<Service>(
        of entry: Unmanaged<AnyServiceEntry>,
        as type: Service.Type,
        with resolver: any Resolver
    ) throws -> Service

    /// The arguments for a request that another thread may make, where the compiler has seen that it may.
    var sendable: (any RuntimeArguments & Sendable)? { get }
}

extension RuntimeArguments {
    @usableFromInline var sendable: (any RuntimeArguments & Sendable)? { nil }
}

/// Arguments that were `Sendable` where they were passed.
struct SendableArguments<Base: RuntimeArguments & Sendable>: RuntimeArguments {
    private let base: Base

    init(_ base: Base) {
        self.base = base
    }

    var sendable: (any RuntimeArguments & Sendable)? { self }

    func callFactory<Service>(
        of entry: Unmanaged<AnyServiceEntry>,
        as type: Service.Type,
        with resolver: any Resolver
    ) throws -> Service {
        try base.callFactory(of: entry, as: type, with: resolver)
    }
}

@usableFromInline
struct NoArguments: RuntimeArguments, Sendable {
    @inlinable
    init() {}

    @usableFromInline var sendable: (any RuntimeArguments & Sendable)? { self }

    @inlinable
    @inline(__always)
    func callFactory<Service>(
        of entry: Unmanaged<AnyServiceEntry>,
        as type: Service.Type,
        with resolver: any Resolver
    ) throws -> Service {
        try entry._withUnsafeGuaranteedRef {
            try unsafeDowncast($0, to: FactoryEntry<Service>.self).factory(resolver)
        }
    }
}

@usableFromInline
struct OneArgument<Argument>: RuntimeArguments {
    @usableFromInline let argument: Argument

    @inlinable
    init(_ argument: Argument) {
        self.argument = argument
    }

    @inlinable
    @inline(__always)
    func callFactory<Service>(
        of entry: Unmanaged<AnyServiceEntry>,
        as type: Service.Type,
        with resolver: any Resolver
    ) throws -> Service {
        try entry._withUnsafeGuaranteedRef {
            try unsafeDowncast($0, to: ArgumentFactoryEntry<Service, Argument>.self).factory(resolver, argument)
        }
    }
}

extension OneArgument: Sendable where Argument: Sendable {}

@usableFromInline
struct TwoArguments<First, Second>: RuntimeArguments {
    @usableFromInline let first: First
    @usableFromInline let second: Second

    @inlinable
    init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    @inlinable
    @inline(__always)
    func callFactory<Service>(
        of entry: Unmanaged<AnyServiceEntry>,
        as type: Service.Type,
        with resolver: any Resolver
    ) throws -> Service {
        try entry._withUnsafeGuaranteedRef {
            try unsafeDowncast($0, to: TwoArgumentsFactoryEntry<Service, First, Second>.self)
                .factory(resolver, first, second)
        }
    }
}

extension TwoArguments: Sendable where First: Sendable, Second: Sendable {}

@usableFromInline
struct ManyArguments<each Argument>: RuntimeArguments {
    @usableFromInline let arguments: (repeat each Argument)

    @inlinable
    init(_ arguments: repeat each Argument) {
        self.arguments = (repeat each arguments)
    }

    @inlinable
    @inline(__always)
    func callFactory<Service>(
        of entry: Unmanaged<AnyServiceEntry>,
        as type: Service.Type,
        with resolver: any Resolver
    ) throws -> Service {
        try entry._withUnsafeGuaranteedRef {
            try unsafeDowncast($0, to: ArgumentsFactoryEntry<Service, repeat each Argument>.self)
                .factory(resolver, repeat each arguments)
        }
    }
}

extension ManyArguments: Sendable where repeat each Argument: Sendable {}
