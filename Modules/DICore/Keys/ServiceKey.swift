/// What a registration is found by: service type, types of the runtime arguments, name and option.
///
/// Two keys are equal when all four are. Users seldom make one: `register` and `resolve` do. A custom ``Resolver`` is
/// asked with keys, and errors and events carry them.
///
///     ServiceKey((any Animal).self, name: "cat")
///     ServiceKey((any Animal).self, arguments: String.self)
///
/// A nil name is no name. A look-up with a name never answers with the registration without one, nor the reverse.
public struct ServiceKey: Sendable {
    /// The type that is asked for.
    public let serviceType: Any.Type

    /// The parameters of the factory as one tuple type: the resolver first, then the runtime arguments.
    ///
    /// The resolver is part of it so that two arguments `(Int, String)` and one argument that is such a tuple differ,
    /// and so do no argument and one `Void`.
    public let argumentsType: Any.Type

    /// The name given at registration, if any.
    public let name: String?

    /// What else tells the registration apart, if anything.
    public var option: (any ServiceKeyOption)? { boxedOption?.option }

    // In a box, since a key is made and copied for each request with a name or arguments: an existential is five words
    // that are copied through a table even when there is nothing in them.
    @usableFromInline let boxedOption: OptionBox?

    @usableFromInline
    final class OptionBox: Sendable {
        let option: any ServiceKeyOption

        @usableFromInline
        init(_ option: any ServiceKeyOption) {
            self.option = option
        }
    }

    /// Makes a key from its parts as they are; `argumentsType` must have the form described at that property.
    @inlinable
    public init(
        serviceType: Any.Type,
        argumentsType: Any.Type = (any Resolver).self,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil
    ) {
        self.serviceType = serviceType
        self.argumentsType = argumentsType
        self.name = name
        self.boxedOption = option.map { OptionBox($0) }
    }

    /// Makes the key of a service whose factory takes the given runtime arguments.
    @inlinable
    public init<Service, each Argument>(
        _ serviceType: Service.Type,
        arguments: repeat (each Argument).Type,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil
    ) {
        self.init(
            serviceType: serviceType,
            argumentsType: (any Resolver, repeat each Argument).self,
            name: name,
            option: option
        )
    }

    /// The same request for another type: what a wrapper asks for on behalf of its own request.
    func with(serviceType: Any.Type) -> ServiceKey {
        ServiceKey(serviceType: serviceType, argumentsType: argumentsType, name: name, option: option)
    }

    /// Whether the factory takes no runtime arguments.
    @inlinable
    public var takesNoArguments: Bool { argumentsType == (any Resolver).self }
}

extension ServiceKey: Hashable {
    /// Whether all four parts are equal.
    public static func == (left: ServiceKey, right: ServiceKey) -> Bool {
        left.serviceType == right.serviceType && left.argumentsType == right.argumentsType
            && left.name == right.name && ServiceKey.sameOption(left.boxedOption, right.boxedOption)
    }

    /// Feeds all four parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(serviceType))
        hasher.combine(ObjectIdentifier(argumentsType))
        hasher.combine(name)
        if let option { option.hash(into: &hasher) }
    }

    static func sameOption(_ left: OptionBox?, _ right: OptionBox?) -> Bool {
        if left === right { return true }
        guard let left, let right else { return false }
        return sameOption(left, right)
    }

    // Rarely called, and larger than all else that comparing two keys takes.
    @inline(never)
    private static func sameOption(_ left: OptionBox, _ right: OptionBox) -> Bool {
        AnyHashable(left.option) == AnyHashable(right.option)
    }
}

extension ServiceKey: CustomStringConvertible {
    /// The key as a reader would say it: `Animal(String) named "cat"`.
    public var description: String {
        TypeNames(of: EmptyCollection()).text(self)
    }
}
