internal import DICore

/// The runtime arguments of one registration, for ``expectEverythingBuilds(from:arguments:except:fileID:filePath:line:column:)``.
///
///     SuppliedArguments((any Animal).self, "Mimi")
///     SuppliedArguments(Screen.self, name: "main", user, 7)
public struct SuppliedArguments {
    let key: ServiceKey
    let build: (any Resolver) throws -> Void

    // The argument types stand in a parameter of their own, as in `Resolver`: the compiler opens an existential where nothing
    // but the argument says its type, and the key would have the dynamic type.

    /// Creates one runtime argument. Its static type is part of the key.
    ///
    /// Where the static type is not the registered one, `as:` says which is meant:
    /// `SuppliedArguments(Home.self, cat, as: (any Animal).self)`.
    public init<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        _ argument: Argument,
        as argumentType: Argument.Type = Argument.self
    ) {
        key = ServiceKey(serviceType, arguments: Argument.self, name: name)
        build = { _ = try $0.require(serviceType, name: name, argument: argument) }
    }

    /// Creates two runtime arguments, whose static types are part of the key.
    public init<Service, First, Second>(
        _ serviceType: Service.Type,
        name: String? = nil,
        _ first: First,
        _ second: Second,
        as argumentTypes: (First, Second).Type = (First, Second).self
    ) {
        key = ServiceKey(serviceType, arguments: First.self, Second.self, name: name)
        build = { _ = try $0.require(serviceType, name: name, arguments: first, second) }
    }

    /// Creates three or more runtime arguments, whose static types are part of the key.
    public init<Service, First, Second, Third, each Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        _ first: First,
        _ second: Second,
        _ third: Third,
        _ more: repeat each Argument,
        as argumentTypes: (First, Second, Third, repeat each Argument).Type =
            (First, Second, Third, repeat each Argument).self
    ) {
        key = ServiceKey(
            serviceType,
            arguments: First.self,
            Second.self,
            Third.self,
            repeat (each Argument).self,
            name: name
        )
        build = { _ = try $0.require(serviceType, name: name, arguments: first, second, third, repeat each more) }
    }
}
