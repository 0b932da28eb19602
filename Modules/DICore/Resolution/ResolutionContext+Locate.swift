// Unsafe: the look-up walks the parents without retaining them; each is held by its child, and this one by the caller.

extension ResolutionContext {
    /// Finds the registration of a type without arguments and name in the registry of this context or the nearest one
    /// above, for a resolver that several threads use.
    ///
    /// Takes no lock. What is found stays valid until the request is over although another thread may replace it.
    public func locate(unnamed serviceType: Any.Type, for session: ResolutionSession) -> LocatedEntry {
        session.memory.pointee.enterSection()
        let tag = KeyTag(unnamed: serviceType)
        var bits = findHere { $0.find(unique: tag) }
        if bits == 0 { bits = findAbove { $0.find(unique: tag) } }
        return located(bits, session)
    }

    /// Finds the registration of a key in the registry of this context or the nearest one above, for a resolver that
    /// several threads use.
    public func locate(_ key: ServiceKey, for session: ResolutionSession) -> LocatedEntry {
        let tag = KeyTag(key)
        if key.option != nil { return locateComparing(key, tag, session) }
        session.memory.pointee.enterSection()
        var bits = findHere { $0.find(key, tag: tag) }
        if bits == 0 { bits = findAbove { $0.find(key, tag: tag) } }
        return located(bits, session)
    }

    @inline(__always)
    private func located(_ bits: UInt, _ session: ResolutionSession) -> LocatedEntry {
        var bits = bits
        if bits == 0 {
            session.memory.pointee.leaveSection()
        } else {
            bits |= needsCloserLook || isObserved ? 3 : 2
        }
        return LocatedEntry(bits: bits, session: session.memory, context: Unmanaged.passUnretained(self))
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
    private func locateComparing(_ key: ServiceKey, _ tag: KeyTag, _ session: ResolutionSession) -> LocatedEntry {
        for level in sequence(first: self, next: \.parent) {
            let registry = level.registry
            while let entry = registry.entry(for: key) {
                session.memory.pointee.enterSection()
                if registry.holds(entry, tag: tag) { return located(Unmanaged.passUnretained(entry).bits, session) }
                session.memory.pointee.leaveSection()
            }
        }
        return LocatedEntry(bits: 0, session: session.memory, context: Unmanaged.passUnretained(self))
    }
}
