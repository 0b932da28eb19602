import DICore
import DILogging
import DITestSupport
import Testing

@Suite("Log sinks")
struct LogSinkTests {
    @Test("The standard sink writes each text to standard error with its level")
    func standardError() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            LogSinks.standardError(.warning, "first\n  second line")
            LogSinks.standardError(.trace, "Ünïcode → text")
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains("[di] warning: first\n  second line\n[di] trace: Ünïcode → text\n"))
    }

    @Test("A text of any length is written whole")
    func longText() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            LogSinks.standardError(.info, String(repeating: "long text ", count: 2_000) + "end")
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains("[di] info: " + String(repeating: "long text ", count: 2_000) + "end\n"))
    }

    @Test("A logger without a sink writes to standard error")
    func defaultSink() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let box = Container()
            box.addObserver(ContainerLogger(level: .error))
            _ = box.resolve(Int.self, name: "missing")
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains("[di] error: [notRegistered] Int named \"missing\" is not registered\n"))
    }
}
