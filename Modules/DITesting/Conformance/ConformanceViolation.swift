/// A promise of `Docs/Behaviours.md` or of a protocol that a conformance suite has found broken.
public struct ConformanceViolation: Sendable, Hashable, CustomStringConvertible {
    /// The promise in words, with its number where it has one.
    public let promise: String

    /// What was found in its place.
    public let found: String

    /// The promise and what was found.
    public var description: String { "\(promise): \(found)" }
}

/// Collects what a suite finds.
struct ConformanceLog {
    private(set) var violations: [ConformanceViolation] = []

    /// Notes a violation unless the condition holds.
    mutating func expect(_ isKept: Bool, _ promise: String, else found: @autoclosure () -> String) {
        if !isKept { violations.append(ConformanceViolation(promise: promise, found: found())) }
    }

    /// Notes a violation if the part of the suite throws.
    mutating func part(_ promise: String, _ body: (inout ConformanceLog) throws -> Void) {
        do {
            try body(&self)
        } catch {
            violations.append(ConformanceViolation(promise: promise, found: "failed with\n\(indented("\(error)"))"))
        }
    }

    /// Adds what another suite has found.
    mutating func add(_ others: [ConformanceViolation]) {
        violations += others
    }
}

extension TestPlace {
    /// Fails the test with all that a suite has found.
    func expectNone(_ violations: [ConformanceViolation], of subject: String) {
        if violations.isEmpty { return }
        let count = violations.count == 1 ? "a promise" : "\(violations.count) promises"
        fail("\(subject) breaks \(count):\n" + violations.map { indented("\($0)") }.joined(separator: "\n"))
    }
}
