import Dispatch

/// Runs what a case wants measured, and says how often it ran.
final class Measurement {
    enum Kind: Equatable {
        /// Runs it in `measured(_:_:)`, where the tool that counts instructions looks.
        case counting
        /// Runs it for some milliseconds and takes the time.
        case timing
    }

    private let kind: Kind

    /// How many registrations the container of the case should have.
    let registrations: Int

    /// How often the operation was run.
    private(set) var operations = 0

    /// How long that took, in nanoseconds.
    private(set) var nanoseconds = 0.0

    init(_ kind: Kind, registrations: Int) {
        self.kind = kind
        self.registrations = registrations
    }

    /// Measures an operation that can be repeated.
    ///
    /// - Parameters:
    ///   - count: how often it is run where instructions are counted, after a tenth of that to warm up.
    ///   - body: runs the operation so many times. The loop is in there, so that it is compiled with the operation.
    func loop(count: Int = 400, _ body: (Int) -> Void) {
        withBody(body) {
            switch kind {
            case .counting:
                run(count / 10)
                operations = count
                measured(self)
            case .timing:
                time()
            }
        }
    }

    /// Measures an operation that uses up what was prepared for it.
    ///
    /// - Parameters:
    ///   - count: how many operations `body` runs.
    ///   - prepare: makes what one run of `body` uses up. Not measured, nor is its end.
    ///   - body: runs the operation so many times.
    func once<State>(count: Int, prepare: () -> State, _ body: (State) -> Void) {
        // What is done once in a process is nothing among so many.
        if count < 10_000 { body(prepare()) }
        repeat {
            let state = prepare()
            operations += count
            withBody { _ in
                body(state)
            } _: {
                switch kind {
                case .counting: measured(self)
                case .timing: nanoseconds += elapsed { run(count) }
                }
            }
            withExtendedLifetime(state) {}
        } while kind == .timing && nanoseconds < Measurement.shortest
    }

    /// Times an operation that runs on several threads at once. The time of one operation is that of all of them divided
    /// by what all threads have done.
    func threads(_ threads: Int, _ body: @Sendable (_ thread: Int, _ count: Int) -> Void) {
        withBody { count in
            DispatchQueue.concurrentPerform(iterations: threads) { body($0, count) }
        } _: {
            time()
        }
        operations *= threads
    }

    // MARK: Running

    /// What is measured. It is kept here and called from here, so that the optimizer cannot make a copy of what calls it
    /// for each body: then there would be no one function in which callgrind is to count.
    private var body: ((Int) -> Void)?

    private func withBody(_ body: (Int) -> Void, _ action: () -> Void) {
        withoutActuallyEscaping(body) { body in
            self.body = body
            action()
            self.body = nil
        }
    }

    fileprivate func run(_ count: Int) { body?(count) }

    // MARK: Time

    private static let shortest = 1e6
    private static let wanted = 5e6

    /// Finds out how often the body has to run, which also warms it up, and takes the time of that.
    private func time() {
        // Twice each, since another process may take the processor away meanwhile, which makes little look like much.
        func needed(_ count: Int) -> Double {
            min(elapsed { run(count) }, elapsed { run(count) })
        }
        var count = 1
        var time = needed(count)
        while time < Measurement.shortest {
            count *= 4
            time = needed(count)
        }
        operations = max(1, Int(Double(count) * Measurement.wanted / time))
        nanoseconds = elapsed { run(operations) }
    }

    private func elapsed(_ body: () -> Void) -> Double {
        let start = ContinuousClock.now
        body()
        let time = start.duration(to: .now).components
        return Double(time.seconds) * 1e9 + Double(time.attoseconds) * 1e-9
    }
}

/// Runs what is to be measured: what runs in here is counted.
///
/// It has a name of its own in the program, by which callgrind is told to count in it alone, and is not optimized, so that
/// it is called.
@_silgen_name("di_measured")
@inline(never)
@_optimize(none)
func measured(_ measurement: Measurement) { measurement.run(measurement.operations) }

/// Keeps a result alive and unknown to the optimizer.
@inline(never)
@_optimize(none)
func use(_ object: AnyObject?) {}
