/// What an observer is told: an inert value that says what happened, to which key, and on which path.
public struct ResolutionEvent: Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// A registration was added.
        case registered
        /// A registration was added in place of one that was written at the given location.
        case replaced(SourceLocation)
        /// A registration was removed.
        case removed
        /// A request begins to be built; ``created`` or ``aborted`` ends it.
        case began
        /// A factory has made an instance, and its callbacks have run.
        case created
        /// Nothing came of a request that began to be built; ``failed(_:)`` has told why.
        case aborted
        /// A request was answered with an instance that was there already.
        case reused
        /// A request has failed. Told once, where the failure starts.
        case failed(ResolutionError)
        /// The instances of a scope were dropped.
        case scopeReset(String)
        /// A service that a parent keeps was built from the parent's registrations, past one of the child that asked
        /// for it, which was written at the given location.
        case overridePassedOver(SourceLocation)
    }

    /// What happened.
    public let kind: Kind

    /// The key that it happened to; nil for the reset of a scope.
    public let key: ServiceKey?

    /// Where the registration was written.
    public let location: SourceLocation?

    /// The scope of the registration in words.
    public let scope: String?

    /// The keys of what is running, outermost first, ending with what asked. Its length is the depth.
    public let path: [ServiceKey]

    /// How long the factory and the callbacks took, for ``Kind/created`` when the observer asks for it.
    public let duration: Duration?
}

/// What an observer wants to be told of.
public struct ResolutionInterests: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes interests from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Registrations that are added, replaced and removed, and scopes that are reset.
    public static let registrations = ResolutionInterests(rawValue: 1)
    /// Failures.
    public static let failures = ResolutionInterests(rawValue: 2)
    /// Each resolve: what was built, what was reused, and which overrides were passed over. Costs every resolve of the
    /// container tree its fast path while such an observer is there.
    public static let resolutions = ResolutionInterests(rawValue: 4)
    /// How long what is built takes, besides ``resolutions``.
    public static let durations = ResolutionInterests(rawValue: 12)

    /// Everything.
    public static let all: ResolutionInterests = [.registrations, .failures, .durations]
}

/// Is told what a container does.
///
///     final class FailureCounter: ResolutionObserver {
///         private(set) var count = 0
///         let interests: ResolutionInterests = .failures
///
///         func observe(_ event: ResolutionEvent) { count += 1 }
///     }
///     container.addObserver(FailureCounter())
///
/// Events come in the isolation domain of the container, in the order in which things happen, never while the framework
/// is in the middle of changing something. An observer may resolve and register; it is not told of what it causes itself.
/// With no observer installed the cost of all this is one branch.
public protocol ResolutionObserver: AnyObject {
    /// Something happened that the observer is interested in.
    func observe(_ event: ResolutionEvent)

    /// What the observer wants to be told of; asked once, when it is added. The default is everything.
    var interests: ResolutionInterests { get }

    /// Whether it is told of what happens in child containers as well; asked once, when it is added. The default is yes.
    var isInheritedByChildren: Bool { get }
}

extension ResolutionObserver {
    /// Everything.
    public var interests: ResolutionInterests { .all }

    /// Yes.
    public var isInheritedByChildren: Bool { true }
}
