internal import Synchronization

/// The resolver that is asked where none is at hand: by `@Injected` properties, and by code far from where containers are.
///
///     @main struct Reader {
///         static func main() throws {
///             let container = ThreadSafeContainer()
///             …
///             try CurrentResolver.bootstrap(container)
///         }
///     }
///
/// A process has one default, set once at its start. A task may have another for itself and its child tasks, which is how
/// tests run in parallel without seeing each other:
///
///     try CurrentResolver.withValue(container) {
///         let store = FeedStore()      // its injected properties come from the container
///     }
///
/// Pass resolvers where you can, and ask here where you cannot. A plain container goes in through a `ConfinedResolver` of DIWrappers.
///
/// - Complexity: reading it is reading a task-local value, and costs as much as several resolves.
public enum CurrentResolver {
    @TaskLocal private static var override: (any Resolver & Sendable)?

    private static let installed = AtomicReference<Installed>(nil)

    private final class Installed: Sendable {
        let resolver: any Resolver & Sendable
        let location: SourceLocation

        init(_ resolver: any Resolver & Sendable, _ location: SourceLocation) {
            self.resolver = resolver
            self.location = location
        }
    }

    /// Sets the default of the process. To be called once, at its start.
    ///
    /// Throws `alreadyBootstrapped` when there is a default, with the place of the first call; the default stays.
    public static func bootstrap(
        _ resolver: any Resolver & Sendable,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(ResolutionError) {
        let place = RegistrationPlace(fileID: fileID, line: UInt32(clamping: line))
        let fresh = Installed(resolver, place.location)
        let current = installed.objectOrMade(fresh)
        guard current !== fresh else { return }
        throw ResolutionError(
            .alreadyBootstrapped,
            key: ServiceKey(serviceType: CurrentResolver.self),
            detail: "it was set at \(current.location)"
        )
    }

    /// The resolver of the task or, failing that, the default of the process; nil when there is neither.
    public static var resolver: (any Resolver & Sendable)? {
        override ?? installed.object?.resolver
    }

    /// The resolver, or the error that says how to set one.
    ///
    /// - Parameter key: what is wanted of it, for the error.
    public static func get(
        for key: ServiceKey = ServiceKey(serviceType: (any Resolver).self)
    ) throws(ResolutionError) -> any Resolver & Sendable {
        guard let resolver else { throw ResolutionError(.noCurrentResolver, key: key) }
        return resolver
    }

    /// Calls the operation with another resolver for the calling task and the child tasks that it begins.
    public static func withValue<Result>(
        _ resolver: any Resolver & Sendable,
        operation: () throws -> Result
    ) rethrows -> Result {
        try $override.withValue(resolver, operation: operation)
    }

    /// Calls the asynchronous operation with another resolver for the calling task and the child tasks that it begins.
    nonisolated(nonsending) public static func withValue<Result>(
        _ resolver: any Resolver & Sendable,
        operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await $override.withValue(resolver, operation: operation)
    }
}
