import DIThreadSafe

// The parts of a step that concern one thread alone.

extension ExploredWorld {
    mutating func set(_ thread: Int, _ stage: ExploredThread.Stage) {
        edit(thread) { $0.stage = stage }
    }

    mutating func edit(_ thread: Int, _ change: (inout ExploredThread.Request) -> Void) {
        change(&threads[thread].stack[threads[thread].stack.count - 1])
    }

    mutating func ask(_ thread: Int, _ service: Int) {
        threads[thread].stack.append(ExploredThread.Request(service: service))
    }

    /// Takes the decision for a claim.
    mutating func take(_ decision: Table.Decision, _ thread: Int, _ slot: Int) {
        switch decision {
        case .lookAgain, .released, .loansFailed: set(thread, .look)
        case .borrow: set(thread, .readBorrowed)
        case .failed(let failure): finish(thread, .failure(failure))
        case .deadlock(_, let held):
            if !wiring.hasCycleOfObservers {
                violation = violation ?? "thread \(thread) fails with a deadlock and there is no cycle"
            }
            failForEver(thread, held: held)
        }
    }

    mutating func failForEver(_ thread: Int, held: Int?) {
        if held == nil { violation = violation ?? "thread \(thread) fails over a wish that has been granted" }
        let frames = threads[thread].stack
        if let last = frames.indices.last(where: { frames[$0].isClaimed && frames[$0].service == held }) {
            threads[thread].doom(.deadlock, backTo: last)
        }
        finish(thread, .failure(.deadlock))
    }

    mutating func takeArrival(_ decision: Table.Decision, _ thread: Int) {
        guard case .loansFailed(let failed) = decision else { return succeed(thread) }
        let frame = threads[thread].stack.count - 1
        let held = failed.first { failed in
            threads[thread].loans.contains { $0.number == failed.number && $0.frame == frame }
        }
        revokeHolders(of: failed, thread)
        if let held { return fail(thread, held.failure) }
        set(thread, .arrive)
    }

    mutating func takeFailingArrival(_ decision: Table.Decision, _ thread: Int, _ failure: Failure) {
        guard case .loansFailed(let failed) = decision else { return endFailing(thread, failure) }
        revokeHolders(of: failed, thread)
        set(thread, .arriveFailing(failure))
    }

    private mutating func revokeHolders(of failed: [Table.FailedLoan], _ thread: Int) {
        for failed in failed {
            let holders = threads[thread].provisional.filter { $0.borrowed.contains(failed.number) }
            threads[thread].provisional.removeAll { $0.borrowed.contains(failed.number) }
            end(thread, holders, failed.failure)
        }
    }

    /// Whether a wish that has been granted leads back to a thread that has begun to wait.
    func wishLeadsBack(_ thread: Int) -> Bool {
        guard fault == .edgeOutlivesCause else { return false }
        var seen: Set<Int> = []
        var next = wishes[thread].flatMap { slots[$0].builder }
        while let builder = next, seen.insert(builder).inserted {
            guard let wish = wishes[builder] else { return false }
            // Built when the wish was made: by the thread that begins to wait now.
            if table.hasDecision(for: builder), slots[wish].ready != nil { return true }
            next = slots[wish].builder
        }
        return false
    }

    // MARK: Frames

    mutating func construct(_ thread: Int, _ slot: Int) {
        let frames = threads[thread].stack.indices.dropLast().filter { threads[thread].stack[$0].isFrame }
        if let innermost = frames.last(where: { threads[thread].stack[$0].service == slot }) {
            let hasWayOut = frames.contains { index in
                let frame = threads[thread].stack[index]
                return index > innermost && frame.isCompleting
                    && (slots[frame.service].ready ?? slots[frame.service].unfinished) != nil
            }
            guard hasWayOut else {
                threads[thread].doom(.circular, backTo: innermost)
                if threads[thread].stack.last?.isClaimed == true { endClaim(thread, slot, .circular, isOwn: false) }
                return set(thread, .ending(.failure(.circular)))
            }
            for index in frames where threads[thread].stack[index].service == slot {
                threads[thread].stack[index].isReentered = true
            }
        }
        edit(thread) { $0.isFrame = true }
        set(thread, .constructor(0))
    }

    /// The callbacks of an instance have run.
    mutating func complete(_ thread: Int) {
        if let instance = threads[thread].stack.last?.instance { instances[instance].isDone = true }
        set(thread, .arrive)
    }

    /// First part of the end of a frame: all is decided. The second and third are `pop`.
    mutating func succeed(_ thread: Int) {
        let frame = threads[thread].stack.count - 1
        let top = threads[thread].stack[frame]
        let parent = threads[thread].stack.indices.last { $0 < frame && threads[thread].stack[$0].isFrame }
        let own = ExploredThread.Provisional(
            order: threads[thread].nextProvisional,
            service: top.service,
            instance: top.isKept ? top.instance : nil,
            number: top.number,
            isClaimed: top.isClaimed,
            holdsUnfinished: top.holdsUnfinished,
            borrowed: threads[thread].moveLoans(from: frame, to: parent),
            root: top.borrowedFrom ?? frame
        )
        if top.awaitsLoans {
            threads[thread].loans = []
            threads[thread].endings.append(.leave)
        }
        if let parent, !own.borrowed.isEmpty { threads[thread].stack[parent].borrowsElsewhere = true }
        if let root = top.borrowedFrom {
            for index in threads[thread].provisional.indices {
                let known = threads[thread].provisional[index]
                let mayHold = top.isCompleting && known.order >= top.provisionalMark && known.holdsUnfinished
                let isHolding = mayHold && !own.borrowed.isEmpty && fault != .loansStayWithFrame
                guard known.root == frame || isHolding else { continue }
                threads[thread].provisional[index].root = root
                threads[thread].provisional[index].borrowed += own.borrowed
            }
            if own.instance != nil || own.isClaimed {
                threads[thread].nextProvisional += 1
                threads[thread].provisional.append(own)
            }
            if own.isClaimed { table.provisional(top.service, by: thread) }
            if let parent, parent != root {
                threads[thread].borrow(parent, from: root, holdsUnfinished: top.holdsUnfinished)
            }
        } else {
            let complete = threads[thread].provisional.filter { $0.root == frame }
            threads[thread].provisional.removeAll { $0.root == frame }
            end(thread, [own] + complete, nil)
        }
        set(thread, .ending(.instance(top.instance!)))
        // Told too early: what is resolved now depends on a frame that has collected its dependents.
        if fault == .observerBeforePop, let observed = wiring.services[top.service].observed { ask(thread, observed) }
    }

    mutating func fail(_ thread: Int, _ thrown: Failure?) {
        let frame = threads[thread].stack.count - 1
        let top = threads[thread].stack[frame]
        var failure = thrown ?? .deadlock
        var isOwn = true
        if top.isDoomed, let verdict = threads[thread].verdicts.last {
            failure = verdict.failure
            isOwn = verdict.last == frame && !verdict.reachesFurther
            threads[thread].verdicts.removeAll { $0.last == frame }
        }
        if failure == .deadlock { isOwn = false }
        if top.isKept, let instance = top.instance {
            threads[thread].endings.append(.revoke(top.service, instance))
            if let number = top.number { threads[thread].endings.append(.revoked(number, failure)) }
        }
        _ = threads[thread].moveLoans(from: frame, to: nil)
        var revoked: [ExploredThread.Provisional] = []
        if top.isCompleting {
            let isRevoked = { (known: ExploredThread.Provisional) in
                known.order >= top.provisionalMark && known.holdsUnfinished
            }
            revoked = threads[thread].provisional.filter(isRevoked)
            threads[thread].provisional.removeAll(where: isRevoked)
        }
        end(thread, revoked, failure)
        if top.isClaimed { endClaim(thread, top.service, failure, isOwn: isOwn) }
        guard top.awaitsLoans else {
            return set(thread, .ending(.failure(failure)))
        }
        if threads[thread].provisional.contains(where: { $0.root == frame }) {
            set(thread, .arriveFailing(failure))
        } else {
            endFailing(thread, failure)
        }
    }

    /// Ends the claim of a request that has built nothing itself, or lets it go on with what a request inside has built.
    private mutating func endClaim(_ thread: Int, _ slot: Int, _ failure: Failure, isOwn: Bool) {
        let inner = threads[thread].provisional.lastIndex { $0.service == slot && $0.instance != nil }
        guard let inner, fault != .claimEndsBeforeInstance else {
            return threads[thread].endings.append(.settle(slot, nil, failure, isOwn: isOwn))
        }
        threads[thread].provisional[inner].isClaimed = true
        table.provisional(slot, by: thread)
    }

    /// The loans of a thread whose outermost frame has failed are over.
    mutating func endFailing(_ thread: Int, _ failure: Failure) {
        let frame = threads[thread].stack.count - 1
        let rest = threads[thread].provisional.filter { $0.root == frame }
        threads[thread].provisional.removeAll { $0.root == frame }
        end(thread, rest, nil)
        threads[thread].loans = []
        threads[thread].endings.append(.leave)
        set(thread, .ending(.failure(failure)))
    }

    /// The steps by which instances that depended on a frame are published or revoked, and their claims end.
    private mutating func end(_ thread: Int, _ all: [ExploredThread.Provisional], _ failure: Failure?) {
        var instances: [ExploredThread.Ending] = []
        var claims: [ExploredThread.Ending] = []
        for provisional in all {
            let slot = provisional.service
            if let instance = provisional.instance {
                instances.append(failure == nil ? .publish(slot, instance) : .revoke(slot, instance))
                if let failure, let number = provisional.number { instances.append(.revoked(number, failure)) }
            }
            if provisional.isClaimed {
                claims.append(.settle(slot, failure == nil ? provisional.number : nil, failure, isOwn: false))
            } else if failure == nil, provisional.instance != nil {
                claims.append(
                    fault == .innerEndSettles
                        ? .settle(slot, provisional.number, nil, isOwn: true) : .published(slot, provisional.number)
                )
            }
        }
        threads[thread].endings += instances + claims
    }

    /// One of those steps.
    mutating func end(_ thread: Int, _ ending: ExploredThread.Ending) {
        switch ending {
        case .publish(let slot, let instance):
            guard slots[slot].unfinished == instance else { return }
            slots[slot].unfinished = nil
            slots[slot].ready = instance
        case .revoke(let slot, let instance):
            let isBlind = wiring.services[slot].hasNoCell
            if isBlind || slots[slot].unfinished == instance { slots[slot].unfinished = nil }
            if isBlind || slots[slot].ready == instance { slots[slot].ready = nil }
        case .settle(let slot, let number, let failure, let isOwn):
            if slots[slot].builder == thread { slots[slot].builder = nil }
            table.settle(slot, by: thread, with: number, failure, isOwn: isOwn)
        case .revoked(let number, let failure):
            if fault != .innerFailureUntold { table.revoked(number, failure) }
        case .published(let slot, let number):
            if number != nil || slots[slot].builder == thread { table.published(number, in: slot, by: thread) }
        case .leave: table.leave(thread)
        }
    }

    /// Pops a frame or a request that has none; then observers are told.
    mutating func pop(_ thread: Int, _ outcome: ExploredThread.Outcome) {
        let top = threads[thread].stack[threads[thread].stack.count - 1]
        if fault != .observerBeforePop, top.isFrame, case .instance = outcome,
            let observed = wiring.services[top.service].observed
        {
            edit(thread) { $0.isFrame = false }
            edit(thread) { $0.isCompleting = false }
            set(thread, .observing(outcome))
            return ask(thread, observed)
        }
        finish(thread, outcome)
    }

    /// Hands the outcome of the innermost request to the one around it.
    mutating func finish(_ thread: Int, _ outcome: ExploredThread.Outcome) {
        threads[thread].stack.removeLast()
        guard let outer = threads[thread].stack.last else {
            check(thread, outcome)
            return results[thread].append(outcome)
        }
        switch (outer.stage, outcome) {
        case (.constructor(let index), .instance(let instance)):
            edit(thread) { $0.parts.append(instance) }
            set(thread, .constructor(index + 1))
        case (.callback(let index), .instance(let instance)):
            if let own = outer.instance {
                instances[own] = Instance(service: outer.service, parts: instances[own].parts + [instance])
            }
            set(thread, .callback(index + 1))
        case (.constructor(let index), .failure) where wiring.services[outer.service].swallows:
            set(thread, .constructor(index + 1))
        case (.callback(let index), .failure) where wiring.services[outer.service].swallows:
            set(thread, .callback(index + 1))
        case (.constructor, .failure(let failure)), (.callback, .failure(let failure)): fail(thread, failure)
        // An observer's request.
        default: break
        }
    }

    /// What a caller is given is finished, with all that can be reached from it.
    private mutating func check(_ thread: Int, _ outcome: ExploredThread.Outcome) {
        guard case .instance(let instance) = outcome else {
            if case .failure(.thrown(let service)) = outcome, !wiring.canReach(service, from: threads[thread].asked) {
                violation = violation ?? "thread \(thread) fails with what \(service) threw, which it does not need"
            }
            let isWrong =
                outcome == .failure(.circular)
                ? !wiring.hasCycle
                : outcome == .failure(.deadlock) && !wiring.hasCycleOfObservers
            if isWrong {
                violation = violation ?? "thread \(thread) fails with \(outcome) and there is no cycle"
            }
            return
        }
        var seen: Set<Int> = []
        var open = [instance]
        while let next = open.popLast() {
            guard seen.insert(next).inserted else { continue }
            if !instances[next].isDone {
                violation = violation ?? "thread \(thread) is given \(instance), which holds the unfinished \(next)"
            }
            open += instances[next].parts
        }
    }
}
