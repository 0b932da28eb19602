import DICore
import DILogging

/// Checks the wiring of the app, and says what is wrong with it.
struct DoctorCommand: Command {
    let format: ReportFormat
    let wiring: AppWiring
    let output: any TextOutput

    /// Throws `WiringFault` when something is wrong, so that the exit code tells.
    func run() async throws {
        let report = wiring.report
        switch format {
        case .text: try output.write(report.description)
        case .json: try output.writeLines(report.json)
        }
        if !report.isValid { throw WiringFault(count: report.problems.count { !$0.kind.isAdvice }) }
    }
}
