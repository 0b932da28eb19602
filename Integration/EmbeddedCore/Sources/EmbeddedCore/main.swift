import DICore

/// Keeps one instance until the scope is reset, where the core reads it without asking.
final class BoardStorage: InstanceStorage {
    let sharedCell: InstanceCell? = InstanceCell()
    var instance: Any? {
        get { sharedCell?.instance }
        set { sharedCell?.instance = newValue }
    }
}

let oncePerBoard = ObjectScope(storageFactory: BoardStorage.init, description: "oncePerBoard")

let container = Container()
container.register((any AnalogInput).self) { _ in RecordedInput([680, 702, 731, 716]) }
container.register((any Output).self, name: "heater") { _ in Relay() }
container.register(Limits.self, instance: Limits(heatBelow: 190, stopAbove: 220))
container.register(Board.self, scope: oncePerBoard) { r in
    Board(input: try r.require((any AnalogInput).self), heater: try r.require((any Output).self, name: "heater"))
}
container.autoregister(Thermometer.self, initializer: Thermometer.init)
container.autoregister(Thermostat.self, initializer: Thermostat.init)

do {
    let thermostat = try container.require(Thermostat.self)
    let board = try container.require(Board.self)
    print("one board: \(thermostat.board === board && thermostat.thermometer.board === board)")
    for _ in 1...4 {
        let tenths = thermostat.step()
        print("\(tenths / 10).\(tenths % 10) degrees, heater \(board.heater.isOn ? "on" : "off")")
    }
    container.resetObjectScope(oncePerBoard)
    print("another board after a reset: \(try container.require(Board.self) !== board)")
    _ = try container.require((any Output).self, name: "fan")
} catch {
    print("\(error.code): \(error.key)")
}
