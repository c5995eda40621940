import PhotoEditing
import Storage

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
    guard let stem = name.stem else { return false }
    return [".mov", ".MOV", ".mp4", ".MP4"].contains { ending in
      names.contains(FilePath(bytes: stem.bytes + Array(ending.utf8)))
    }
  }

  func sidecar(of name: FilePath) -> FilePath? {
    let sidecar = FilePath(bytes: name.bytes + Array(".aae".utf8))
    return names.contains(sidecar) ? sidecar : nil
  }
}
