public import DICore

extension WiringReport {
    /// The report as JSON: `version`, `isValid` and `problems`, each with its kind, key, places and requesters.
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
            ("location", .optional(problem.location?.description)),
            ("origin", .optional(problem.origin)),
            ("detail", .optional(problem.detail)),
            ("related", .array(problem.related.map { .string($0.description) })),
            ("relatedLocations", .array(problem.relatedLocations.map { .string($0.description) })),
            ("requesters", .array(problem.requesters.map(json))),
        ])
    }

    private func json(_ requester: Requester) -> JSONText {
        .object([
            ("key", .string(requester.key.description)),
            ("location", .string(requester.location.description)),
            ("origin", .optional(requester.origin)),
        ])
    }
}
