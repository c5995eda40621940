/// What a client of a library may see and do.
struct Access: Sendable {
  /// Which assets show.
  enum Visibility: Sendable, Hashable {
    /// All of them.
    case all
    /// Those that were selected for a client, and no albums.
    case selected(String)
    /// None.
    case none
  }

  /// Which assets show.
  var visibility: Visibility { .all }
}

extension PhotoLibrary {
  /// What this client may see and do.
  var access: Access { Access() }
}
