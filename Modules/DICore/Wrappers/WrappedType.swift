/// What a wrapper type wraps, as far as it can be told from the type.
struct WrappedType {
    let type: Any.Type
    let traits: WrapperTraits

    /// Nil when the type is no wrapper.
    init?(of wrapper: Any.Type) {
        guard let wrapperType = wrapper as? any InstanceWrapper.Type else { return nil }
        func open<Wrapper: InstanceWrapper>(_ type: Wrapper.Type) -> (Any.Type, WrapperTraits) {
            (Wrapper.Wrapped.self, Wrapper.traits)
        }
        (type, traits) = open(wrapperType)
    }
}
