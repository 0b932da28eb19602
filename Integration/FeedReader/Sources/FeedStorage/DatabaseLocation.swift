public import Foundation

/// Where a store keeps its database.
public enum DatabaseLocation: Hashable, Sendable {
    /// In a file; it and the directories above it are created if they are not there.
    case file(URL)

    /// Nowhere: everything is gone with the store.
    case memory
}
