/// The right to build what a wrapper keeps, which one thread has at a time.
///
/// For a wrapper that keeps what it has resolved, made from a container that several threads use. Who waits for a turn is
/// known to the container, so that a loop of waiting threads is found when it leads through the wrapper.
///
///     try provider.begin(turn)
///     defer { provider.end(turn) }
///     // build, unless it is there by now
public final class BuildTurn: Sendable {
    let place = StoragePlace(ObjectScope.transient, for: Void.self)

    /// Makes a turn that nobody has.
    public init() {}
}

extension InstanceProvider {
    /// Whether several threads may use it, so that they have to take turns to build what is to be built once.
    public var isForThreads: Bool { origin.threads != nil }

    /// Takes a turn, after the thread that has it. Always to be followed by ``end(_:)``, unless it throws.
    ///
    /// Throws `circular` when this thread has the turn already, `crossThreadCycle` when the thread that has it waits for
    /// this one.
    public func begin(_ turn: BuildTurn) throws(ResolutionError) {
        guard let threads = origin.threads else { return }
        guard let resolver = origin.holder.resolver else { throw gone }
        let session = threads.session
        if turn.place.isClaimed(by: session.memory) { throw openedWhileBuilt }
        let located = resolver.locate(unnamed: GraphIdentifier.self)
        located.endReading()
        let context = located.context.takeUnretainedValue()
        while true {
            switch try threads.claim(turn.place, for: key, by: session.id, in: context) {
            case .build: return
            case .lookAgain, .borrow: continue
            case .never(let report, let building):
                throw Session.failForEver(session.memory, report, for: key, building: building, in: context)
            }
        }
    }

    /// Gives the turn back.
    public func end(_ turn: BuildTurn) {
        guard let threads = origin.threads else { return }
        threads.settle(turn.place, by: threads.session.id, nil)
    }

    /// The error of somebody who wants what is being built in order to build it.
    public var openedWhileBuilt: ResolutionError {
        ResolutionError(.circular, key: key, detail: "it is opened while it is being built")
    }
}
