// What `thread-sanitizer` runs before it believes the sanitizer: a race that it must find and a contended mutex that it
// must not take for one.

import Foundation
import Synchronization

struct Unprotected: @unchecked Sendable {
    let value = UnsafeMutablePointer<Int>.allocate(capacity: 1)
}

@main
enum Canary {
    static let protected = Mutex<[Int]>([])

    static func main() {
        let unprotected = Unprotected()
        unprotected.value.initialize(to: 0)
        let races = CommandLine.arguments.contains("race")
        // Threads of their own: tasks may all run on one, and then there is no race to be found.
        let ended = DispatchSemaphore(value: 0)
        for number in 0..<4 {
            Thread {
                if races { unprotected.value.pointee += 1 }
                for _ in 0..<2000 {
                    protected.withLock { values in
                        values.append(number)
                        if values.count > 100 { values.removeAll() }
                    }
                }
                ended.signal()
            }.start()
        }
        for _ in 0..<4 { ended.wait() }
        print("alive")
    }
}
