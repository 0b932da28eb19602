public import DICore

/// Expects that a service is constructed a number of times while something is done.
///
///     try expectConstructed(Database.self, times: 1, in: container) {
///         _ = try container.require(Importer.self)
///         _ = try container.require(Exporter.self)
///     }
///
/// Counts what factories of the service made under the name, whatever the runtime arguments, in the container, its
/// children, and on any thread. What was there already does not count. For a forwarded type the original counts.
///
/// Follows every resolve of the container tree meanwhile, which costs it its fast path.
///
/// - Returns: what the body returns. What it throws is thrown on, and nothing is expected then.
@discardableResult
public func expectConstructed<Service, Result>(
    _ serviceType: Service.Type,
    name: String? = nil,
    times count: Int,
    in container: any ContainerProtocol,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    while body: () throws -> Result
) rethrows -> Result {
    let recorder = ResolutionRecorder()
    let result = try recorder.record(container, while: body)
    let place = TestPlace(fileID, filePath, line, column)
    place.expect(recorder.constructions(of: serviceType, name, in: container), times: count, of: serviceType, name)
    return result
}

/// Expects that a service is constructed a number of times while something asynchronous is done.
@discardableResult
nonisolated(nonsending) public func expectConstructed<Service, Result>(
    _ serviceType: Service.Type,
    name: String? = nil,
    times count: Int,
    in container: any ContainerProtocol,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    while body: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
    let recorder = ResolutionRecorder()
    let result = try await recorder.record(container, while: body)
    let place = TestPlace(fileID, filePath, line, column)
    place.expect(recorder.constructions(of: serviceType, name, in: container), times: count, of: serviceType, name)
    return result
}

extension TestPlace {
    fileprivate func expect(_ found: Int, times wanted: Int, of serviceType: Any.Type, _ name: String?) {
        if found == wanted { return }
        let key = ServiceKey(serviceType: serviceType, name: name)
        fail("\(key) was constructed \(times(found)), not \(times(wanted))")
    }
}

/// A number of times in words.
func times(_ count: Int) -> String {
    switch count {
    case 0: "never"
    case 1: "once"
    default: "\(count) times"
    }
}

extension ResolutionRecorder {
    fileprivate func constructions(of type: Any.Type, _ name: String?, in container: any ContainerProtocol) -> Int {
        let entries = container.visibleEntries.filter { $0.serviceType == type && $0.key.name == name }
        let forwarded = Set(entries.compactMap(\.forwardTarget?.key))
        return created.count { $0.serviceType == type && $0.name == name || forwarded.contains($0) }
    }
}
