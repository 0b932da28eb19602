import DIAssembly
import DICore
import FeedApp

/// The app as it ships, with nothing put in the place of anything.
enum RealApp {
    static func app(_ more: [any SendableAssembly] = []) throws -> App {
        try App([AppAssembly(arguments: [], environment: [:])] + more, validation: .always) {
            ConfinedAssembly(over: $0)
        }
    }

    static func assembler() throws -> Assembler { try app().assembler }

    /// Runs a command on the wiring of an app, and gives what it writes. The output is that of the run alone, so the app
    /// is looked at as it is.
    static func look(_ action: Action, at app: Assembler? = nil) async throws -> String {
        let app = try app ?? assembler()
        let output = RecordedOutput()
        let run = Assembler([RunAssembly(action: action, wiring: AppWiring(of: app))], parent: app)
        run.apply { $0.register((any TextOutput).self, instance: output) }
        try await run.resolver.require((any Command).self, name: action.command.rawValue).run()
        return output.text
    }
}
