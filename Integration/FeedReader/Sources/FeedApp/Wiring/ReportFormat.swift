/// The forms that the report on the wiring can have.
package enum ReportFormat: String, CaseIterable {
    /// For people.
    case text
    /// For programs.
    case json
}
