import DICore
import DIWrappers

/// A wrapper that an instance keeps and that anybody may open who may have the instance. All use of wrappers is in this file.
struct FuzzWrapper: Sendable {
    let service: Int
    let open: @Sendable () throws -> FuzzItem

    static func lazy<Tag>(_ service: Int, _ tag: Tag.Type, from resolver: any Resolver) throws -> FuzzWrapper {
        if resolver is Container {
            let lazy = Confined(wrapper: try resolver.require(Lazy<FuzzService<Tag>>.self))
            return FuzzWrapper(service: service) { try lazy.wrapper.get() }
        }
        let lazy = try resolver.require(SendableLazy<FuzzService<Tag>>.self)
        return FuzzWrapper(service: service) { try lazy.get() }
    }

    static func openedAtOnce<Tag>(_ tag: Tag.Type, from resolver: any Resolver) throws -> FuzzItem {
        if resolver is Container { return try resolver.require(Lazy<FuzzService<Tag>>.self).get() }
        return try resolver.require(SendableLazy<FuzzService<Tag>>.self).get()
    }

    static func provided<Tag>(_ tag: Tag.Type, from resolver: any Resolver) throws -> FuzzItem {
        if resolver is Container { return try resolver.require(Provider<FuzzService<Tag>>.self).get() }
        return try resolver.require(SendableProvider<FuzzService<Tag>>.self).get()
    }

    /// What a plain container gives, on the thread to which it is confined.
    private struct Confined<Wrapper>: @unchecked Sendable {
        // Unchecked: an instance that a confined container has built is asked on the thread of that container alone.
        let wrapper: Wrapper
    }
}
