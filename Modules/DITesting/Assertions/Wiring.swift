public import DICore

/// Expects that the wiring of a container and its parents is valid. Constructs nothing.
///
///     expectValidWiring(of: AppWiring.container())
///
/// A failure shows the report with all problems at once. What is only advice, such as an unused registration, does not
/// fail; see `WiringReport.Kind.isAdvice`.
///
/// - Parameters:
///   - container: has the registrations.
///   - observed: what was recorded while resolving, so that the check sees into closures that ran.
///   - roots: the keys that the program itself asks for.
///   - external: keys that somebody else provides at run time.
///   - fileID: the module and the file of the call, for failures.
///   - filePath: the path of that file.
///   - line: the line of the call.
///   - column: its column.
/// - Returns: the report, for a look at the advice.
@discardableResult
public func expectValidWiring(
    of container: any ContainerProtocol,
    observed: ObservedWiring = ObservedWiring(),
    roots: [ServiceKey] = [],
    external: [ServiceKey] = [],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
) -> WiringReport {
    let report = container.dependencyGraph(observed: observed).validate(roots: roots, external: external)
    if !report.isValid { TestPlace(fileID, filePath, line, column).fail("the wiring is not valid:\n\(report)") }
    return report
}
