public import DICore

/// Replaces services of a container that threads share while something is done.
///
///     withOverrides(of: container) { overrides in
///         overrides.register((any Clock).self) { _ in StoppedClock() }
///     } operation: { container in
///         let editor = container.resolve(Editor.self)      // has the stopped clock
///     }
///
/// The operation is given a container over the one that was named, which is the current resolver meanwhile, for the task
/// and its child tasks. The container below is not touched, whatever happens: others that use it, other tests in
/// parallel above all, see nothing, and a task that outlives the scope goes on seeing the overrides. Ask the one that the
/// operation is given; the container below answers without overrides, as ever.
///
/// What the container below keeps is built and kept again for the operation, when it is asked for, with the overrides,
/// and goes when the operation and all that it has left behind are over. Instances from before are not seen in it, apart
/// from those that were registered as instances, and are there again after it.
///
/// An override whose key matches no registration fails the test, with what is registered of its type. Overrides that are
/// not `Sendable` are registered with `registerUnshared`.
///
/// - Parameters:
///   - container: has the registrations to replace.
///   - originals: what may be resolved as it is. With `.only` or `.none`, all else that is resolved fails the test when
///     the operation is over, with who asked for it. It is resolved all the same.
///   - allowsAdditions: whether an override may match no registration.
///   - fileID: the module and the file of the call, for failures.
///   - filePath: the path of that file.
///   - line: the line of the call.
///   - column: its column.
///   - overrides: registers what replaces others.
///   - operation: what is done meanwhile.
/// - Returns: what the operation returns. What it throws is thrown on.
public func withOverrides<Base: ContainerProtocol & Sendable, Result>(
    of container: Base,
    originals: Originals = .all,
    allowsAdditions: Bool = false,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ overrides: (OverriddenContainer) throws -> Void,
    operation: (OverriddenContainer) throws -> Result
) rethrows -> Result {
    let place = TestPlace(fileID, filePath, line, column)
    let overridden = OverriddenContainer(over: container)
    let check = try OverrideCheck(container, originals, allowsAdditions, place, overridden, overrides)
    defer { check.end(overridden) }
    return try CurrentResolver.withValue(overridden) { try operation(overridden) }
}

/// Replaces services of a container that threads share while something asynchronous is done.
nonisolated(nonsending) public func withOverrides<Base: ContainerProtocol & Sendable, Result>(
    of container: Base,
    originals: Originals = .all,
    allowsAdditions: Bool = false,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ overrides: (OverriddenContainer) throws -> Void,
    operation: nonisolated(nonsending) (OverriddenContainer) async throws -> Result
) async rethrows -> Result {
    let place = TestPlace(fileID, filePath, line, column)
    return try await place.overriding(container, originals, allowsAdditions, overrides, operation)
}

/// Replaces services of a plain container while something is done.
///
///     withOverrides(of: container) { overrides in
///         overrides.register((any Clock).self) { _ in StoppedClock() }
///     } operation: { container in
///         let editor = container.resolve(Editor.self)
///     }
///
/// As with one that threads share, except that the operation's container is not made the current resolver, since it must
/// not leave the caller's isolation domain. Where properties are injected, run on an actor, and use
/// `CurrentResolver.withValue(ConfinedResolver(container))` of DIWrappers inside.
public func withOverrides<Result>(
    of container: Container,
    originals: Originals = .all,
    allowsAdditions: Bool = false,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ overrides: (Container) throws -> Void,
    operation: (Container) throws -> Result
) rethrows -> Result {
    let place = TestPlace(fileID, filePath, line, column)
    let overridden = container.createChild(sharing: .none)
    let check = try OverrideCheck(container, originals, allowsAdditions, place, overridden, overrides)
    defer { check.end(overridden) }
    return try operation(overridden)
}

/// Replaces services of a plain container while something asynchronous is done.
nonisolated(nonsending) public func withOverrides<Result>(
    of container: Container,
    originals: Originals = .all,
    allowsAdditions: Bool = false,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ overrides: (Container) throws -> Void,
    operation: nonisolated(nonsending) (Container) async throws -> Result
) async rethrows -> Result {
    let place = TestPlace(fileID, filePath, line, column)
    let overridden = container.createChild(sharing: .none)
    let check = try OverrideCheck(container, originals, allowsAdditions, place, overridden, overrides)
    defer { check.end(overridden) }
    return try await operation(overridden)
}

extension TestPlace {
    /// Replaces services of a container that is `Sendable`.
    nonisolated(nonsending) func overriding<Result>(
        _ container: any ContainerProtocol,
        _ originals: Originals,
        _ allowsAdditions: Bool,
        _ overrides: (OverriddenContainer) throws -> Void,
        _ operation: nonisolated(nonsending) (OverriddenContainer) async throws -> Result
    ) async rethrows -> Result {
        let overridden = OverriddenContainer(over: container)
        let check = try OverrideCheck(container, originals, allowsAdditions, self, overridden, overrides)
        defer { check.end(overridden) }
        return try await CurrentResolver.withValue(overridden) { try await operation(overridden) }
    }
}
