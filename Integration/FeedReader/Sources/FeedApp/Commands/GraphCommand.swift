import DILogging

/// Draws the wiring of the app.
struct GraphCommand: Command {
    let request: GraphRequest
    let wiring: AppWiring
    let output: any TextOutput

    func run() async throws {
        let picture = try wiring.picture(of: request)
        let text =
            switch request.format {
            case .mermaid: picture.mermaid
            case .dot: picture.dot
            case .json: picture.json
            }
        try output.writeLines(text)
    }
}
