/// What the user of a library lets this process do with it.
struct Access: Sendable {
  enum Level: Sendable { case addOnly, readWrite }

  /// Which assets there are for this process.
  enum Visibility: Sendable, Hashable {
    case all
    case selected(client: String)
    case none
  }

  /// Throws when the user did not allow it.
  func check(_ level: Level) throws(PhotoLibraryError) {}

  var visibility: Visibility { .all }
}

extension PhotoLibrary {
  var access: Access { Access() }
}
