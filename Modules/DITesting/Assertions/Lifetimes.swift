internal import DICore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Bionic)
internal import Bionic
#else
internal import Darwin
#endif

/// Expects that nothing keeps an object when the one who made it has let it go.
///
///     expectReleased { try container.require(EditorScreen.self) }
///
/// The object is made by the closure and dropped at once; what is held by a container, a closure that refers to itself, or
/// a task that has not ended is a failure that names its type. A value has no lifetime, which is a failure that says so.
/// With a container, the instances that it has built and keeps have to go as well.
///
/// An error of the closure is thrown on.
public func expectReleased<Instance>(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ make: () throws -> Instance
) rethrows {
    let remains = try Remains(of: make())
    TestPlace(fileID, filePath, line, column).expectGone(remains)
}

/// Expects that nothing keeps an object that is made asynchronously.
nonisolated(nonsending) public func expectReleased<Instance>(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ make: nonisolated(nonsending) () async throws -> Instance
) async rethrows {
    let remains = try await Remains(of: make())
    TestPlace(fileID, filePath, line, column).expectGone(remains)
}

/// What is known of an object that was let go and, if it is a container, of what that kept.
struct Remains {
    private weak let object: AnyObject?
    private let contents: ContainerRemains?
    /// An object that somebody else may hold.
    private weak let exempt: AnyObject?
    let type: String
    let isObject: Bool

    /// - Parameter result: what may live on, if it is an object.
    init<Instance>(of instance: Instance, except result: Any = ()) {
        let object = ObjectReference.object(in: instance)
        self.object = object
        isObject = object != nil
        contents = (object as? any ContainerProtocol).map { ContainerRemains(of: $0) }
        exempt = ObjectReference.object(in: result)
        type = "\(Swift.type(of: instance as Any))"
    }

    /// Whether something lives at this moment.
    var isThere: Bool { survivors != nil }

    /// Whether something lives on.
    var isAlive: Bool { survivorsAtLast != nil }

    /// What lives on. What was reset in a container for several threads is released when threads have been seen not to
    /// read it, which may take them a moment; so one that lives is given some.
    var survivorsAtLast: Survivors? {
        for _ in 0..<20 {
            if survivors == nil { return nil }
            // A graph that ends lets go of what waits for that, and waits for those who read.
            Container().withObjectGraph(GraphIdentifier()) { _ in }
            sched_yield()
        }
        return survivors
    }

    private var survivors: Survivors? {
        if object != nil { return .object }
        guard let contents else { return nil }
        if contents.hasContext { return .context }
        let types = contents.instances.filter { $0 !== exempt }.map { "\(Swift.type(of: $0))" }
        return types.isEmpty ? nil : .instances(types: types)
    }

    /// The outermost part of what lives on.
    enum Survivors {
        case object
        /// The context of a container that has ended itself.
        case context
        /// Instances of a container that has ended with its context.
        case instances(types: [String])
    }
}

extension Remains.Survivors {
    /// A text that says what lives on.
    func description(of type: String) -> String {
        switch self {
        case .object: type
        case .context: "the context of \(type)"
        case .instances(let types): "\(types.joined(separator: ", ")), kept by \(type),"
        }
    }

    /// A text that says what may hold it.
    var holders: String {
        switch self {
        case .object: "an object or a task still holds it"
        case .context: "a child of it, or an object that one of them keeps, still holds it"
        case .instances: "an object or a task still holds them"
        }
    }
}

extension TestPlace {
    fileprivate func expectGone(_ remains: Remains) {
        if !remains.isObject {
            fail("\(remains.type) is a value type, and values are not released")
        } else if let survivors = remains.survivorsAtLast {
            switch survivors {
            case .object: fail("\(remains.type) is not released: something still holds it")
            case .context, .instances:
                fail("\(survivors.description(of: remains.type)) is not released: \(survivors.holders)")
            }
        }
    }
}
