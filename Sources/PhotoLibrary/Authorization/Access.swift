/// What a client of a library may see and do.
struct Access: Sendable {
  /// What is asked for.
  enum Level: Sendable {
    /// To add photos, without seeing those that are there.
    case addOnly
    /// To see and change everything.
    case readWrite
  }

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

  /// Throws when the user did not allow it.
  func check(_ level: Level) throws(PhotoLibraryError) {}
}

extension PhotoLibrary {
  /// What this client may see and do.
  var access: Access { Access() }
}
