// Unsafe: the look-up walks the parents without retaining them; each is held by its child, and this one by the caller.

extension ResolutionContext {
    /// Finds the registration of a type without arguments and name in the registry of this context or the nearest one
    /// above, for a resolver that several threads use.
    ///
    /// Takes no lock. What is found stays valid until the request is over although another thread may replace it.
    public func unsafeLocate(unnamed serviceType: Any.Type) -> UnsafeLocatedEntry {
        guard let session = ThreadSessions.fast(threadKey) else { return locateOutsideStorage(unnamed: serviceType) }
        return locate(unnamed: serviceType, session)
    }

    /// Finds the registration of a key in the registry of this context or the nearest one above, for a resolver that
    /// several threads use.
    public func unsafeLocate(_ key: ServiceKey) -> UnsafeLocatedEntry {
        guard let session = ThreadSessions.fast(threadKey) else { return locateOutsideStorage(key) }
        return locate(key, session)
    }

    /// The lookup of a thread that has no session yet, or that is inside of a storage: the request is to leave that first.
    // Apart so that the usual lookup needs no stack.
    @inline(never)
    private func locateOutsideStorage(_ key: ServiceKey) -> UnsafeLocatedEntry {
        let session = ThreadSessions.current
        let located = locate(key, session)
        return session.pointee.inside == nil ? located : located.onSlowPath
    }

    @inline(never)
    private func locateOutsideStorage(unnamed serviceType: Any.Type) -> UnsafeLocatedEntry {
        locateOutsideStorage(ServiceKey(serviceType: serviceType))
    }

    @inline(__always)
    private func locate(unnamed serviceType: Any.Type, _ session: UnsafeMutablePointer<Session>) -> UnsafeLocatedEntry {
        session.pointee.enterSection()
        let tag = KeyTag(unnamed: serviceType)
        let bits = unretainedRegistry._withUnsafeGuaranteedRef { $0.find(unique: tag) }
        if bits == 0 || watched.needsSlowPath { return locateFurther(unnamed: serviceType, bits, session) }
        return located(bits | 2, session)
    }

    @inline(__always)
    func locate(_ key: ServiceKey, _ session: UnsafeMutablePointer<Session>) -> UnsafeLocatedEntry {
        let tag = KeyTag(key)
        if key.boxedOption != nil { return locateComparing(key, tag, session) }
        session.pointee.enterSection()
        let bits = findHere { $0.find(key, tag: tag) }
        if bits == 0 || watched.needsSlowPath { return locateFurther(key, tag, bits, session) }
        return located(bits | 2, session)
    }

    @inline(__always)
    private func located(_ bits: UInt, _ session: UnsafeMutablePointer<Session>) -> UnsafeLocatedEntry {
        UnsafeLocatedEntry(bits: bits, session: session, context: Unmanaged.passUnretained(self))
    }

    // The rest of a look-up is apart so that the usual one needs no stack.

    @inline(never)
    private func locateFurther(
        unnamed serviceType: Any.Type,
        _ found: UInt,
        _ session: UnsafeMutablePointer<Session>
    ) -> UnsafeLocatedEntry {
        let tag = KeyTag(unnamed: serviceType)
        return finallyLocated(found == 0 ? findAbove { $0.find(unique: tag) } : found, session)
    }

    @inline(never)
    private func locateFurther(
        _ key: ServiceKey,
        _ tag: KeyTag,
        _ found: UInt,
        _ session: UnsafeMutablePointer<Session>
    ) -> UnsafeLocatedEntry {
        finallyLocated(found == 0 ? findAbove { $0.find(key, tag: tag) } : found, session)
    }

    @inline(__always)
    private func finallyLocated(_ bits: UInt, _ session: UnsafeMutablePointer<Session>) -> UnsafeLocatedEntry {
        if bits == 0 {
            session.pointee.leaveSection()
            return located(UnsafeLocatedEntry.missing, session)
        }
        return located(bits | 2 | closerLookBit(of: bits), session)
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
        -> UnsafeLocatedEntry
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
        return located(UnsafeLocatedEntry.missing, session)
    }
}
