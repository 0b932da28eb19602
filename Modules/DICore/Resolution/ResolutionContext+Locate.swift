// Unsafe: the look-up walks the parents without retaining them; each is held by its child, and this one by the caller.

extension ResolutionContext {
    /// Finds the registration of a type without arguments and name in the registry of this context or the nearest one
    /// above, for a resolver that several threads use.
    ///
    /// Takes no lock. What is found stays valid until the request is over although another thread may replace it. The
    /// session is that of the calling thread, which somebody holds.
    // Inlined into the resolver's method: together they are a sixth of a hit.
    @inlinable
    @inline(__always)
    public func locate(unnamed serviceType: Any.Type, for session: Unmanaged<ResolutionSession>) -> LocatedEntry {
        let session = session._withUnsafeGuaranteedRef { $0.memory }
        session.pointee.enterSection()
        let tag = KeyTag(unnamed: serviceType)
        let bits = unretainedRegistry._withUnsafeGuaranteedRef { $0.find(unique: tag) }
        if bits == 0 || watched.isObserved { return locateFurther(unnamed: serviceType, bits, session) }
        return located(bits | 2, session)
    }

    /// Finds the registration of a key in the registry of this context or the nearest one above, for a resolver that
    /// several threads use.
    public func locate(_ key: ServiceKey, for session: Unmanaged<ResolutionSession>) -> LocatedEntry {
        let session = session._withUnsafeGuaranteedRef { $0.memory }
        let tag = KeyTag(key)
        if key.boxedOption != nil { return locateComparing(key, tag, session) }
        session.pointee.enterSection()
        let bits = findHere { $0.find(key, tag: tag) }
        if bits == 0 || watched.isObserved { return locateFurther(key, tag, bits, session) }
        return located(bits | 2, session)
    }

    @inlinable
    @inline(__always)
    func located(_ bits: UInt, _ session: UnsafeMutablePointer<Session>) -> LocatedEntry {
        LocatedEntry(bits: bits, session: session, context: Unmanaged.passUnretained(self))
    }

    // The rest of a look-up is apart so that the usual one needs no stack.

    @usableFromInline
    @inline(never)
    func locateFurther(
        unnamed serviceType: Any.Type,
        _ found: UInt,
        _ session: UnsafeMutablePointer<Session>
    ) -> LocatedEntry {
        let tag = KeyTag(unnamed: serviceType)
        return finallyLocated(found == 0 ? findAbove { $0.find(unique: tag) } : found, session)
    }

    @inline(never)
    private func locateFurther(
        _ key: ServiceKey,
        _ tag: KeyTag,
        _ found: UInt,
        _ session: UnsafeMutablePointer<Session>
    ) -> LocatedEntry {
        finallyLocated(found == 0 ? findAbove { $0.find(key, tag: tag) } : found, session)
    }

    @inline(__always)
    private func finallyLocated(_ bits: UInt, _ session: UnsafeMutablePointer<Session>) -> LocatedEntry {
        if bits == 0 {
            session.pointee.leaveSection()
            return located(LocatedEntry.missing, session)
        }
        return located(bits | (watched.isObserved ? 3 : 2), session)
    }

    @inline(__always)
    private func findHere(_ find: (Registry) -> UInt) -> UInt {
        unretainedRegistry._withUnsafeGuaranteedRef(find)
    }

    @inline(__always)
    private func findAbove(_ find: (Registry) -> UInt) -> UInt {
        guard var level = unretainedParent else { return 0 }
        while true {
            let bits = level._withUnsafeGuaranteedRef { $0.findHere(find) }
            if bits != 0 { return bits }
            guard let next = level._withUnsafeGuaranteedRef({ $0.unretainedParent }) else { return 0 }
            level = next
        }
    }

    /// Options are compared by a user's `==`, which may resolve and so end a reading section: the entry that is found is
    /// held until it is seen to be still registered in a section of its own.
    @inline(never)
    private func locateComparing(_ key: ServiceKey, _ tag: KeyTag, _ session: UnsafeMutablePointer<Session>)
        -> LocatedEntry
    {
        for level in sequence(first: self, next: \.parent) {
            let registry = level.registry
            while let entry = registry.entry(for: key) {
                session.pointee.enterSection()
                if registry.holds(entry, tag: tag) {
                    return finallyLocated(Unmanaged.passUnretained(entry).bits, session)
                }
                session.pointee.leaveSection()
            }
        }
        return located(LocatedEntry.missing, session)
    }
}
