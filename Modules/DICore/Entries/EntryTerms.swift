/// What a registration says besides its factory.
@usableFromInline
struct EntryTerms {
    let name: String?
    let option: (any ServiceKeyOption)?
    let scope: any ObjectScopeProtocol
    let fileID: StaticString
    let line: UInt

    /// Whether the compiler has not seen that threads may share the instances.
    let isUnshared: Bool

    @usableFromInline
    init(
        _ name: String?,
        _ option: (any ServiceKeyOption)?,
        _ scope: any ObjectScopeProtocol,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        self.name = name
        self.option = option
        self.scope = scope
        self.fileID = fileID
        self.line = line
        isUnshared = false
    }

    /// Those of a service that is not `Sendable`, in a scope that does not share it.
    @usableFromInline
    init(
        _ name: String?,
        _ option: (any ServiceKeyOption)?,
        unshared scope: UnsharedScope,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        self.name = name
        self.option = option
        self.scope = scope.objectScope
        self.fileID = fileID
        self.line = line
        isUnshared = true
    }
}
