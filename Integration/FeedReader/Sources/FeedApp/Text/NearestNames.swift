/// Finds the names that somebody may have meant.
enum NearestNames {
    private static let most = 3

    /// The nearest first: those that contain the text, or that it contains, then those that few changes apart.
    static func to(_ text: String, among names: [String]) -> [String] {
        let text = text.lowercased()
        return Set(names).map { (name: $0, distance: distance(text, $0.lowercased())) }
            .filter { $0.distance <= max(2, text.count / 2) }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(most)
            .map(\.name)
    }

    private static func distance(_ text: String, _ name: String) -> Int {
        // An empty text is part of everything, and means nothing.
        if !text.isEmpty, name.contains(text) || text.contains(name) { return 0 }
        return edits(Array(text), Array(name))
    }

    /// The fewest insertions, removals and replacements.
    private static func edits(_ left: [Character], _ right: [Character]) -> Int {
        var last = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var current = [row + 1]
            for column in right.indices {
                let replaced = last[column] + (character == right[column] ? 0 : 1)
                current.append(min(replaced, last[column + 1] + 1, current[column] + 1))
            }
            last = current
        }
        return last[right.count]
    }
}
