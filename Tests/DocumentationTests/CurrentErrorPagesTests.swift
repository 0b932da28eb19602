import DICore
import DIThreadSafe
import Testing

@Suite("The pages of the errors of the current resolver")
struct CurrentErrorPagesTests {
    @Test("noCurrentResolver")
    func noCurrentResolver() throws {
        let error = try #require(throws: ResolutionError.self) {
            // sample: error-no-current-resolver
            _ = try CurrentResolver.get()
            // end sample
        }
        try Output.expect("error-no-current-resolver", Output.withoutPlaces(error))
        #expect(error.code == .noCurrentResolver)
    }

    // In a process of its own, since the default is that of the process.
    @Test("alreadyBootstrapped")
    func alreadyBootstrapped() async {
        await #expect(processExitsWith: .success) {
            let error = try #require(throws: ResolutionError.self) {
                // sample: error-already-bootstrapped
                try CurrentResolver.bootstrap(ThreadSafeContainer())
                try CurrentResolver.bootstrap(ThreadSafeContainer())
                // end sample
            }
            try Output.expect("error-already-bootstrapped", Output.withoutPlaces(error))
            #expect(error.code == .alreadyBootstrapped)
        }
    }
}
