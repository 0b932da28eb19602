import DICore
import DITestSupport

protocol Clock: AnyObject, Sendable {
    var name: String { get }
}

final class WallClock: Clock {
    private static let made = Counter()

    /// The number of the clock in the process.
    let number = made.add()
    let name: String
    init(_ name: String = "wall") { self.name = name }
}

protocol Alarm: AnyObject, Sendable {}
final class Bell: Alarm {}

final class Watch: Sendable {
    let clock: any Clock
    init(_ clock: any Clock) { self.clock = clock }
}

final class Drawer: Sendable {
    let watch: Watch
    init(_ watch: Watch) { self.watch = watch }
}

final class Knot: @unchecked Sendable {
    var other: Knot?
}

/// What a text says, with places but without their lines.
func stable(_ text: String) -> String { Golden.stable(text) }
