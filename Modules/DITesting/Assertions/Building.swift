public import DICore

/// Expects that everything that is registered can be built: each registration is asked for, and all failures are shown
/// at once.
///
///     expectEverythingBuilds(
///         from: AppWiring.container(),
///         arguments: [SuppliedArguments((any Animal).self, "Mimi"), SuppliedArguments(Screen.self, user, 7)]
///     )
///
/// A registration that takes runtime arguments is built with those that are supplied; with none it is a failure, and so
/// are arguments that belong to no registration. Contributions are built as the collection of their type. Registrations
/// with an option of your own cannot be asked for by their key alone, and are to be excepted.
///
/// What is built is kept as its scope says, so use a container that nothing else uses. It is built where the caller runs.
///
/// - Parameters:
///   - resolver: is asked for what its `visibleEntries` say, the registrations of its parents included.
///   - arguments: the runtime arguments of the registrations that take some.
///   - exceptions: keys that are not built.
///   - fileID: the module and the file of the call, for failures.
///   - filePath: the path of that file.
///   - line: the line of the call.
///   - column: its column.
public func expectEverythingBuilds(
    from resolver: any Resolver,
    arguments: [SuppliedArguments] = [],
    except exceptions: [ServiceKey] = [],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
) {
    let supplied = Dictionary(arguments.map { ($0.key, $0.build) }) { first, _ in first }
    let entries = resolver.visibleEntries
    let keys = Set(entries.map(\.key))
    var failures: [String] = []
    var collections: Set<ObjectIdentifier> = []
    for entry in entries where !exceptions.contains(entry.key) {
        let key = entry.key
        do {
            if let build = supplied[key] {
                try build(resolver)
            } else if !key.takesNoArguments {
                failures.append("\(key) (\(entry.location)): its runtime arguments are not supplied")
            } else if key.option == nil {
                try require(key.serviceType, key.name, from: resolver)
            } else if key.option is Contribution {
                guard collections.insert(ObjectIdentifier(key.serviceType)).inserted else { continue }
                try requireAll(key.serviceType, from: resolver)
            } else {
                failures.append("\(key) (\(entry.location)): it has an option, so it is to be excepted")
            }
        } catch {
            failures.append("\(key) (\(entry.location)):\n\(indented("\(error)"))")
        }
    }
    failures += arguments.map(\.key).filter { !keys.contains($0) }.map {
        "\($0): arguments are supplied for it, and it is not registered"
    }
    if failures.isEmpty { return }
    let count = failures.count == 1 ? "1 registration" : "\(failures.count) registrations"
    TestPlace(fileID, filePath, line, column).fail(
        "of \(keys.count), \(count) cannot be built:\n" + failures.joined(separator: "\n")
    )
}

private func require<Service>(_ type: Service.Type, _ name: String?, from resolver: any Resolver) throws {
    _ = try resolver.require(type, name: name)
}

private func requireAll<Service>(_ type: Service.Type, from resolver: any Resolver) throws {
    _ = try resolver.requireAll(type)
}

/// The lines of a text, each further to the right.
func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
}
