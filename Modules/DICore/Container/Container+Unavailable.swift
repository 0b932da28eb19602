// What code that extends the most used container of this style calls, with the way to do it here.

extension Container {
    // swift-format-ignore: NoLeadingUnderscores
    /// Not here: register with an option.
    @available(*, unavailable, message: "use register(_:name:option:scope:factory:)")
    public func _register<Service, Factory>(
        _ serviceType: Service.Type,
        factory: Factory,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil
    ) -> ServiceEntry<Service> {
        fatalError("unavailable")
    }
}

extension Resolver {
    // swift-format-ignore: NoLeadingUnderscores
    /// Not here: locate the key.
    @available(*, unavailable, message: "use resolve(_:name:), or locate(_:) with a ServiceKey that has an option")
    public func _resolve<Service, Arguments>(
        name: String?,
        option: (any ServiceKeyOption)? = nil,
        invoker: (Arguments) -> Any
    ) -> Service? {
        fatalError("unavailable")
    }
}
