/// How much is done at a time.
package struct RefreshLimits: Hashable, Sendable {
    /// How many feeds are read at a time.
    package var width: Int

    /// Takes the width; eight are enough to wait for servers together, and no burden to a slow line.
    package init(width: Int = 8) {
        self.width = width
    }
}
