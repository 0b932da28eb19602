/// A resolver that takes registrations.
///
/// What is registered in any form ends as an entry, and an entry that forwards a type registers itself where the entry
/// that it stands for is. A resolver with registrations of its own conforms, and its entries can then be configured like
/// those of a ``Container``:
///
///     func add(_ entry: AnyServiceEntry) { context.add(entry) }
///
/// A registration belongs to one container: to add it to another one as well ends the program with a message.
public protocol ServiceRegistrar: Resolver {
    /// Puts an entry under its key, in place of the one that is there.
    func add(_ entry: AnyServiceEntry)

    /// An entry was added that answers for a type with the instances of another entry. The default does nothing.
    func didForward<Forwarded, Service>(_ type: Forwarded.Type, name: String?, to entry: ServiceEntry<Service>)
}

extension ServiceRegistrar {
    /// Puts the registration of a handle under its key, such as one that was made with
    /// ``ServiceEntry/make(name:option:scope:fileID:line:factory:)-(_,_,_,_,_,(Resolver)->Service)``.
    public func add(_ entry: some ConfigurableEntry) { add(entry.anyEntry) }

    /// Nothing to do.
    public func didForward<Forwarded, Service>(
        _ type: Forwarded.Type,
        name: String?,
        to entry: ServiceEntry<Service>
    ) {}
}
