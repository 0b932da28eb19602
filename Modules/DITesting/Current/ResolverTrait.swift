public import DICore
public import Testing

/// Gives each test a resolver of its own; see ``Testing/Trait/container(_:checksRelease:fileID:filePath:line:column:setUp:)``.
public struct ResolverTrait: TestTrait, SuiteTrait, TestScoping {
    fileprivate let checksRelease: Bool
    fileprivate let place: TestPlace
    fileprivate let make: @Sendable () async throws -> any Resolver & Sendable

    /// Yes: each test of a suite has a resolver of its own, and so has each case of a test with arguments.
    public var isRecursive: Bool { true }

    /// Runs a test with its resolver. Called by Swift Testing.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await place.withCurrent(checksRelease, make, { $0 }) { _ in try await function() }
    }
}

extension Trait where Self == ResolverTrait {
    /// Gives each test a container of its own, made when it begins and dropped when it ends.
    ///
    ///     @Suite(.container(ThreadSafeContainer()) { container in
    ///         container.register((any Clock).self, scope: .container) { _ in StoppedClock() }
    ///     })
    ///     struct EditorTests {
    ///         @Injected var clock: any Clock
    ///
    ///         @Test func savesOften() throws {
    ///             let editor = try CurrentResolver.get().require(Editor.self)
    ///         }
    ///     }
    ///
    /// The container is the current resolver for the test and its child tasks; so injected properties are filled from it,
    /// those of the suite included, and tests that run in parallel cannot see each other's. Each case of a test with
    /// arguments has its own. `CurrentResolver.get(as: ThreadSafeContainer.self)` gives it with its type.
    ///
    /// One that lives on when its test has ended fails the test, and so does an instance that it has built and kept: a task
    /// that was not awaited, or an object that holds itself, would carry something into the next. An instance that is to
    /// live on is registered with `register(_:instance:)`. An inner trait takes precedence.
    ///
    /// - Parameters:
    ///   - make: makes the container, anew for each test.
    ///   - checksRelease: whether one that lives on, or an instance that it kept, fails the test.
    ///   - fileID: the module and the file of the call, for failures.
    ///   - filePath: the path of that file.
    ///   - line: the line of the call.
    ///   - column: its column.
    ///   - setUp: registers what the tests need.
    public static func container<Container: ContainerProtocol & Sendable>(
        _ make: @autoclosure @escaping @Sendable () throws -> Container,
        checksRelease: Bool = true,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column,
        setUp: @escaping @Sendable (Container) throws -> Void = { _ in }
    ) -> Self {
        ResolverTrait(checksRelease: checksRelease, place: TestPlace(fileID, filePath, line, column)) {
            let container = try make()
            try setUp(container)
            return container
        }
    }

    /// Gives each test a resolver of its own, made by a closure: for plain containers and resolvers of your own.
    ///
    ///     @Test(.resolver { @MainActor in ConfinedResolver(AppWiring.mainActorContainer()) })
    ///     @MainActor func title() { … }
    ///
    /// As with a container, except that overrides need one. A plain container goes in through a `ConfinedResolver` of
    /// DIWrappers, made on the actor of the test, or as `synchronize()` of DIThreadSafe. What is looked at when the test
    /// has ended is what the closure has returned, not what that stands for.
    public static func resolver(
        checksRelease: Bool = true,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column,
        _ make: @escaping @Sendable () async throws -> any Resolver & Sendable
    ) -> Self {
        ResolverTrait(checksRelease: checksRelease, place: TestPlace(fileID, filePath, line, column), make: make)
    }
}
