import PhotoEditing

/// What looking through the folders of a library found.
public struct IndexingResult: Sendable, Hashable {
  /// How many photos came into the library, those that came back included.
  public internal(set) var added = 0
  /// How many photos had changed, or their edits.
  public internal(set) var updated = 0
  /// How many photos were found at another place and stayed what they are.
  public internal(set) var moved = 0
  /// How many photos had gone from the disk.
  public internal(set) var removed = 0
  /// Files that begin like a photo, or are called like one, and cannot be read.
  public internal(set) var unreadable: [FilePath] = []
  /// Folders that could not be listed. Their photos stay in the library: a disk that is not there is
  /// no reason to forget them.
  public internal(set) var unavailable: [FilePath] = []

  /// Whether nothing had changed.
  public var isUnchanged: Bool { added + updated + moved + removed == 0 }
}

/// Is told what looking through folders has found so far, from whatever thread.
public typealias IndexingProgress = @Sendable (IndexingResult) -> Void
