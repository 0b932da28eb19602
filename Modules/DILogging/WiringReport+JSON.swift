public import DICore

extension WiringReport {
    /// The report as JSON: `version`, `isValid` and `problems`, each with its kind, key, place and requesters,
    /// the other registrations that belong to it, and the ways to captives.
    public var json: String {
        JSONText.object([
            ("version", .number(1)),
            ("isValid", .bool(isValid)),
            ("problems", .array(problems.map(json))),
        ]).text() + "\n"
    }

    private func json(_ problem: Problem) -> JSONText {
        .object([
            ("kind", .string(problem.kind.rawValue)),
            ("isAdvice", .bool(problem.kind.isAdvice)),
            ("key", .string(problem.key.description)),
            ("module", .optional(problem.location?.module)),
            ("location", .optional(problem.location?.description)),
            ("origin", .optional(problem.origin)),
            ("detail", .optional(problem.detail)),
            ("related", .array(problem.related.map(json))),
            ("ways", .array(problem.ways.map { .array($0.map(json)) })),
            ("requesters", .array(problem.requesters.map(json))),
        ])
    }

    private func json(_ registration: Registration) -> JSONText {
        json(registration.key, registration.location, registration.origin)
    }

    private func json(_ requester: Requester) -> JSONText {
        json(requester.key, requester.location, requester.origin)
    }

    private func json(_ key: ServiceKey, _ location: SourceLocation, _ origin: String?) -> JSONText {
        .object([
            ("key", .string(key.description)),
            ("module", .string(location.module)),
            ("location", .string(location.description)),
            ("origin", .optional(origin)),
        ])
    }
}
