internal import Synchronization

extension Threads {
    /// Runs the body on one thread with a stack of a known size, and gives what it returns.
    public static func result<Value: Sendable>(stack: Int = 8 << 20, of body: @escaping @Sendable () -> Value) -> Value
    {
        let result = ResultBox<Value>()
        run(stack: stack) { result.value.withLock { $0 = body() } }
        return result.value.withLock { $0! }
    }

    private final class ResultBox<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}
