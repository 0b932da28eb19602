/// Gives an instance later, on any thread: what `SendableLazy` and `SendableProvider` are made of.
///
/// It holds the container as ``InstanceProvider`` does, and only one that several threads may use.
public struct SendableInstanceProvider<Wrapped: Sendable>: Sendable {
    /// What it gives.
    public let key: ServiceKey

    let holder: SendableHolder
    let graph: GraphIdentifier?
    /// The actor that the factory belongs to, if it was registered on one in a plain container.
    public let isolation: (any Actor)?
    let place: RegistrationPlace?
    let request: @Sendable (any Resolver) throws(ResolutionError) -> Wrapped

    /// Gives the instance, or throws why it cannot; with the code ``ResolutionError/Code/containerGone`` when the
    /// container has ended.
    public func callAsFunction() throws(ResolutionError) -> Wrapped {
        try confined()()
    }

    /// Calls the body while no other thread does so with the same turn, for a wrapper that keeps what it builds.
    ///
    /// Who waits for a turn is known to the container, so that a loop of waiting threads is found when it leads through the
    /// wrapper. Throws `crossThreadCycle` then, and `circular` when this thread has the turn already.
    public func withTurn<Result>(
        _ turn: BuildTurn,
        _ body: () throws(ResolutionError) -> Result
    ) throws(ResolutionError) -> Result {
        try confined().withTurn(turn, body)
    }

    /// The same for the calling thread, while the container lives.
    private func confined() throws(ResolutionError) -> InstanceProvider<Wrapped> {
        guard let resolver = holder.resolver else {
            let step = ResolutionError.Step(key: key, location: place?.location)
            let error = ResolutionError(.containerGone, key: key, path: [step])
            FailureObservers.tell(error)
            throw error
        }
        return InstanceProvider(
            origin: ProviderOrigin(key, .strongly(resolver), graph, true, isolation, place, isKept: holder.isWeak),
            request: request
        )
    }
}
