import Testing

/// A failure of an assertion, as the runner was told of it.
struct Failure: Equatable {
    let text: String
    let line: Int?
}

/// The failures of what is expected to fail. When nothing does, that is a failure of the test.
func failures(of body: () throws -> some Any) -> [Failure] {
    let collected = Collected()
    withKnownIssue {
        do {
            _ = try body()
        } catch {
            Issue.record(error)
        }
    } matching: {
        collected.add($0)
    }
    return collected.failures
}

/// The failures of what is asynchronous and expected to fail.
func failures(of body: () async throws -> some Any) async -> [Failure] {
    let collected = Collected()
    await withKnownIssue {
        do {
            _ = try await body()
        } catch {
            Issue.record(error)
        }
    } matching: {
        collected.add($0)
    }
    return collected.failures
}

private final class Collected: @unchecked Sendable {
    // Unchecked: issues of one known issue are told one after the other here, as nothing is done in parallel.
    private(set) var failures: [Failure] = []

    func add(_ issue: Issue) -> Bool {
        failures.append(
            Failure(text: issue.comments.map(\.rawValue).joined(separator: "\n"), line: issue.sourceLocation?.line)
        )
        return true
    }
}
