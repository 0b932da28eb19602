// A wrapper that threads may share carries its arguments to them, so that the compiler has to see that they may go there.
// `require` says nothing of that.

extension Resolver {
    /// Gives a wrapper that threads may share of a service whose factory takes one runtime argument, or throws why it
    /// cannot.
    ///
    ///     let report = try r.requireSendable(SendableLazy<Report>.self, argument: "today")
    ///
    /// `require` does where there are no arguments, and refuses such a wrapper with them.
    public func requireSendable<Wrapper: InstanceWrapper & Sendable, Argument: Sendable>(
        _ wrapperType: Wrapper.Type,
        name: String? = nil,
        argument: Argument
    ) throws(ResolutionError) -> Wrapper {
        try requireKey(
            ServiceKey(wrapperType, arguments: Argument.self, name: name),
            wrapperType,
            SendableArguments(OneArgument(argument)),
            from: self
        )
    }

    /// Gives a wrapper that threads may share of a service whose factory takes two runtime arguments, or throws why it
    /// cannot.
    public func requireSendable<Wrapper: InstanceWrapper & Sendable, First: Sendable, Second: Sendable>(
        _ wrapperType: Wrapper.Type,
        name: String? = nil,
        arguments first: First,
        _ second: Second
    ) throws(ResolutionError) -> Wrapper {
        try requireKey(
            ServiceKey(wrapperType, arguments: First.self, Second.self, name: name),
            wrapperType,
            SendableArguments(TwoArguments(first, second)),
            from: self
        )
    }

    /// Gives a wrapper that threads may share of a service whose factory takes three or more runtime arguments, or throws
    /// why it cannot.
    public func requireSendable<
        Wrapper: InstanceWrapper & Sendable,
        First: Sendable,
        Second: Sendable,
        Third: Sendable,
        each Argument: Sendable
    >(
        _ wrapperType: Wrapper.Type,
        name: String? = nil,
        arguments first: First,
        _ second: Second,
        _ third: Third,
        _ more: repeat each Argument
    ) throws(ResolutionError) -> Wrapper {
        try requireKey(
            ServiceKey(
                wrapperType,
                arguments: First.self,
                Second.self,
                Third.self,
                repeat (each Argument).self,
                name: name
            ),
            wrapperType,
            SendableArguments(ManyArguments(first, second, third, repeat each more)),
            from: self
        )
    }
}
