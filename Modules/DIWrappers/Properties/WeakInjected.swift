internal import DICore

/// A property that fills itself when its owner is made, and does not hold what it was given.
///
///     final class Editor {
///         @WeakInjected var delegate: (any EditorDelegate)?
///     }
///
/// It is nil when nothing is registered, and when nobody holds the object any more. A value that is no object is never
/// held. Traps with the text of the error when a registered service cannot be resolved, or when there is no resolver: when
/// it is read or, with a name or arguments, when the owner is made. An initializer that fills the property is described at
/// ``Injected``.
@propertyWrapper
public struct WeakInjected<Object>: InjectedProperty {
    private weak var object: AnyObject?
    private var failure: ResolutionError?

    /// The object, while somebody holds it.
    public var wrappedValue: Object? {
        if let failure { notInjected(failure) }
        // Not in one step: a cast of nil to a class type is miscompiled where this is specialised.
        guard let object else { return nil }
        return object as? Object
    }

    /// This wrapper, to look at the object or to replace it.
    public var projectedValue: WeakInjected {
        get { self }
        set { self = newValue }
    }

    /// Resolves the request.
    public init(_ request: InjectionRequest<Object?>) {
        object = injected(request.instance).flatMap { ObjectReference.object(in: $0) }
    }

    /// Resolves the service of the property's type from the current resolver. A failure is told where the property is read;
    /// see ``Injected/init()``.
    public init() {
        do throws(ResolutionError) {
            let resolver = try CurrentResolver.get(for: ServiceKey(serviceType: Object.self))
            object = try resolver.require(Object?.self).flatMap { ObjectReference.object(in: $0) }
        } catch {
            failure = error
        }
    }

    /// Puts another object in place of the one that was resolved.
    public mutating func replace(with instance: Object?) {
        object = instance.flatMap { ObjectReference.object(in: $0) }
        failure = nil
    }
}

// Unchecked: a weak reference may be read on any thread, and what it refers to is `Sendable`.
extension WeakInjected: @unchecked Sendable where Object: Sendable {}
