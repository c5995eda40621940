/// A place in a library's persistent history: after one change set and before the next.
///
/// Store it, encoded, and ask later what happened since; it is for one catalogue only.
public struct PersistentChangeToken: Sendable, Hashable, Codable {
  /// Which catalogue it is of.
  let catalogue: String
  /// The key of the change set in the catalogue.
  let number: Int64
}
