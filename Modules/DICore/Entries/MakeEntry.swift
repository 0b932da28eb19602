// The forms of a factory: without, with one, two, and three or more runtime arguments. Functions, since a static method of a
// generic class would have to be handed its metatype, which costs a look-up in code that is not specialised.

@usableFromInline
func makeEntry<Service>(
    _ terms: EntryTerms,
    _ factory: @escaping (any Resolver) throws -> Service
) -> TypedEntry<Service> {
    FactoryEntry(terms, factory)
}

@usableFromInline
func makeEntry<Service, Argument>(
    _ terms: EntryTerms,
    _ factory: @escaping (any Resolver, Argument) throws -> Service
) -> TypedEntry<Service> {
    ArgumentFactoryEntry(terms, factory)
}

func makeEntry<Service, First, Second>(
    _ terms: EntryTerms,
    _ factory: @escaping (any Resolver, First, Second) throws -> Service
) -> TypedEntry<Service> {
    TwoArgumentsFactoryEntry(terms, factory)
}

func makeEntry<Service, First, Second, Third, each Argument>(
    _ terms: EntryTerms,
    _ factory: @escaping (any Resolver, First, Second, Third, repeat each Argument) throws -> Service
) -> TypedEntry<Service> {
    ArgumentsFactoryEntry<Service, First, Second, Third, repeat each Argument>(
        ServiceKey(
            Service.self,
            arguments: First.self,
            Second.self,
            Third.self,
            repeat (each Argument).self,
            name: terms.name,
            option: terms.option
        ),
        terms,
        factory
    )
}
