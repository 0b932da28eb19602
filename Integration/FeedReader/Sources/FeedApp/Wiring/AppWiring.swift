package import DIAssembly
package import DICore
import DILogging
import FeedModel

/// The wiring of the app, for those who look at it. Looking constructs nothing.
package struct AppWiring {
    private let assembler: Assembler

    /// Takes the assembler of what is confined; it knows what is shared.
    package init(of assembler: Assembler) {
        self.assembler = assembler
    }

    /// What is registered, and what needs what.
    package var graph: DependencyGraph { assembler.dependencyGraph() }

    /// What is wrong with it.
    package var report: WiringReport { assembler.validate(roots: Self.roots) }

    /// What the program itself asks for: the surroundings, any command, and later on, in the unit of work of each feed, reading and storing.
    private static let roots =
        [
            ServiceKey((any TextOutput).self, name: OutputName.errors), ServiceKey(Invocation.self),
            ServiceKey(RefreshJournal.self), ServiceKey(FeedReading.self), ServiceKey(FeedStoring.self),
        ] + CommandName.allCases.map { ServiceKey((any Command).self, name: $0.rawValue) }

    /// The picture of the wiring, or of the part that a request names. Throws `UnknownKey`.
    func picture(of request: GraphRequest) throws -> GraphPicture {
        let graph = graph
        guard let root = request.root else {
            return GraphPicture(graph, external: assembler.externalKeys)
        }
        return GraphPicture(
            graph,
            below: try key(called: root, in: graph),
            depth: request.depth,
            external: assembler.externalKeys
        )
    }

    /// The key that has this text in the picture. That it is a contribution need not be said.
    private func key(called text: String, in graph: DependencyGraph) throws -> ServiceKey {
        func plain(_ key: ServiceKey) -> String {
            ServiceKey(serviceType: key.serviceType, argumentsType: key.argumentsType, name: key.name).description
        }
        let keys = graph.nodes.map(\.key)
        guard let key = keys.first(where: { $0.description == text }) ?? keys.first(where: { plain($0) == text }) else {
            throw UnknownKey(text: text, near: NearestNames.to(text, among: keys.map(plain)))
        }
        return key
    }
}
