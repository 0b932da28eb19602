/// How the program is used.
package enum HelpText {
    /// The whole text, for a terminal of 80 columns.
    package static let text = """
        A reader of RSS, Atom and JSON feeds.

        Usage: feeds [COMMAND] [OPTIONS]

        Commands:
          (none)            show the newest items; without subscriptions, subscribe to
                            the feeds that ship with the reader and show theirs
          add URL|FILE      subscribe to a feed
          remove URL|FILE   forget a feed and its items
          refresh           read all feeds anew
          list              list all items, newest first
          show ID           show an item, and mark it as read
          graph             draw how the program is put together
          doctor            check how the program is put together

        Options:
          --unread          with list: leave out what was read
          --format FORMAT   with graph: mermaid (if none is given), dot or json;
                            with doctor: text (if none is given) or json
          --from KEY        with graph: only what this key needs, such as FeedStore
          --depth N         with --from: only so many steps
          --database PATH   keep everything in this file; without it, in the folder for
                            your data
          --trace           show on standard error how each service is found
          -h, --help        show this

        In the lists a dot marks what is unread. The exit code is 1 when something could
        not be done, and 64 when the command line could not be understood.
        """
}
