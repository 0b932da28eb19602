/// A small set of shared services whose construction by several threads is explored.
struct ExploredWiring: Hashable, CustomStringConvertible {
    struct Service: Hashable {
        /// The services that the factory requires, then those that the callback requires.
        var constructor: [Int] = []
        var callback: [Int] = []
        var hasCallback = false
        var factoryThrows = false
        var callbackThrows = false
        /// Whether the callback of the first instance throws, and no other.
        var firstCallbackThrows = false
        /// Whether its instance is kept in a storage without a cell.
        var hasNoCell = false
        /// Whether it goes on without what it asks for when that fails.
        var swallows = false

        /// A service that an observer resolves when it is told that this one was created.
        var observed: Int?
    }

    /// One thing that a thread does.
    enum Operation: Hashable {
        case request(Int)
        case reset(Int)
    }

    var services: [Service]
    var threads: [[Operation]]

    /// Whether a service can need itself over the edges of constructors and callbacks.
    var hasCycle: Bool { hasCycle { $0.constructor + $0.callback } }

    /// The same, over what observers resolve as well.
    var hasCycleOfObservers: Bool { hasCycle { $0.constructor + $0.callback + [$0.observed].compactMap(\.self) } }

    private func hasCycle(_ edges: (Service) -> [Int]) -> Bool {
        var state = services.map { _ in 0 }
        func isCyclic(_ service: Int) -> Bool {
            if state[service] != 0 { return state[service] == 1 }
            state[service] = 1
            defer { state[service] = 2 }
            return edges(services[service]).contains { isCyclic($0) }
        }
        return services.indices.contains { isCyclic($0) }
    }

    /// Whether a service needs another one, over whatever edges, or is it.
    func canReach(_ target: Int, from service: Int) -> Bool {
        var seen: Set<Int> = []
        func reaches(_ service: Int) -> Bool {
            if service == target { return true }
            guard seen.insert(service).inserted else { return false }
            return (services[service].constructor + services[service].callback).contains { reaches($0) }
        }
        return reaches(service)
    }

    /// Whether each request can be answered with the one instance of its service.
    var isUndisturbed: Bool {
        services.allSatisfy { !$0.factoryThrows && !$0.callbackThrows && !$0.firstCallbackThrows }
            && threads.allSatisfy { $0.allSatisfy { if case .reset = $0 { false } else { true } } }
    }

    var description: String {
        let services = services.enumerated().map { index, service in
            var text = "\(index)(\(service.constructor.map(String.init).joined(separator: ",")))"
            if service.hasCallback { text += "{\(service.callback.map(String.init).joined(separator: ","))}" }
            if service.factoryThrows { text += "!" }
            if service.callbackThrows { text += "{!}" }
            if service.firstCallbackThrows { text += "{!1}" }
            if service.swallows { text += "?" }
            if service.hasNoCell { text += "°" }
            if let observed = service.observed { text += "~\(observed)" }
            return text
        }
        let threads = threads.map { operations in
            operations.map { if case .request(let service) = $0 { "\(service)" } else { "reset" } }.joined(
                separator: " "
            )
        }
        return services.joined(separator: " ") + " | " + threads.joined(separator: " | ")
    }
}

/// A fault that can be planted, to see that the exploration finds it.
enum PlantedFault {
    /// A1: a thread is followed as a waiting one until it wakes, although the cause of its wait has ended.
    case edgeOutlivesCause
    /// A2: the end of an inner activation ends the claim of the outer one.
    case innerEndSettles
    /// A3: an observer is told, and resolves, before the frame is popped, when its dependents have been collected.
    case observerBeforePop
    /// A2: the failure of an inner activation is not told to the threads that have borrowed its instance.
    case innerFailureUntold
    /// A2: a claim ends with the failure of its frame, although an instance that was built inside is not complete.
    case claimEndsBeforeInstance
    /// A2: what was made during a callback does not depend on what its frame has borrowed.
    case loansStayWithFrame
}
