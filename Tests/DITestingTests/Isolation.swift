import DICore
import DIScopes
import DITesting
import DIThreadSafe

/// What one test of many in parallel does: overrides the same keys of one container as all others, and looks at what it
/// sees everywhere.
enum Isolation {
    /// The names that are not the one of the test, and where they were seen.
    static func namesSeen(by name: String, over shared: ThreadSafeContainer) async -> [String] {
        let (seen, late) = await withOverrides(of: shared) {
            $0.register((any Clock).self, scope: .container) { _ in WallClock(name) }
        } operation: { box in
            var seen = [("first", box.resolve(Watch.self)?.clock.name)]
            await Task.yield()
            let singleton = box.resolve(Watch.self)
            seen.append(("again", singleton?.clock.name))
            // A child task, a group of them, and one that is awaited when the overrides are over.
            async let child = CurrentResolver.resolver?.resolve(Watch.self)
            let isShared = await child === singleton
            if !isShared { seen.append(("child", nil)) }
            await withTaskGroup(of: String?.self) { group in
                for _ in 0..<4 {
                    group.addTask { CurrentResolver.resolver?.resolve((any Clock).self)?.name }
                }
                for await name in group { seen.append(("group", name)) }
            }
            let late = Task {
                await Task.yield()
                return CurrentResolver.resolver?.resolve(Watch.self)?.clock.name
            }
            return (seen, late)
        }
        let all = seen + [("late", await late.value)]
        return all.filter { $0.1 != name }.map { "\($0.0): \($0.1 ?? "nil")" }
    }
}
