import DIAssembly
import DICore
import DILogging
import DIThreadSafe
import FeedModel

/// One run of the reader, from the arguments to the exit code.
public struct Program {
    private let app: App

    /// Takes the app.
    public init(_ app: App) {
        self.app = app
    }

    /// Does what the arguments say, and gives the exit code.
    ///
    /// Whatever goes wrong is one line in the output for errors. The command gets a container of its own, which ends
    /// with it.
    public func run() async -> Int32 {
        // Without an output for errors there is nobody to tell.
        guard let errors = app.assembler.resolver.resolve((any TextOutput).self, name: OutputName.errors) else {
            return ExitCode.failure.rawValue
        }
        do {
            return try await perform(errors).rawValue
        } catch {
            return complain(of: error, errors).rawValue
        }
    }

    private func perform(_ errors: any TextOutput) async throws -> ExitCode {
        let invocation = try app.assembler.resolver.require(Invocation.self)
        // At the bottom, so that it sees the units of work and what they share as well.
        if invocation.isTraced { app.shared.addObserver(ContainerLogger.trace(to: errors)) }
        let run = RunAssembly(action: invocation.action, wiring: AppWiring(of: app.assembler))
        let scope = Assembler([run], parent: app.assembler).resolver
        try await scope.require((any Command).self, name: invocation.action.command.rawValue).run()
        let failures = try scope.require(RefreshJournal.self).failures
        for failure in failures { complain(of: failure.error, errors) }
        return failures.isEmpty ? .success : .failure
    }

    @discardableResult
    private func complain(of error: any Error, _ errors: any TextOutput) -> ExitCode {
        let failure = Failure(error)
        // Nothing can be done about an output that fails at this; the exit code tells.
        try? errors.write("feeds: \(failure.text)")
        return failure.exitCode
    }
}
