// Not compiled where there is no SwiftUI, which includes the machines that check this project: kept as small as it can be.
#if canImport(SwiftUI)
public import DICore
public import SwiftUI

extension EnvironmentValues {
    /// The resolver for the views below: `.environment(\.resolver, container)`. Nil where nobody has set one.
    @Entry public var resolver: (any Resolver & Sendable)? = nil
}

/// Injected properties of a view are resolved when the view's value is made, from the current resolver.
extension Injected: DynamicProperty {}
extension LazyInjected: DynamicProperty {}
extension ProvidedInjected: DynamicProperty {}
extension WeakInjected: DynamicProperty {}
#endif
