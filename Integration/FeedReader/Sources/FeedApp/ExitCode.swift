/// What the program tells whoever started it.
package enum ExitCode: Int32 {
    /// Everything was done.
    case success = 0
    /// Something could not be done; the errors say what.
    case failure = 1
    /// The command line could not be understood, as `sysexits.h` has it.
    case usage = 64
}
