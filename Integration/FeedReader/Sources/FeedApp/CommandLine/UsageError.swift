/// Why a command line cannot be understood.
package enum UsageError: Error, Hashable {
    /// There is no such command.
    case unknownCommand(String)
    /// There is no such option.
    case unknownOption(String)
    /// The option is not one of the command.
    case misplacedOption(String, command: String)
    /// The option needs a value.
    case missingValue(option: String, value: String)
    /// The option does not have such values.
    case badValue(option: String, value: String, expected: String)
    /// The option is of no use without another one.
    case dependentOption(String, needed: String)
    /// The option takes no value.
    case unexpectedValue(option: String)
    /// The command needs to be told something.
    case missingOperand(command: String, operand: String)
    /// There is more than the command takes.
    case unexpectedOperand(String, command: String)
}

extension UsageError: CustomStringConvertible {
    /// One line: what is wrong, then the way out.
    package var description: String {
        switch self {
        case .unknownCommand(let name): "there is no command '\(name)'; feeds --help lists them."
        case .unknownOption(let name): "there is no option '\(name)'; feeds --help lists them."
        case .misplacedOption(let name, let command): "'\(command)' has no option '\(name)'; see feeds --help."
        case .missingValue(let option, let value): "'\(option)' needs a value: feeds \(option) \(value)."
        case .badValue(let option, let value, let expected):
            "'\(option)' is \(expected), not '\(value)'; see feeds --help."
        case .dependentOption(let name, let needed): "'\(name)' goes with '\(needed)' only; see feeds --help."
        case .unexpectedValue(let option): "'\(option)' takes no value."
        case .missingOperand(let command, let operand):
            "'\(command)' needs to know which: feeds \(command) \(operand)."
        case .unexpectedOperand(let operand, let command):
            "'\(command)' does not know what to do with '\(operand)'; see feeds --help."
        }
    }
}
