/// Why a service could not be resolved.
///
/// A value that can be kept, compared by its ``code`` and sent anywhere. ``description`` is a text of several lines that
/// says what was asked for, on which path, and what to do.
///
///     do {
///         let client = try container.require((any HTTPClient).self)
///     } catch {                     // a ResolutionError: `require` throws nothing else
///         print(error.code)         // notRegistered
///         print(error)              // the whole text
///     }
///
/// It is made once, where the failure starts; every `require` on the way out passes it on.
public struct ResolutionError: Error, Sendable {
    /// What kind of failure it is. Codes are stable: new ones may come, none changes its meaning.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code as a word.
        public let rawValue: String

        /// Makes a code; for resolvers with failures of their own.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The code as a word.
        public var description: String { rawValue }

        /// No registration has the key.
        public static let notRegistered = Code(rawValue: "notRegistered")
        /// The type is registered under this name, for other runtime arguments.
        public static let argumentsMismatch = Code(rawValue: "argumentsMismatch")
        /// The services need each other to be built, so that none can be.
        public static let circular = Code(rawValue: "circular")
        /// One registration is active more often than the depth limit allows, where a repeat proves no cycle.
        public static let depthExceeded = Code(rawValue: "depthExceeded")
        /// An instance has another type than the service that it is to be.
        public static let typeMismatch = Code(rawValue: "typeMismatch")
        /// A factory or a callback threw an error of its own.
        public static let factoryThrew = Code(rawValue: "factoryThrew")
        /// The container that the service was to come from has ended.
        public static let containerGone = Code(rawValue: "containerGone")
        /// Threads wait for instances that the other one is building.
        public static let crossThreadCycle = Code(rawValue: "crossThreadCycle")
        /// What threads were to share cannot be made: no container that they may use has the service, or its arguments may
        /// not leave their isolation domain.
        public static let notSendable = Code(rawValue: "notSendable")
        /// Another thread has been building what was asked for longer than the limit allows.
        public static let waitLimitExceeded = Code(rawValue: "waitLimitExceeded")
        /// A property was to be injected, and nobody has said where from.
        public static let noCurrentResolver = Code(rawValue: "noCurrentResolver")
        /// The current resolver of the process was set a second time.
        public static let alreadyBootstrapped = Code(rawValue: "alreadyBootstrapped")
        /// The wiring of a container was checked and found wrong.
        public static let invalidWiring = Code(rawValue: "invalidWiring")
        /// The scope of a registration was changed after it had produced an instance.
        public static let scopeChanged = Code(rawValue: "scopeChanged")
    }

    /// One request on the way from the outermost to the one that failed.
    public struct Step: Hashable, Sendable {
        /// What was asked for.
        public let key: ServiceKey
        /// Where its registration was written; nil for what is not registered.
        public let location: SourceLocation?
        /// Which parameter of its initializer asked for the next step, counted from zero; nil where a closure asked.
        public let parameter: Int?

        /// Makes a step.
        public init(key: ServiceKey, location: SourceLocation?, parameter: Int? = nil) {
            self.key = key
            self.location = location
            self.parameter = parameter
        }
    }

    /// Something to change in the code that would make the request succeed.
    public struct Suggestion: Hashable, Sendable {
        /// What the suggestion is drawn from, in the order in which they are ranked.
        public enum Kind: Int, Comparable, Sendable, CaseIterable {
            /// The type is registered under another name.
            case otherName
            /// The type and name are registered for other runtime arguments.
            case otherArguments
            /// The key is registered in a container below this one, or beside it.
            case otherContainer
            /// A wrapper of the type is registered, or the type that it wraps.
            case wrapper
            /// A type with a similar name is registered.
            case similarType

            /// Whether the left one is ranked before the right one.
            public static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
        }

        /// What the suggestion is drawn from.
        public let kind: Kind
        /// The key that is registered.
        public let key: ServiceKey
        /// Where it is registered.
        public let location: SourceLocation
        /// The edit in words.
        public let text: String
    }

    /// Which code of a registration threw an error of its own.
    public enum Thrower: Hashable, Sendable, CustomStringConvertible {
        /// The factory.
        case factory
        /// A callback of `initCompleted`: its number in the order in which they were added, counted from zero, and how
        /// many there are.
        case callback(Int, of: Int)

        /// The code in words, numbers counted from one: `callback 2 of 3`.
        public var description: String {
            switch self {
            case .factory: "the factory"
            case .callback(_, of: 1): "the callback"
            case .callback(let index, of: let count): "callback \(index + 1) of \(count)"
            }
        }
    }

    /// A container that was searched in vain.
    public struct SearchedContainer: Hashable, Sendable {
        /// How many parents up from the one that was asked: zero for that one.
        public let level: Int
        /// How many registrations it has.
        public let registrations: Int
    }

    private let storage: Storage

    // A reference, so that an error is one word on its way out through many frames.
    private final class Storage: Sendable {
        let code: Code
        let key: ServiceKey
        let path: [Step]
        let detail: String?
        let underlying: (any Error)?
        let thrownBy: Thrower?
        let suggestions: [Suggestion]
        let searched: [SearchedContainer]

        init(
            _ code: Code,
            _ key: ServiceKey,
            _ path: [Step],
            _ detail: String?,
            _ underlying: (any Error)?,
            _ thrownBy: Thrower?,
            _ suggestions: [Suggestion],
            _ searched: [SearchedContainer]
        ) {
            self.code = code
            self.key = key
            self.path = path
            self.detail = detail
            self.underlying = underlying
            self.thrownBy = thrownBy
            self.suggestions = suggestions
            self.searched = searched
        }
    }

    /// Makes an error; for resolvers with failures of their own.
    ///
    /// - Parameters:
    ///   - code: what kind of failure it is.
    ///   - key: what could not be resolved.
    ///   - path: the requests from the outermost to `key`; when empty, the key alone.
    ///   - detail: a half sentence that says more.
    ///   - underlying: what a factory or a callback threw.
    ///   - thrownBy: which of them it was.
    ///   - suggestions: what to change, best first.
    ///   - searched: the containers that were searched in vain.
    public init(
        _ code: Code,
        key: ServiceKey,
        path: [Step] = [],
        detail: String? = nil,
        underlying: (any Error)? = nil,
        thrownBy: Thrower? = nil,
        suggestions: [Suggestion] = [],
        searched: [SearchedContainer] = []
    ) {
        let path = path.isEmpty ? [Step(key: key, location: nil)] : path
        storage = Storage(code, key, path, detail, underlying, thrownBy, suggestions, searched)
    }

    /// What kind of failure it is.
    public var code: Code { storage.code }

    /// What could not be resolved.
    public var key: ServiceKey { storage.key }

    /// The requests from the outermost to the one that failed, each with the place of its registration.
    public var path: [Step] { storage.path }

    /// More about the failure, where there is more to say.
    public var detail: String? { storage.detail }

    /// What a factory or callback threw.
    public var underlying: (any Error)? { storage.underlying }

    /// Which of them threw it, where that is known.
    public var thrownBy: Thrower? { storage.thrownBy }

    /// At most three things to change, best first.
    public var suggestions: [Suggestion] { storage.suggestions }

    /// The containers that were searched in vain, from the one that was asked upwards.
    public var searched: [SearchedContainer] { storage.searched }
}
