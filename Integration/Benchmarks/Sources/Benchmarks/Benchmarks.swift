// Runs cases and says what it found, one a line, with tabs between the columns. `run` and `check` call it.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@main
enum Benchmarks {
    private static let usage = """
        usage: benchmarks list                                 the cases, what each is compared with, what it is there for
               benchmarks time [--repetitions N] [CASE ...]    the least and the median nanoseconds of an operation
               benchmarks count CASE [REGISTRATIONS ...]       runs it under callgrind; prints sizes and operations
               benchmarks bytes                                the bytes of a registration
               benchmarks scaling                              what two threads get done that share a container
        """

    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        switch arguments.popFirst() {
        case "list":
            for test in Case.all {
                print(test.name, test.direct ?? "-", test.makesObjects, test.role, separator: "\t")
            }
        case "time":
            var repetitions = 9
            if arguments.first == "--repetitions" {
                guard let number = arguments.dropFirst().first.flatMap({ Int($0) }), number > 0 else { end(usage) }
                repetitions = number
                arguments = arguments.dropFirst(2)
            }
            time(named(Array(arguments)), repetitions)
        case "count":
            guard let name = arguments.popFirst() else { end(usage) }
            count(named([name])[0], sizes: arguments.compactMap { Int($0) })
        case "bytes":
            for one in Bytes.all { print(one.name, one.bytes, separator: "\t") }
        case "scaling":
            Scaling.report()
        default:
            end(usage)
        }
    }

    private static func end(_ message: String) -> Never {
        print(message)
        exit(2)
    }

    /// The cases with these names, in their order; all if there are none.
    private static func named(_ names: [String]) -> [Case] {
        let all = Case.all
        for name in names where !all.contains(where: { $0.name == name }) { end("there is no case \(name)") }
        return names.isEmpty ? all : all.filter { names.contains($0.name) }
    }

    private static func count(_ test: Case, sizes: [Int]) {
        for size in sizes.isEmpty ? test.sizes : sizes {
            let measurement = Measurement(.counting, registrations: size)
            test.run(measurement)
            print(size, measurement.operations, separator: "\t")
        }
    }

    /// The order changes with each repetition, so that no case always has the caches as the same other one has left them,
    /// and what the machine does besides does not fall on one case alone.
    private static func time(_ cases: [Case], _ repetitions: Int) {
        var times = cases.map { _ in [Double]() }
        for _ in 0..<repetitions {
            for index in cases.indices.shuffled() {
                let measurement = Measurement(.timing, registrations: cases[index].sizes[0])
                cases[index].run(measurement)
                times[index].append(measurement.nanoseconds / Double(measurement.operations))
            }
        }
        for (test, times) in zip(cases, times) {
            let sorted = times.sorted()
            print(test.name, sorted[0], sorted[sorted.count / 2], separator: "\t")
        }
    }
}
