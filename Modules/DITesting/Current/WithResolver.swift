public import DICore

/// Does something with a resolver of its own, which is current meanwhile and dropped at the end: what the traits do for
/// tests of Swift Testing, for those of XCTest and for a part of a test.
///
///     func testSaving() async throws {
///         try await withResolver(ThreadSafeContainer()) { container in
///             container.register((any Clock).self) { _ in StoppedClock() }
///             …
///         }
///     }
///
/// One that lives on when all is done fails the test, unless `checksRelease` is false; and so does an instance that it has
/// built and kept, other than the result itself. The result must not hold it. An instance that is to live on is registered
/// with `register(_:instance:)`.
nonisolated(nonsending) public func withResolver<Made: Resolver & Sendable, Result>(
    _ make: @autoclosure () throws -> Made,
    checksRelease: Bool = true,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    operation: nonisolated(nonsending) (Made) async throws -> Result
) async rethrows -> Result {
    let place = TestPlace(fileID, filePath, line, column)
    return try await place.withCurrent(checksRelease, { try make() }, { $0 }, operation)
}

/// Does something synchronous with a resolver of its own, which is current meanwhile and dropped at the end.
public func withResolver<Made: Resolver & Sendable, Result>(
    _ make: @autoclosure () throws -> Made,
    checksRelease: Bool = true,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    operation: (Made) throws -> Result
) rethrows -> Result {
    let place = TestPlace(fileID, filePath, line, column)
    let (result, remains) = try { () throws -> (Result, Remains) in
        let made = try make()
        let result = try CurrentResolver.withValue(made) { try operation(made) }
        return (result, Remains(of: made, except: result))
    }()
    place.expectDropped(remains, checksRelease)
    return result
}

extension TestPlace {
    nonisolated(nonsending) func withCurrent<Made, Result>(
        _ checksRelease: Bool,
        _ make: nonisolated(nonsending) () async throws -> Made,
        _ resolver: (Made) -> any Resolver & Sendable,
        _ operation: nonisolated(nonsending) (Made) async throws -> Result
    ) async rethrows -> Result {
        let (result, remains) = try await withMade(make, resolver, operation)
        // A task that was awaited may not have let go of everything yet.
        for _ in 0..<100 where checksRelease && remains.isThere { await Task.yield() }
        expectDropped(remains, checksRelease)
        return result
    }

    // Apart, so that what was made is gone when it returns.
    @inline(never)
    nonisolated(nonsending) private func withMade<Made, Result>(
        _ make: nonisolated(nonsending) () async throws -> Made,
        _ resolver: (Made) -> any Resolver & Sendable,
        _ operation: nonisolated(nonsending) (Made) async throws -> Result
    ) async rethrows -> (Result, Remains) {
        let made = try await make()
        let result = try await CurrentResolver.withValue(resolver(made)) { try await operation(made) }
        return (result, Remains(of: made, except: result))
    }

    fileprivate func expectDropped(_ remains: Remains, _ checksRelease: Bool) {
        guard checksRelease, let survivors = remains.survivorsAtLast else { return }
        let survivor = survivors.description(of: "\(remains.type) of the test")
        fail("\(survivor) lives on after it: \(survivors.holders)")
    }
}

extension CurrentResolver {
    /// The current resolver with its type, such as the container that a trait has made for the test.
    ///
    ///     let container = try CurrentResolver.get(as: ThreadSafeContainer.self)
    ///
    /// Throws `noCurrentResolver` when there is none, and `typeMismatch` when it has another type.
    public static func get<Wanted>(as type: Wanted.Type) throws(ResolutionError) -> Wanted {
        let resolver = try get(for: ServiceKey(serviceType: type))
        if let wanted = resolver as? Wanted { return wanted }
        throw ResolutionError(
            .typeMismatch,
            key: ServiceKey(serviceType: type),
            detail: "the current resolver is of the type \(Swift.type(of: resolver))"
        )
    }
}
