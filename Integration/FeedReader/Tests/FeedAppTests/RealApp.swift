import DIAssembly
import DICore
import FeedApp

/// The app as it ships, with nothing put in the place of anything.
enum RealApp {
    static func assembler() -> Assembler {
        Assembler([AppAssembly(arguments: [], environment: [:])], validation: .always)
    }

    /// Runs a command on the wiring of an app, and gives what it writes. The output is that of the run alone, so the app
    /// is looked at as it is.
    static func look(_ action: Action, at app: Assembler = assembler()) async throws -> String {
        let output = RecordedOutput()
        let run = Assembler([RunAssembly(action: action, wiring: AppWiring(of: app))], parent: app)
        run.apply { $0.register((any TextOutput).self, instance: output) }
        try await run.resolver.require((any Command).self, name: action.command.rawValue).run()
        return output.text
    }
}
