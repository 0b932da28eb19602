extension Optional: InstanceWrapper {
    /// The wrapper of an unknown type is nil.
    public static var traits: WrapperTraits { .toleratesAbsence }

    /// The instance, or nil when its type is not registered. A registered type that fails is an error, not nil.
    public static func makeWrapper(from source: InstanceSource<Wrapped>) throws(ResolutionError) -> Self {
        try source.resolveIfRegistered()
    }
}

extension Array: InstanceWrapper {
    /// The collection of an unknown type is empty.
    public static var traits: WrapperTraits { [.toleratesAbsence, .gathersContributions] }

    /// All contributions to the collection of the element type; see ``Resolver/requireAll(_:)``. With a name, those that
    /// have it, and it is an error if there are none.
    public static func makeWrapper(from source: InstanceSource<Element>) throws(ResolutionError) -> Self {
        try source.resolveAll()
    }
}
