/// What a wrapper makes of its wrapped type.
public struct WrapperTraits: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes traits from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Can be made also when the wrapped type is unknown.
    public static let toleratesAbsence = WrapperTraits(rawValue: 1)
    /// Resolves the wrapped type later, when the object that holds the wrapper is complete.
    public static let defersConstruction = WrapperTraits(rawValue: 2)
    /// Holds all contributions to the collection of the wrapped type instead of an instance of it.
    public static let gathersContributions = WrapperTraits(rawValue: 4)
}
