internal import DICore

extension RecursiveLock {
    func view(of container: Container) -> any Resolver & Sendable { container.synchronize() }
}
