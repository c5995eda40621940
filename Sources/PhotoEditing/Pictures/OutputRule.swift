import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// The one rule for files that a user asks for by name: pictures, reports, pages.
///
/// A file that is there is replaced when the same option wrote it before, or when the user allows
/// it. Originals, sidecars and the files that records name are never replaced. An original is a
/// file with a record beside it, or a picture that does not say that Safelight rendered it. A name
/// that a sidecar has is never used, because programs would read the file as an edit.
package struct OutputRule: Sendable {
  private let fileSystem: FileSystem

  /// The rule for files of a file system.
  package init(_ fileSystem: FileSystem = .real) { self.fileSystem = fileSystem }

  /// Throws when nothing may be written to a path.
  ///
  /// - Parameters:
  ///   - path: Where the file goes. Where it is a symbolic link, the file that it leads to counts.
  ///   - replacing: Whether the user allows that a file is replaced.
  ///   - isEarlierOutput: Whether the option wrote the file that is there. Not asked about
  ///     originals and files of edits.
  /// - Throws: ``EditError/destinationTaken(_:_:)``, `FileSystemError`.
  package func check(
    _ path: FilePath, replacing: Bool, isEarlierOutput: () throws -> Bool = { false }
  ) throws {
    guard let status = try fileSystem.statusFollowingLinks(of: path) else {
      if Self.isSidecarName(path) { throw EditError.destinationTaken(path, .sidecarName) }
      let isLink = try fileSystem.exists(path)
      if isLink, !replacing { throw EditError.destinationTaken(path, .exists) }
      return
    }
    guard status.kind == .file else { throw EditError.destinationTaken(path, .noFile) }
    let file = try fileSystem.resolve(path)
    if let owner = owner(of: file) { throw EditError.destinationTaken(path, .belongsTo(owner)) }
    if Self.isSidecarName(path) || Self.isSidecarName(file) {
      throw EditError.destinationTaken(path, .sidecarName)
    }
    if try hasRecord(file) || isUnmarkedPicture(file) {
      throw EditError.destinationTaken(path, .original)
    }
    if try !replacing && !isEarlierOutput() { throw EditError.destinationTaken(path, .exists) }
  }

  /// The endings of sidecars: of Apple's programs and Safelight, of those that write XMP, and of
  /// RawTherapee, ART, DxO PhotoLab, Capture One, ON1, Nikon NX Studio, Canon DPP and ACDSee.
  private static let sidecarEndings: Set = [
    "aae", "xmp", "pp3", "arp", "dop", "cos", "cot", "on1", "nksc", "vrd", "dr4", "acr",
  ]

  /// Whether a path has the name of a sidecar or of a hidden file of Safelight's.
  private static func isSidecarName(_ path: FilePath) -> Bool {
    guard let name = path.lastComponent else { return false }
    return name.bytes.starts(with: ".safelight-".utf8)
      || name.extension.map { sidecarEndings.contains($0.lowercased()) } == true
  }

  /// The original that a picture of Safelight's names; `nil` for all other files.
  package func original(of path: FilePath) throws -> OriginalReference? {
    guard try isPicture(path) else { return nil }
    let file = try fileSystem.openForReading(path)
    let bytes = PhotoBytes(file, size: Int(try fileSystem.status(of: file).size))
    if let header = PhotoHeader(bytes) { return header.derivedFrom }
    return bytes.originalOfJPEGXL
      ?? (try? PhotoDarkroom.current.open(PhotoSource(file, name: path.string)).header)?
      .derivedFrom
  }

  /// The photo that a file belongs to, as a sidecar, a render, a base photo or a hidden file.
  private func owner(of file: FilePath) -> FilePath? {
    guard let name = file.lastComponent else { return nil }
    if name.extension?.lowercased() == "aae" { return name.stem }
    if name.bytes.starts(with: ".safelight-".utf8) { return name }
    guard FolderRecords.mayBeMember(name) else { return nil }
    // A folder that cannot be listed says nothing; writing into it fails for its own reason.
    let records = try? FolderRecords(file.removingLastComponent(), fileSystem: fileSystem)
    return records?.membership(of: name)?.original.lastComponent
  }

  private func hasRecord(_ file: FilePath) throws(FileSystemError) -> Bool {
    do throws(StorageError) {
      return try PhotoRevision(file, fileSystem: fileSystem).mayBeEdited
    } catch {
      if case .originalUnreadable(let error) = error { throw error }
      return false
    }
  }

  /// Whether a file is a picture of a known kind, also one that Safelight does not edit.
  private func isPicture(_ path: FilePath) throws -> Bool {
    PhotoFormat.Recognition(try PhotoBytes(recognizing: path, fileSystem)) != .nothing
  }

  private func isUnmarkedPicture(_ path: FilePath) throws -> Bool {
    // A picture that cannot be read is somebody's photo.
    return try isPicture(path) && original(of: path) == nil
  }
}
