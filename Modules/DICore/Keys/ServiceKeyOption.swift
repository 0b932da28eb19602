/// Tells registrations apart that share type, arguments and name: the seam for extensions that need more than a name.
///
/// The core compares options and does nothing else with them. A module that registers several services under one type
/// gives each key an option of its own type and finds them again by it, as ``Contribution`` does.
///
///     struct Region: ServiceKeyOption {
///         let code: String
///         var description: String { "region \(code)" }
///     }
///
/// Equality and hashing run while a key is looked up and never under a lock; they must not resolve or register.
public protocol ServiceKeyOption: Hashable, Sendable, CustomStringConvertible {}

/// The option of a registration that was contributed to a collection.
///
/// Each contribution has another one, so that any number can be registered under one type, in a container and in its
/// parents; see ``Container/contribute(_:name:scope:fileID:line:isolation:factory:)``.
public struct Contribution: ServiceKeyOption {
    /// A number that no other contribution in the process has; later ones have greater numbers.
    public let number: UInt

    /// Makes an option that no other contribution has.
    public init() {
        number = Identity.next()
    }

    /// The word `contribution`; which one it is shows by the place of its registration.
    public var description: String { "contribution" }
}
