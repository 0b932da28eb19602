/// The room there is for text.
package struct TextLayout: Hashable, Sendable {
    /// How many columns a line may take.
    package var columns: Int

    /// Takes the width of a terminal.
    package init(columns: Int) {
        self.columns = columns
    }
}
