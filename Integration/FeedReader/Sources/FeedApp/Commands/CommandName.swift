/// The commands, by the names under which they are registered.
package enum CommandName: String, CaseIterable {
    /// The one that runs when the command line names none.
    case newest
    case add
    case remove
    case refresh
    case list
    case show
    case graph
    case doctor
    /// The one that runs for `--help`.
    case help
}
