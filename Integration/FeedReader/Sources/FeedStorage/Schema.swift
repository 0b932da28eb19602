import FeedModel

/// The tables of the store, and how older versions become the present one.
enum Schema {
    /// What leads from one version to the next; the last statement says so in the file.
    private static let migrations: [[StaticString]] = [
        [
            """
            CREATE TABLE feeds (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                address TEXT NOT NULL UNIQUE,
                title TEXT NOT NULL,
                home_page TEXT,
                entity_tag TEXT,
                last_modified TEXT,
                refreshed_at REAL,
                added_at REAL NOT NULL
            )
            """,
            // AUTOINCREMENT, so that a number somebody wrote down never means another item.
            """
            CREATE TABLE items (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                feed_id INTEGER NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
                identifier TEXT NOT NULL,
                title TEXT NOT NULL,
                link TEXT,
                author TEXT,
                summary TEXT NOT NULL,
                body TEXT NOT NULL,
                published REAL,
                first_seen REAL NOT NULL,
                is_read INTEGER NOT NULL DEFAULT 0,
                UNIQUE (feed_id, identifier)
            )
            """,
            "CREATE INDEX items_by_date ON items (coalesce(published, first_seen))",
            // "Feed" in ASCII: what tells these databases from those of other programs.
            "PRAGMA application_id = 1181050212",
            "PRAGMA user_version = 1",
        ]
    ]

    private static let applicationID: Int64 = 1_181_050_212

    /// The version this program writes.
    static var version: Int { migrations.count }

    /// Brings a database to the present version, all steps or none.
    ///
    /// Throws `FeedError.foreignDatabase` or `databaseTooNew` before anything is written.
    static func prepare(_ database: SQLiteDatabase) throws {
        try database.run("PRAGMA foreign_keys = ON")
        guard try missingMigrations(database) > 0 else { return }
        try database.transaction {
            // Asked again: another process may have been faster.
            for migration in migrations.suffix(try missingMigrations(database)) {
                for statement in migration { try database.run(statement) }
            }
            guard try missingMigrations(database) == 0 else {
                throw FeedError.databaseFailed(path: database.path, reason: "a migration does not say where it leads")
            }
        }
    }

    private static func missingMigrations(_ database: SQLiteDatabase) throws -> Int {
        let found = Int(try number("PRAGMA user_version", in: database))
        let isOurs = try number("PRAGMA application_id", in: database) == applicationID
        let isEmpty = try found == 0 && number("SELECT count(*) FROM sqlite_master", in: database) == 0
        guard isOurs || isEmpty else { throw FeedError.foreignDatabase(path: database.path) }
        guard found <= version else {
            throw FeedError.databaseTooNew(path: database.path, version: found, supported: version)
        }
        return version - found
    }

    private static func number(_ sql: StaticString, in database: SQLiteDatabase) throws -> Int64 {
        try database.query(sql) { $0.integer(0) }.first ?? 0
    }
}
