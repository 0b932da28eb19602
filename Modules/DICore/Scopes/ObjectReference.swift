/// Tells instances of classes from all else.
///
/// `value as AnyObject` would not do: it boxes a value type, and the box may live for ever or die at once.
public enum ObjectReference {
    /// The object that a value is, or nil when the value's type is not a class. An Optional is looked into.
    public static func object(in value: Any) -> AnyObject? {
        if type(of: value) is AnyObject.Type { return value as AnyObject }
        guard let optional = value as? any OptionalValue else { return nil }
        return optional.wrappedValue.flatMap(object(in:))
    }
}

private protocol OptionalValue {
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrappedValue: Any? { map { $0 as Any } }
}
