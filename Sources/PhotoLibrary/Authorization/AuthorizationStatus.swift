/// What the user said of a program that wants to use a library; the numbers are PhotoKit's.
public enum AuthorizationStatus: Int, Sendable, Hashable, CaseIterable {
  /// The user has not been asked.
  case notDetermined = 0
  /// The library's owner does not leave it to the user.
  case restricted = 1
  /// The user said no.
  case denied = 2
  /// The user said yes.
  case authorized = 3
  /// The user chose the assets that the program may see; only for ``AccessLevel/readWrite``.
  case limited = 4

  /// Whether anything at all was allowed.
  public var isGranted: Bool { self == .authorized || self == .limited }
}

/// How much of a library a program wants to use; the numbers are PhotoKit's.
public enum AccessLevel: Int, Sendable, Hashable, CaseIterable {
  /// To add photos, without seeing or changing those that are there.
  case addOnly = 1
  /// To see and change what is there, and to add photos.
  case readWrite = 2
}
