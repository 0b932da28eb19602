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
