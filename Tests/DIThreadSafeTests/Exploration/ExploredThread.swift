import DIThreadSafe

/// What one thread is doing: the stack of its requests, as the resolution algorithm has it.
struct ExploredThread: Hashable {
    enum Failure: Hashable {
        case circular
        case deadlock
        case thrown(Int)
    }

    enum Outcome: Hashable {
        case instance(Int)
        case failure(Failure)
    }

    /// The next step of a request. Each reads or changes once what threads share.
    enum Stage: Hashable {
        case look
        case claim
        case sleep
        case lookAfterClaim
        case readBorrowed
        case confirm(found: Int?)
        case construct
        case constructor(Int)
        case factoryEnded
        case store
        case put
        case tellStored
        case callback(Int)
        case arrive
        case sleepForLoans
        /// The outermost frame has failed, and what does not depend on it waits for what it was lent.
        case arriveFailing(Failure)
        case sleepFailing(Failure)
        case ending(Outcome)
        case observing(Outcome)
    }

    /// A request, and its frame once it is being built.
    struct Request: Hashable {
        let service: Int
        var stage = Stage.look
        var isFrame = false
        var isClaimed = false
        var isReentered = false
        var isDoomed = false
        var isCompleting = false
        var borrowsElsewhere = false
        var awaitsLoans = false
        var holdsUnfinished = false
        /// The outer frame on whose success it depends, by its place on the stack.
        var borrowedFrom: Int?
        var provisionalMark = 0
        var parts: [Int] = []
        var instance: Int?
        var isKept = false
        /// The number under which it was stored unfinished, if it was.
        var number: UInt?
    }

    /// An instance that depends on an outer frame, and the claim that goes on with it.
    struct Provisional: Hashable {
        let order: Int
        let service: Int
        let instance: Int?
        let number: UInt?
        var isClaimed: Bool
        let holdsUnfinished: Bool
        /// The numbers of other threads' instances that it holds.
        var borrowed: [UInt]
        var root: Int
    }

    /// An unfinished instance of another thread, and the frame that holds it.
    struct Loan: Hashable {
        let number: UInt
        var frame: Int?
    }

    struct Verdict: Hashable {
        let failure: Failure
        let last: Int
        let reachesFurther: Bool
    }

    /// A step of the end of a frame.
    enum Ending: Hashable {
        case publish(Int, Int)
        case revoke(Int, Int)
        case revoked(UInt, Failure)
        case settle(Int, UInt?, Failure?, isOwn: Bool)
        case published(Int, UInt?)
        case leave
    }

    var remaining: [ExploredWiring.Operation]
    /// What the outermost request asks for.
    var asked = 0
    var stack: [Request] = []
    var provisional: [Provisional] = []
    var nextProvisional = 0
    var loans: [Loan] = []
    var verdicts: [Verdict] = []
    var endings: [Ending] = []

    var isOver: Bool { remaining.isEmpty && stack.isEmpty && endings.isEmpty }

    /// The innermost frame, but for a request that is none yet.
    var topFrame: Int? { stack.indices.last { stack[$0].isFrame } }

    var outermostFrame: Int? { stack.indices.first { stack[$0].isFrame } }

    /// What a request may be given of another thread's construction.
    var waitTerms: ClaimTerms {
        let observing = stack.lastIndex { if case .observing = $0.stage { true } else { false } } ?? 0
        if stack[..<observing].contains(where: \.isFrame) { return .finishedAside }
        return topFrame != nil ? .unfinished : .finished
    }

    /// Makes a frame depend on an outer one, or on the outermost of this and that before.
    mutating func borrow(_ frame: Int, from root: Int, holdsUnfinished: Bool) {
        if holdsUnfinished { stack[frame].holdsUnfinished = true }
        stack[frame].borrowedFrom = min(stack[frame].borrowedFrom ?? root, root)
    }

    /// The innermost frame depends on an instance that is not finished.
    mutating func noteBorrowing(of service: Int) {
        guard let top = topFrame else { return }
        if let frame = stack.indices.last(where: { stack[$0].service == service && stack[$0].isCompleting }) {
            if frame != top { borrow(top, from: frame, holdsUnfinished: true) }
        } else if let known = provisional.last(where: { $0.service == service }) {
            if known.root != top { borrow(top, from: known.root, holdsUnfinished: known.holdsUnfinished) }
            if !known.borrowed.isEmpty { stack[top].borrowsElsewhere = true }
            loans += known.borrowed.map { Loan(number: $0, frame: top) }
        }
    }

    /// Says that the loans of a frame that ends are held by the one around it, or by none. Returns their numbers.
    mutating func moveLoans(from frame: Int, to outer: Int?) -> [UInt] {
        var numbers: [UInt] = []
        for index in loans.indices where loans[index].frame == frame {
            loans[index].frame = outer
            numbers.append(loans[index].number)
        }
        return numbers
    }

    /// Fails all frames from the innermost back to one.
    mutating func doom(_ failure: Failure, backTo last: Int) {
        // What an observer asks for is no part of what is being built around it.
        let barrier = stack.lastIndex { if case .observing = $0.stage { true } else { false } } ?? -1
        let doomed = stack.indices.filter { $0 >= last && $0 > barrier && stack[$0].isFrame }
        for index in doomed { stack[index].isDoomed = true }
        if let outermost = doomed.first {
            verdicts.append(Verdict(failure: failure, last: outermost, reachesFurther: outermost != last))
        }
    }
}
