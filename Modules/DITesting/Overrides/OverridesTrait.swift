internal import DICore
public import Testing

/// Replaces services for each test that it is given to; see ``Testing/Trait/overrides(originals:allowsAdditions:fileID:filePath:line:column:_:)``.
public struct OverridesTrait: TestTrait, SuiteTrait, TestScoping {
    fileprivate let originals: Originals
    fileprivate let allowsAdditions: Bool
    fileprivate let place: TestPlace
    fileprivate let overrides: @Sendable (OverriddenContainer) throws -> Void

    /// Yes: each test of a suite has overrides of its own.
    public var isRecursive: Bool { true }

    /// Runs a test with the overrides. Called by Swift Testing.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard let container = CurrentResolver.resolver as? any ContainerProtocol else {
            place.fail(
                "there is no current container to override: put .container(…) before .overrides, or on the suite"
            )
            return try await function()
        }
        try await place.overriding(container, originals, allowsAdditions, overrides) { _ in try await function() }
    }
}

extension Trait where Self == OverridesTrait {
    /// Replaces services of the test's container, which is the current resolver, for a test or for each test of a suite.
    ///
    ///     @Test(.container(AppWiring.container()), .overrides { $0.register((any Clock).self) { _ in StoppedClock() } })
    ///     func midnight() throws {
    ///         let report = try CurrentResolver.get().require(Report.self)
    ///     }
    ///
    /// What is promised is that of `withOverrides`: the container below is not touched, so it may be one that other tests
    /// use at the same time. Overrides of a suite are seen by those of its tests, which replace them again.
    public static func overrides(
        originals: Originals = .all,
        allowsAdditions: Bool = false,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column,
        _ overrides: @escaping @Sendable (OverriddenContainer) throws -> Void
    ) -> Self {
        OverridesTrait(
            originals: originals,
            allowsAdditions: allowsAdditions,
            place: TestPlace(fileID, filePath, line, column),
            overrides: overrides
        )
    }
}
