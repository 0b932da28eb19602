public import DICore

/// Expects that a service can be resolved, and gives the instance.
///
///     let client = expectResolves((any HTTPClient).self, from: container)
///
/// A failure shows the error with its path, as `require` throws it, and gives nil.
///
/// Works in Swift Testing and in XCTest, as all assertions here do, and fails the test at the line where it stands.
@discardableResult
public func expectResolves<Service>(
    _ serviceType: Service.Type,
    name: String? = nil,
    from resolver: any Resolver,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
) -> Service? {
    TestPlace(fileID, filePath, line, column).instance(from: resolver) { try $0.require(serviceType, name: name) }
}

/// Expects that a request can be answered, and gives what it gives: for runtime arguments, collections and wrappers.
///
///     expectResolves(from: container) { r in try r.require((any Animal).self, argument: "Mimi") }
@discardableResult
public func expectResolves<Instance>(
    from resolver: any Resolver,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    request: (any Resolver) throws -> Instance
) -> Instance? {
    TestPlace(fileID, filePath, line, column).instance(from: resolver, request)
}

/// Expects that a service cannot be resolved, for a given reason if there is one, and gives the error.
///
///     expectDoesNotResolve((any Keychain).self, from: guest, because: .notRegistered)
///
/// A failure says what was resolved, or shows the error that was thrown for another reason.
@discardableResult
public func expectDoesNotResolve<Service>(
    _ serviceType: Service.Type,
    name: String? = nil,
    from resolver: any Resolver,
    because code: ResolutionError.Code? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
) -> ResolutionError? {
    TestPlace(fileID, filePath, line, column).failure(
        of: "\(ServiceKey(serviceType: serviceType, name: name))",
        from: resolver,
        code
    ) { try $0.require(serviceType, name: name) }
}

/// Expects that a request cannot be answered, for a given reason if there is one, and gives the error.
///
///     expectDoesNotResolve(from: container, because: .argumentsMismatch) { r in
///         try r.require((any Animal).self, argument: 7)
///     }
@discardableResult
public func expectDoesNotResolve<Instance>(
    from resolver: any Resolver,
    because code: ResolutionError.Code? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    request: (any Resolver) throws -> Instance
) -> ResolutionError? {
    TestPlace(fileID, filePath, line, column).failure(
        of: "\(ServiceKey(serviceType: Instance.self))",
        from: resolver,
        code,
        request
    )
}

extension TestPlace {
    /// What a request gives; nil after having failed the test.
    func instance<Instance>(
        from resolver: any Resolver,
        _ request: (any Resolver) throws -> Instance
    ) -> Instance? {
        do {
            return try request(resolver)
        } catch {
            fail("\(ServiceKey(serviceType: Instance.self)) cannot be resolved:\n\(error)")
            return nil
        }
    }

    fileprivate func failure<Instance>(
        of wanted: String,
        from resolver: any Resolver,
        _ code: ResolutionError.Code?,
        _ request: (any Resolver) throws -> Instance
    ) -> ResolutionError? {
        do {
            let instance = try request(resolver)
            fail("\(wanted) is resolved, to an instance of \(type(of: instance as Any))")
            return nil
        } catch let error as ResolutionError {
            if let code, error.code != code {
                fail("\(wanted) cannot be resolved, but not because of \(code):\n\(error)")
            }
            return error
        } catch {
            fail("\(wanted) cannot be resolved, and the error is not one of resolving:\n\(error)")
            return nil
        }
    }
}
