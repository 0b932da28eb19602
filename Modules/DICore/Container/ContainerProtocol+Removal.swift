extension ContainerProtocol {
    /// Removes the registration of a type without arguments, here and not in the parents.
    ///
    /// Its factory and instances are released; whoever holds an instance keeps it.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func remove<Service>(_ serviceType: Service.Type, name: String? = nil) -> Bool {
        remove(ServiceKey(serviceType: serviceType, name: name))
    }

    /// Removes the registration of a key, here and not in the parents.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(_ key: ServiceKey) -> Bool {
        context.changing {
            var isRemoved = false
            // What the entry held is no part of what is being built.
            Session.aside(context.session) {
                guard let removed = context.registry.remove(key) else { return }
                context.retire(removed)
                ResolutionEvent.report(.removed, of: removed, in: context)
                isRemoved = true
            }
            return isRemoved
        }
    }

    /// Removes all registrations, here and not in the parents.
    public func removeAll() {
        context.changing {
            Session.aside(context.session) {
                let removed = context.registry.removeAll()
                let kept = context.removePrivateStorages()
                for entry in removed {
                    context.retire(entry)
                    ResolutionEvent.report(.removed, of: entry, in: context)
                }
                withExtendedLifetime(kept) {}
            }
        }
    }

    /// Whether a type has a registration under the name, with whatever arguments, here or in a parent. Runs no factory.
    ///
    /// - Complexity: one look-up when it is registered without arguments; otherwise looks at every registration.
    public func hasAnyRegistration<Service>(of serviceType: Service.Type, name: String? = nil) -> Bool {
        if registration(of: ServiceKey(serviceType: serviceType, name: name)) != nil { return true }
        return levels.contains { level in
            level.registry.entries.contains {
                $0.serviceType == serviceType && $0.name == name && !$0.isContribution
            }
        }
    }
}
