// What `thread-sanitizer` runs before it believes the sanitizer: a race that it must find and a contended mutex that it
// must not take for one.

import Synchronization

struct Unprotected: @unchecked Sendable {
    let value = UnsafeMutablePointer<Int>.allocate(capacity: 1)
}

@main
enum Canary {
    static let protected = Mutex<[Int]>([])

    static func main() async {
        let unprotected = Unprotected()
        unprotected.value.initialize(to: 0)
        let races = CommandLine.arguments.contains("race")
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for _ in 0..<2000 {
                        if races { unprotected.value.pointee += 1 }
                        protected.withLock { values in
                            values.append(task)
                            if values.count > 100 { values.removeAll() }
                        }
                    }
                }
            }
        }
        print("alive")
    }
}
