import DICore

/// What the cases need of a container, so that each is written once for both kinds.
///
/// The loops are compiled for one kind, as they would be where it is used: functions with such a type as parameter are
/// inlined always, in a method of that kind.
protocol MeasuredContainer: ContainerProtocol {
    static func make() -> Self
    func child() -> Self
    var registering: any SendableRegistrar { get }

    /// Calls `Request.loop(_:in:)`.
    func run(_ request: Request, _ count: Int)

    /// Registers services with these names.
    func register(_ kind: Registration, _ names: [String])
}

extension Measurement {
    /// A container with what the case registers, filled up with keys that nobody asks for.
    func container<Box: MeasuredContainer>(_: Box.Type, _ register: (any SendableRegistrar) -> Void) -> Box {
        let box = Box.make()
        register(box.registering)
        for number in 0..<max(0, registrations - 10) {
            box.registering.register(Int.self, name: "filler-\(number)") { _ in number }
        }
        return box
    }
}
