internal import DICore

/// The order in which a batch of assemblies is applied: each after those that it needs, otherwise as given.
struct AssemblyPlan {
    private(set) var order: [any Assembly] = []
    private(set) var cycles: [AssemblyError] = []

    private let isApplied: (AnyHashable, _ isNeeded: Bool) -> Bool
    private var planned: Set<AnyHashable> = []

    /// The assemblies whose needs are being looked at, outermost first.
    private var open: [(identity: AnyHashable, name: String)] = []

    init(_ assemblies: [any Assembly], passingOver isApplied: @escaping (AnyHashable, Bool) -> Bool) {
        self.isApplied = isApplied
        for assembly in assemblies { visit(assembly, isNeeded: false) }
    }

    private mutating func visit(_ assembly: any Assembly, isNeeded: Bool) {
        let identity = assembly.identity
        let name = AssemblyPlan.name(of: assembly)
        if let start = open.firstIndex(where: { $0.identity == identity }) {
            cycles.append(.needEachOther(open[start...].map(\.name) + [name]))
            return
        }
        if isApplied(identity, isNeeded) || planned.contains(identity) { return }
        open.append((identity, name))
        for needed in assembly.needs { visit(needed, isNeeded: true) }
        open.removeLast()
        planned.insert(identity)
        order.append(assembly)
    }

    /// The type and, where the assembly states an identity of its own, that too.
    static func name(of assembly: any Assembly) -> String {
        let type = type(of: assembly)
        // Written as the types of services are.
        let name = ServiceKey(serviceType: type).description
        return assembly.identity == AnyHashable(ObjectIdentifier(type)) ? name : "\(name) \(assembly.identity)"
    }
}
