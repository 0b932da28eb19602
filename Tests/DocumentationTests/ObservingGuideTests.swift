import DICore
import DILogging
import DIScopes
import Testing

private struct Store {}
private struct Client { let store: Store }
private struct Screen {
    let store: Store
    let client: Client
}

@Suite("Guide: observing", .serialized)
struct ObservingGuideTests {
    @Test("An observer is told what it is interested in")
    func observer() throws {
        // sample: observing-observer
        final class FailureCounter: ResolutionObserver {
            let interests: ResolutionInterests = .failures
            private(set) var codes: [ResolutionError.Code] = []

            func observe(_ event: ResolutionEvent) {
                guard case .failed(let error) = event.kind else { return }
                codes.append(error.code)
            }
        }

        let container = Container()
        let failures = FailureCounter()
        container.addObserver(failures)
        _ = container.resolve(String.self)  // nil, and the observer knows why
        // end sample
        #expect(failures.codes == [.notRegistered])
    }

    @Test("A logger at the level trace writes a tree of each resolve")
    func trace() throws {
        let container = Container()
        container.register(Store.self, scope: .container) { _ in Store() }
        container.autoregister(Client.self, initializer: Client.init)
        container.autoregister(Screen.self, initializer: Screen.init)
        var texts: [String] = []
        // sample: observing-trace
        container.addObserver(
            ContainerLogger(level: .trace) { _, text in
                texts.append(text)
            }
        )
        _ = try container.require(Screen.self)
        // end sample
        let text = Output.withoutDurations(texts.joined(separator: "\n"))
        #expect(try Documents.block(labelled: "output: observing-trace") == text)
    }

    @Test("A logger can be left at its standard level")
    func logger() throws {
        let container = Container()
        // sample: observing-logger
        container.addObserver(ContainerLogger())
        // end sample
        #expect(LogLevel.standard <= .warning)
    }

    @Test("The failures of the process go to one function")
    func process() throws {
        let container = Container()
        // sample: observing-process
        Container.loggingFunction = { print($0) }
        // end sample
        defer { Container.loggingFunction = nil }
        #expect(Container.loggingFunction != nil)
        #expect(container.resolve(String.self) == nil)
    }

    @Test("A behaviour configures each registration")
    func behavior() throws {
        // sample: observing-behavior
        final class Counting: Behavior {
            var built: [String] = []

            func container<Type, Service>(
                _ container: Container,
                didRegisterType type: Type.Type,
                toService entry: ServiceEntry<Service>,
                withName name: String?
            ) {
                entry.initCompleted { [self] _, _ in built.append("\(type)") }
            }
        }

        let counting = Counting()
        let container = Container(behaviors: [counting])
        container.register(Int.self) { _ in 7 }
        _ = container.resolve(Int.self)
        // end sample
        #expect(counting.built == ["Int"])
    }

    @Test("An error says what was asked, on which path, and what may have been meant")
    func missing() throws {
        // sample: observing-error
        struct Report { let title: String }

        let container = Container()
        container.register(String.self, name: "title") { _ in "Yearly figures" }
        container.register(Report.self) { r in Report(title: try r.require(String.self, name: "tilte")) }
        do {
            _ = try container.require(Report.self)
        } catch {
            print(error)
        }
        // end sample
        let error = try #require(throws: ResolutionError.self) { try container.require(Report.self) }
        #expect(try Documents.block(labelled: "output: observing-error") == Output.withoutPlaces(error))
    }
}
