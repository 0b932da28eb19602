/// Says how the program is used.
struct HelpCommand: Command {
    let output: any TextOutput

    func run() async throws {
        try output.write(HelpText.text)
    }
}
