/// What a lazy wrapper has built. An object, since code that is not specialised pays for looking at an optional of any type.
final class OpenedInstance<Service> {
    let instance: Service

    init(_ instance: Service) {
        self.instance = instance
    }
}

extension OpenedInstance: Sendable where Service: Sendable {}
