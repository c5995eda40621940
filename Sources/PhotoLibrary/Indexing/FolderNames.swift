import PhotoEditing
import SafelightStorage

/// The names in a folder, shared by what is asked about its files.
final class FolderNames: Sendable {
  private let names: Set<FilePath>
  private let pending: Set<FilePath>

  init(_ names: [FilePath]) {
    self.names = Set(names)
    pending = Set(names.compactMap { HiddenFile($0) }.filter { $0.kind == .pending }.map(\.key))
  }

  func contains(_ name: FilePath) -> Bool { names.contains(name) }

  /// Whether a change of the photo's edit was decided and not carried out yet.
  func hasPendingChange(of name: FilePath) -> Bool {
    !pending.isEmpty && HiddenFile.key(of: name).map(pending.contains) ?? false
  }

  /// Whether a video of the photo's name stands beside it.
  func hasVideo(for name: FilePath) -> Bool {
    Self.videos(of: name).contains(where: names.contains)
  }

  func sidecar(of name: FilePath) -> FilePath? {
    let sidecar = Self.sidecar(for: name)
    return names.contains(sidecar) ? sidecar : nil
  }

  /// The names of files that say something of a photo, if they are there.
  static func belonging(to name: FilePath) -> [FilePath] {
    let pending = HiddenFile.key(of: name).map {
      FilePath(bytes: $0.bytes + Array(".pending".utf8))
    }
    return [sidecar(for: name)] + videos(of: name) + [pending].compactMap(\.self)
  }

  private static func sidecar(for name: FilePath) -> FilePath {
    FilePath(bytes: name.bytes + Array(".aae".utf8))
  }

  private static func videos(of name: FilePath) -> [FilePath] {
    guard let stem = name.stem else { return [] }
    return [".mov", ".MOV", ".mp4", ".MP4"].map { ending in
      FilePath(bytes: stem.bytes + Array(ending.utf8))
    }
  }
}
