internal import DICore

/// The runtime arguments of one registration, for ``expectEverythingBuilds(from:arguments:except:fileID:filePath:line:column:)``.
///
///     SuppliedArguments((any Animal).self, "Mimi")
///     SuppliedArguments(Screen.self, name: "main", user, 7)
public struct SuppliedArguments {
    let key: ServiceKey
    let build: (any Resolver) throws -> Void

    /// One runtime argument. Its static type is part of the key.
    public init<Service, Argument>(_ serviceType: Service.Type, name: String? = nil, _ argument: Argument) {
        key = ServiceKey(serviceType, arguments: Argument.self, name: name)
        build = { _ = try $0.require(serviceType, name: name, argument: argument) }
    }

    /// Two runtime arguments.
    public init<Service, First, Second>(
        _ serviceType: Service.Type,
        name: String? = nil,
        _ first: First,
        _ second: Second
    ) {
        key = ServiceKey(serviceType, arguments: First.self, Second.self, name: name)
        build = { _ = try $0.require(serviceType, name: name, arguments: first, second) }
    }

    /// Three or more runtime arguments.
    public init<Service, First, Second, Third, each Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        _ first: First,
        _ second: Second,
        _ third: Third,
        _ more: repeat each Argument
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
