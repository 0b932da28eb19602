/// The wiring of the app does not fit; the report says why.
struct WiringFault: Error, CustomStringConvertible {
    /// How many problems there are.
    let count: Int

    /// One line.
    var description: String { "the wiring does not fit: \(Count.problems(count))." }
}
