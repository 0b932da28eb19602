/// The right to build what a wrapper keeps, which one thread has at a time.
///
/// For a wrapper that keeps what it has resolved, made from a container that several threads use. Who waits for a turn is
/// known to the container, so that a loop of waiting threads is found when it leads through the wrapper.
///
///     try provider.withTurn(turn) { () throws(ResolutionError) in
///         // build, unless it is there by now
///     }
public final class BuildTurn: Sendable {
    let place = StoragePlace(ObjectScope.transient, for: Void.self)

    /// Makes a turn that nobody has.
    public init() {}
}

extension InstanceProvider {
    /// Whether several threads may use it, so that they have to take turns to build what is to be built once.
    var isForThreads: Bool { origin.isForThreads }

    /// Calls the body in a turn, after the thread that has it.
    ///
    /// Throws `circular` when this thread has the turn already, `crossThreadCycle` when the thread that has it waits for
    /// this one. In a container with views the turn is taken inside of their lock: the order in which a factory, which runs
    /// in that lock, takes both.
    func withTurn<Result>(
        _ turn: BuildTurn,
        _ body: () throws(ResolutionError) -> Result
    ) throws(ResolutionError) -> Result {
        guard isForThreads else { return try body() }
        guard let resolver = origin.holder.resolver else { throw gone }
        let (context, session) = resolver.current
        let gate = context.gate
        gate?.enter()
        defer { gate?.leave() }
        if turn.place.isClaimed(by: session) { throw openedWhileBuilt }
        let threads = gate == nil ? context.threads : nil
        if let threads { try claim(turn.place, session, threads, context) }
        turn.place.setBuilder(session)
        defer {
            turn.place.clearBuilder(session)
            threads?.settle(turn.place, by: session.id, with: nil, nil, isOwn: true)
        }
        return try body()
    }

    private func claim(
        _ place: StoragePlace,
        _ session: UnsafeMutablePointer<Session>,
        _ threads: any ThreadCoordinator,
        _ context: ResolutionContext
    ) throws(ResolutionError) {
        let terms = session.pointee.waitTerms == .finishedAside ? WaitTerms.finishedAside : .finished
        while true {
            switch try threads.claim(place, for: key, by: session.id, terms: terms, in: context) {
            case .build: return
            case .lookAgain, .borrow: continue
            case .never(let report, let building):
                throw Session.failForEver(session, report, for: key, building: building, in: context)
            }
        }
    }

    /// The error of somebody who wants what is being built in order to build it.
    public var openedWhileBuilt: ResolutionError {
        ResolutionError(.circular, key: key, detail: "it is opened while it is being built")
    }
}
