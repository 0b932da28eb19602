import FeedApp
import Foundation

/// The program: puts the app together and runs it.
@main
enum Feeds {
    static func main() async throws {
        let parts = AppAssembly(
            arguments: Array(CommandLine.arguments.dropFirst()),
            environment: ProcessInfo.processInfo.environment
        )
        exit(await Program(try App([parts])).run())
    }
}
