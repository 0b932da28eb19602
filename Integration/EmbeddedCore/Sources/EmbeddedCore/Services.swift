/// A pin that is read as a voltage.
protocol AnalogInput {
    func millivolts() -> Int
}

/// A pin that is switched.
protocol Output: AnyObject {
    var isOn: Bool { get set }
}

/// What is to be kept, in tenths of a degree.
struct Limits {
    let heatBelow: Int
    let stopAbove: Int
}

/// Plays back a fixed series, as a bench without hardware does.
final class RecordedInput: AnalogInput {
    private var series: [Int]

    init(_ series: [Int]) {
        self.series = series
    }

    func millivolts() -> Int { series.count > 1 ? series.removeFirst() : series[0] }
}

final class Relay: Output {
    var isOn = false
}

/// The wires to the outside, of which there is one set.
final class Board {
    let input: any AnalogInput
    let heater: any Output

    init(input: any AnalogInput, heater: any Output) {
        self.input = input
        self.heater = heater
    }
}

/// Turns voltages into temperatures: 10 mV for a degree, 500 mV at zero.
struct Thermometer {
    let board: Board

    func tenths() -> Int { board.input.millivolts() - 500 }
}

/// Switches the heater so that the temperature stays between the limits.
struct Thermostat {
    let thermometer: Thermometer
    let board: Board
    let limits: Limits

    func step() -> Int {
        let tenths = thermometer.tenths()
        if tenths < limits.heatBelow { board.heater.isOn = true }
        if tenths > limits.stopAbove { board.heater.isOn = false }
        return tenths
    }
}
