package import FeedModel

/// What the command line asks for, with all that is needed to do it.
package enum Action: Hashable {
    /// Without a command: the newest items, on the first run those of the samples.
    case newest
    /// Subscribe to a feed.
    case add(FeedSource)
    /// Forget a feed.
    case remove(FeedSource)
    /// Read all feeds anew.
    case refresh
    /// List items.
    case list(unreadOnly: Bool)
    /// Show an item.
    case show(FeedItem.ID)
    /// Draw the wiring of the app.
    case graph(GraphRequest)
    /// Check the wiring of the app.
    case doctor(ReportFormat)
    /// Say how the program is used.
    case help

    /// The command that does it.
    package var command: CommandName {
        switch self {
        case .newest: .newest
        case .add: .add
        case .remove: .remove
        case .refresh: .refresh
        case .list: .list
        case .show: .show
        case .graph: .graph
        case .doctor: .doctor
        case .help: .help
        }
    }
}
