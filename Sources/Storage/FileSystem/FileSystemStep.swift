extension FileSystem {
  /// One thing done to a file, as an interceptor sees it before it happens.
  public struct Step: Sendable, Hashable {
    /// What is done.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// Following symbolic links to the file itself.
      case resolve
      /// Asking for size, times and kind.
      case status
      /// Opening for reading.
      case open
      /// Reading bytes.
      case read
      /// Listing a folder.
      case list
      /// Taking a lock.
      case lock
      /// Creating a file that must not exist yet.
      case create
      /// Creating a folder.
      case createFolder
      /// Appending bytes.
      case write
      /// Flushing a file to the disk.
      case sync
      /// Flushing a folder's names to the disk.
      case syncFolder
      /// Giving a file another name.
      case rename
      /// Removing a file.
      case unlink
    }

    /// What is done.
    public let kind: Kind
    /// The file or folder it is done to; for a rename, the new name.
    public let path: FilePath

    /// A step of one kind on one file.
    public init(_ kind: Kind, _ path: FilePath) {
      self.kind = kind
      self.path = path
    }
  }

  /// How an interceptor lets a step fail.
  public enum Fault: Sendable, Hashable {
    /// The step does nothing and fails with an `errno` value.
    case failure(Int32)
    /// A write puts half of its bytes into the file and then fails; other steps do nothing.
    case partialWrite(Int32)

    var errno: Int32 {
      switch self {
      case .failure(let errno), .partialWrite(let errno): errno
      }
    }
  }
}
