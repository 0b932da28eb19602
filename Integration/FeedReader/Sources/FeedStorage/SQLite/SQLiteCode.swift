/// The numbers of SQLite's interface that are used here. They are part of its file and call format and never change.
enum SQLiteCode {
    static let ok: Int32 = 0
    static let cannotOpen: Int32 = 14
    static let notADatabase: Int32 = 26
    static let row: Int32 = 100
    static let done: Int32 = 101

    static let openReadWrite: Int32 = 0x2
    static let openCreate: Int32 = 0x4
    /// No lock inside SQLite: a connection is only used by whoever holds it.
    static let openNoMutex: Int32 = 0x8000

    static let nullColumn: Int32 = 5

    /// Asks SQLite to copy a text before the call returns.
    static let copyText = -1
}
