/// A resolver that takes registrations.
///
/// What is registered in any form ends as an entry, and an entry that forwards a type registers itself where the entry
/// that it stands for is. A resolver with a registry of its own conforms, and its entries can then be configured like
/// those of a ``Container``:
///
///     func add(_ entry: AnyServiceEntry) {
///         context.adopt(entry)
///         if let replaced = registry.insert(entry) { context.retire(replaced) }
///     }
public protocol ServiceRegistrar: Resolver {
    /// Puts an entry under its key, in place of the one that is there.
    func add(_ entry: AnyServiceEntry)

    /// An entry was added that answers for a type with the instances of another entry. The default does nothing.
    func didForward<Forwarded, Service>(_ type: Forwarded.Type, name: String?, to entry: ServiceEntry<Service>)
}

extension ServiceRegistrar {
    /// Nothing to do.
    public func didForward<Forwarded, Service>(
        _ type: Forwarded.Type,
        name: String?,
        to entry: ServiceEntry<Service>
    ) {}
}
