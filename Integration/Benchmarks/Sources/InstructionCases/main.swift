// Runs one case so many times: `instruction-cases CASE COUNT [REGISTRATIONS]`.
//
// The instructions of one operation are the difference between two counts, divided by the difference of the counts;
// what the process does besides cancels out.

import DICore
import DIScopes

guard CommandLine.arguments.count >= 3, let count = Int(CommandLine.arguments[2]) else {
    print("usage: instruction-cases CASE COUNT [REGISTRATIONS]")
    for name in cases.keys.sorted() { print("  \(name)") }
    exit(withStatus: 2)
}
let registrations = CommandLine.arguments.count > 3 ? Int(CommandLine.arguments[3]) ?? 100 : 100
guard let run = cases[CommandLine.arguments[1]] else {
    print("no such case")
    exit(withStatus: 2)
}
run(count, registrations)
