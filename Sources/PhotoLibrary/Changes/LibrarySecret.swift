import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightFiles

/// A secret of the user, in the user's data folder, that no library has.
///
/// A catalog asks with its rows that files are moved. Whoever packs a library writes its rows, and whoever unpacks it
/// owns the files, so neither says who decided. So each row has a seal: an HMAC-SHA256 (RFC 2104) of the move and of
/// the catalog's identity with this secret. Only rows with a seal of this user are ever performed.
struct LibrarySecret: Sendable {
  /// The file with the secret: 32 random bytes, which only the user may read.
  let file: FilePath

  /// The secret of the user who runs this process.
  static var user: LibrarySecret {
    LibrarySecret(
      file: UserFilters.standard.folder.removingLastComponent().appending("library-secret"))
  }

  /// Seals the moves of a user whose secret cannot be kept, as in a data folder that may not be written. They are
  /// proven as long as the process lives; an interrupted move then waits for the user's word.
  private static let ofProcess = random()

  private static func random() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// The seal of a move that this process decides. Makes the secret when the user has none.
  func seal(_ move: FileMove, of catalog: String) -> [UInt8] {
    Self.seal(move, of: catalog, with: kept ?? made ?? Self.ofProcess)
  }

  /// The secrets with which this user, on this computer, may have sealed a move.
  var known: [[UInt8]] { [kept, Self.ofProcess].compactMap(\.self) }

  /// The secret; `nil` when there is none, or when others may know or have written it.
  private var kept: [UInt8]? {
    let files = FileSystem.real
    guard let open = try? files.openReadOnly(file), let status = try? files.status(of: open),
      status.kind == .file, status.owner == geteuid(), status.mode & 0o077 == 0, status.size == 32
    else { return nil }
    return try? files.bytes(of: open, count: 32)
  }

  /// Makes the secret, or gives the one that another process made meanwhile.
  private var made: [UInt8]? {
    let files = FileSystem.real
    let parent = file.removingLastComponent()
    do throws(FileSystemError) {
      try files.createFolders(parent)
      let folder = try Folder(parent, files)
      let sink = try FileSink(in: folder, mode: 0o600)
      do throws(FileSystemError) {
        try sink.write(Self.random())
        try sink.place(as: file.lastComponent ?? file, replacing: false)
      } catch {
        sink.discard()
        throw error
      }
    } catch {
      return nil
    }
    return kept
  }

  static func seal(
    _ move: FileMove, of catalog: String, with secret: [UInt8]
  ) -> [UInt8] {
    // The length before each part keeps two moves apart whose parts together are the same bytes.
    let parts = [
      Array("Safelight move of files".utf8), Array(catalog.utf8),
      Array("\(move.kind.rawValue)".utf8),
      move.source.bytes, move.target,
    ]
    let message = parts.flatMap { Array("\($0.count):".utf8) + $0 }
    let key = secret + [UInt8](repeating: 0, count: 64 - secret.count)
    let inner = SHA256.digest(of: key.map { $0 ^ 0x36 } + message)
    return SHA256.digest(of: key.map { $0 ^ 0x5C } + inner.bytes).bytes
  }
}
