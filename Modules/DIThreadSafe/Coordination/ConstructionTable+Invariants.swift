extension ConstructionTable {
    /// The violations of what holds between two operations; empty when all is well.
    package func checkInvariants() -> [String] {
        var violations: [String] = []
        func expect(_ isTrue: Bool, _ text: @autoclosure () -> String) {
            if !isTrue { violations.append(text()) }
        }
        for (session, waiter) in waiters {
            expect(!waiter.isIdle, "\(session) is kept for nothing")
            expect(waiter.wait == nil || waiter.decision == nil, "\(session) waits although it has a decision")
            if case .construction(let slot, _) = waiter.wait {
                expect(constructions[slot] != nil, "\(session) waits for \(slot), which nobody builds")
                expect(constructions[slot]?.builder != session, "\(session) waits for \(slot), which it builds itself")
            }
            for (number, loan) in waiter.loans where loan.failure == nil {
                expect(
                    unfinished[number]?.slot == loan.slot,
                    "\(session) has a loan of \(loan.slot), which was settled"
                )
            }
            if case .loans = waiter.wait {
                expect(!waiter.loans.isEmpty, "\(session) waits for no loan")
                expect(
                    waiter.loans.values.allSatisfy { $0.failure == nil },
                    "\(session) waits for a loan that has failed"
                )
                expect(waiter.loans.values.allSatisfy(\.isTaken), "\(session) waits for a loan that it has not taken")
            }
            expect(waitCycle(through: session) == nil, "\(session) sleeps in a wait cycle")
        }
        return violations
    }

    /// Checks the invariants where assertions are compiled in.
    func assertInvariants() {
        assert(checkInvariants().isEmpty, "\(checkInvariants())")
    }
}
