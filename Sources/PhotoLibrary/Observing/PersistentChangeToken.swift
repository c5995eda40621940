/// A place in a library's persistent history: after one change set and before the next.
///
/// Store it, encoded, and ask later what happened since; it is for one catalog only.
public struct PersistentChangeToken: Sendable, Hashable, Codable {
  /// Which catalog it is of.
  let catalog: String
  /// The key of the change set in the catalog.
  let number: Int64
}
