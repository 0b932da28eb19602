package import FeedStorage

/// The command line, understood.
package struct Invocation: Hashable {
    /// What to do.
    package var action: Action

    /// Where the database is, if not in the usual place.
    package var database: DatabaseLocation?

    /// Whether to show how the services are found.
    package var isTraced: Bool

    /// Takes every field.
    package init(action: Action, database: DatabaseLocation? = nil, isTraced: Bool = false) {
        self.action = action
        self.database = database
        self.isTraced = isTraced
    }
}
