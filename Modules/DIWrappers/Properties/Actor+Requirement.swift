internal import DICore
internal import Dispatch

extension Actor {
    /// Ends the program with a message when the calling code does not run on this actor.
    ///
    /// The compiler proves isolation where it can; this is for code that it cannot see through. The check of the
    /// standard library says nothing of its message for the main actor on every platform, so that one is told by its
    /// queue.
    nonisolated func requireIsolation(_ message: @autoclosure () -> String) {
        if (self as AnyObject) !== MainActor.shared {
            preconditionIsolated(message())
        } else if DispatchQueue.getSpecific(key: MainQueue.key) == nil {
            fatalError(message())
        }
    }

    /// Whether the calling code is known to run on this actor. There is no way to ask that of every actor: false says nothing.
    nonisolated var isCertainlyCurrent: Bool {
        (self as AnyObject) === MainActor.shared && DispatchQueue.getSpecific(key: MainQueue.key) != nil
    }
}

private enum MainQueue {
    static let key: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()
}

extension InstanceProvider {
    /// Ends the program when a wrapper that was handed to other code is used off the actor that its factory belongs to.
    func requireIsolation() {
        isolation?.requireIsolation("\(key) was registered on an actor and can be built there alone")
    }
}

extension SendableInstanceProvider {
    /// Ends the program when a wrapper that was handed to other code is used off the actor that its factory belongs to.
    func requireIsolation() {
        isolation?.requireIsolation("\(key) was registered on an actor and can be built there alone")
    }
}
