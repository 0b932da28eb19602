public import DICore

/// Expects that two requests for a service give the same object.
///
///     expectSameInstance(Database.self, from: container)
///     expectSameInstance(Database.self, from: root, and: root.createChild())
///
/// An instance of a value type has no identity, which is a failure that says so.
///
/// - Parameters:
///   - serviceType: the type that is asked for.
///   - name: the name that it was registered under.
///   - resolver: is asked the first time.
///   - other: is asked the second time, in place of the same resolver.
///   - fileID: the module and the file of the call, for failures.
///   - filePath: the path of that file.
///   - line: the line of the call.
///   - column: its column.
public func expectSameInstance<Service>(
    _ serviceType: Service.Type,
    name: String? = nil,
    from resolver: any Resolver,
    and other: (any Resolver)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
) {
    TestPlace(fileID, filePath, line, column).compare(resolver, other, areSame: true) {
        try $0.require(serviceType, name: name)
    }
}

/// Expects that a request that is made twice gives the same object.
///
///     expectSameInstance(from: container) { r in try r.require(Session.self, argument: "ada") }
public func expectSameInstance<Instance>(
    from resolver: any Resolver,
    and other: (any Resolver)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    request: (any Resolver) throws -> Instance
) {
    TestPlace(fileID, filePath, line, column).compare(resolver, other, areSame: true, request)
}

/// Expects that two requests for a service give two objects.
///
///     expectNewInstance(Basket.self, from: container)
///     expectNewInstance(Basket.self, from: root.createChild(), and: root.createChild())
///
/// Both are held while they are compared. An instance of a value type has no identity, which is a failure that says so.
///
/// - Parameters:
///   - serviceType: the type that is asked for.
///   - name: the name that it was registered under.
///   - resolver: is asked the first time.
///   - other: is asked the second time, in place of the same resolver.
///   - fileID: the module and the file of the call, for failures.
///   - filePath: the path of that file.
///   - line: the line of the call.
///   - column: its column.
public func expectNewInstance<Service>(
    _ serviceType: Service.Type,
    name: String? = nil,
    from resolver: any Resolver,
    and other: (any Resolver)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
) {
    TestPlace(fileID, filePath, line, column).compare(resolver, other, areSame: false) {
        try $0.require(serviceType, name: name)
    }
}

/// Expects that a request that is made twice gives two objects.
public func expectNewInstance<Instance>(
    from resolver: any Resolver,
    and other: (any Resolver)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    request: (any Resolver) throws -> Instance
) {
    TestPlace(fileID, filePath, line, column).compare(resolver, other, areSame: false, request)
}

extension TestPlace {
    fileprivate func compare<Instance>(
        _ resolver: any Resolver,
        _ other: (any Resolver)?,
        areSame: Bool,
        _ request: (any Resolver) throws -> Instance
    ) {
        guard let first = instance(from: resolver, request), let second = instance(from: other ?? resolver, request)
        else { return }
        let wanted = ServiceKey(serviceType: Instance.self)
        guard let one = ObjectReference.object(in: first), let two = ObjectReference.object(in: second) else {
            return fail("\(wanted) gave a value of \(type(of: first as Any)), and values have no identity")
        }
        if (one === two) == areSame { return }
        let askers = other == nil ? "two requests" : "the two resolvers"
        fail("\(askers) for \(wanted) gave \(areSame ? "two instances" : "the same instance") of \(type(of: one))")
    }
}
