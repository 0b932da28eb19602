import FeedModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The functions of SQLite, found in the shared library of the system while the program runs.
///
///     let library = try SQLiteLibrary()
///
/// Nothing has to be installed for building: no header and no development package. The library stays loaded until the
/// program ends. Loading costs one look-up by name per function; do it once and pass the value on.
public struct SQLiteLibrary: Sendable {
    typealias OpenFunction =
        @convention(c) @Sendable (
            UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>, Int32, UnsafePointer<CChar>?
        ) -> Int32
    typealias HandleFunction = @convention(c) @Sendable (OpaquePointer) -> Int32
    typealias MessageFunction = @convention(c) @Sendable (OpaquePointer) -> UnsafePointer<CChar>?
    typealias SettingFunction = @convention(c) @Sendable (OpaquePointer, Int32) -> Int32
    typealias PrepareFunction =
        @convention(c) @Sendable (
            OpaquePointer, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>,
            UnsafeMutablePointer<UnsafePointer<CChar>?>?
        ) -> Int32
    typealias BindIntegerFunction = @convention(c) @Sendable (OpaquePointer, Int32, Int64) -> Int32
    typealias BindRealFunction = @convention(c) @Sendable (OpaquePointer, Int32, Double) -> Int32
    /// The last argument is a destructor, or one of two numbers that are no address; only a number is ever passed.
    typealias BindTextFunction =
        @convention(c) @Sendable (OpaquePointer, Int32, UnsafePointer<CChar>, Int32, Int) -> Int32
    typealias IntegerColumnFunction = @convention(c) @Sendable (OpaquePointer, Int32) -> Int64
    typealias RealColumnFunction = @convention(c) @Sendable (OpaquePointer, Int32) -> Double
    typealias TextColumnFunction = @convention(c) @Sendable (OpaquePointer, Int32) -> UnsafePointer<UInt8>?

    let open: OpenFunction
    let close: HandleFunction
    let errorMessage: MessageFunction
    let setBusyTimeout: SettingFunction
    let changes: HandleFunction
    let prepare: PrepareFunction
    let step: HandleFunction
    let reset: HandleFunction
    let finalize: HandleFunction
    let parameterCount: HandleFunction
    let bindNull: SettingFunction
    let bindInteger: BindIntegerFunction
    let bindReal: BindRealFunction
    let bindText: BindTextFunction
    let columnType: SettingFunction
    let columnByteCount: SettingFunction
    let integerColumn: IntegerColumnFunction
    let realColumn: RealColumnFunction
    let textColumn: TextColumnFunction

    /// The names the library has on this system.
    public static var defaultNames: [String] {
        #if canImport(Darwin)
        ["libsqlite3.dylib", "/usr/lib/libsqlite3.dylib"]
        #else
        ["libsqlite3.so.0", "libsqlite3.so"]
        #endif
    }

    /// Loads the first library that is found under one of the names.
    ///
    /// Throws `FeedError.sqliteMissing` if there is none, or if the one found lacks a function.
    public init(names: [String] = defaultNames) throws {
        let symbols = try Symbols(names: names)
        open = try symbols.function("sqlite3_open_v2", as: OpenFunction.self)
        close = try symbols.function("sqlite3_close_v2", as: HandleFunction.self)
        errorMessage = try symbols.function("sqlite3_errmsg", as: MessageFunction.self)
        setBusyTimeout = try symbols.function("sqlite3_busy_timeout", as: SettingFunction.self)
        changes = try symbols.function("sqlite3_changes", as: HandleFunction.self)
        prepare = try symbols.function("sqlite3_prepare_v2", as: PrepareFunction.self)
        step = try symbols.function("sqlite3_step", as: HandleFunction.self)
        reset = try symbols.function("sqlite3_reset", as: HandleFunction.self)
        finalize = try symbols.function("sqlite3_finalize", as: HandleFunction.self)
        parameterCount = try symbols.function("sqlite3_bind_parameter_count", as: HandleFunction.self)
        bindNull = try symbols.function("sqlite3_bind_null", as: SettingFunction.self)
        bindInteger = try symbols.function("sqlite3_bind_int64", as: BindIntegerFunction.self)
        bindReal = try symbols.function("sqlite3_bind_double", as: BindRealFunction.self)
        bindText = try symbols.function("sqlite3_bind_text", as: BindTextFunction.self)
        columnType = try symbols.function("sqlite3_column_type", as: SettingFunction.self)
        columnByteCount = try symbols.function("sqlite3_column_bytes", as: SettingFunction.self)
        integerColumn = try symbols.function("sqlite3_column_int64", as: IntegerColumnFunction.self)
        realColumn = try symbols.function("sqlite3_column_double", as: RealColumnFunction.self)
        textColumn = try symbols.function("sqlite3_column_text", as: TextColumnFunction.self)
    }
}

extension SQLiteLibrary {
    /// One opened library.
    private struct Symbols {
        let names: [String]
        let handle: UnsafeMutableRawPointer

        init(names: [String]) throws {
            self.names = names
            var reason = "no name was given"
            for name in names {
                if let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) {
                    self.handle = handle
                    return
                }
                reason = dlerror().map { String(cString: $0) } ?? "no reason was given"
            }
            throw FeedError.sqliteMissing(names: names, reason: reason)
        }

        /// The function of a name. That `type` is its type is what the documentation of SQLite says; nothing
        /// checks it.
        func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
            guard let address = dlsym(handle, name) else {
                throw FeedError.sqliteMissing(names: names, reason: "it has no function \(name)")
            }
            return unsafeBitCast(address, to: type)
        }
    }
}
