extension ResolutionError {
    /// The error as plain strings, for logs and for sending elsewhere.
    public struct Snapshot: Codable, Hashable, Sendable {
        /// The code.
        public let code: String
        /// What could not be resolved.
        public let key: String
        /// The requests from the outermost to the one that failed.
        public let path: [Step]
        /// More about the failure.
        public let detail: String?
        /// What a factory or callback threw.
        public let underlying: String?
        /// Which of them threw it, in words, where that is known.
        public let thrownBy: String?
        /// What to change, best first.
        public let suggestions: [String]
        /// The whole text.
        public let text: String

        /// One request.
        public struct Step: Codable, Hashable, Sendable {
            /// What was asked for.
            public let key: String
            /// Where it is registered.
            public let location: String?
            /// Which parameter of its initializer asked for the next step, counted from zero.
            public let parameter: Int?
        }
    }

    /// The error as plain strings.
    public var snapshot: Snapshot {
        Snapshot(
            code: code.rawValue,
            key: key.description,
            path: path.map {
                .init(key: $0.key.description, location: $0.location?.description, parameter: $0.parameter)
            },
            detail: detail,
            underlying: underlying.map { "\($0)" },
            thrownBy: thrownBy.map { "\($0)" },
            suggestions: suggestions.map(\.text),
            text: description
        )
    }
}
