import FoundationEssentials
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// What becomes of a file that is where a picture of a photo is to go. Photos, sidecars and the files of edits always stay.
///
/// Pictures say in their XMP what they were made of: the original by its name and what is in it, the edit and the output.
public enum ExistingFile: Sendable, Hashable {
  /// It stays, and the export fails.
  case refused
  /// It is replaced.
  case replaced
  /// It stays, and counts as the picture. The export fails when it says that it is the picture of another photo.
  case kept
  /// It stays when it was made of this original with this edit and output, and is replaced when it is another picture
  /// of the photo. The export fails when it is neither.
  ///
  /// Pictures without metadata do not say what they are: those that are as new as the photo and its edit stay.
  case renewed
}

/// Whose picture a file is, by the place of the photo or by what is in it, as the picture's metadata say.
package enum PictureOwner: Sendable {
  /// No file is there.
  case nobody
  /// The picture is of this photo.
  case photo
  /// The picture is of another photo.
  case another
  /// The file does not say it, or is no picture.
  case unknown

  /// Finds out whether the picture at a path is one of a photo.
  package init(of path: FilePath, from photo: FilePath) {
    let fileSystem = FileSystem.real
    guard (try? fileSystem.statusFollowingLinks(of: path)).flatMap({ $0 }) != nil else {
      self = .nobody
      return
    }
    guard let original = try? OutputRule(fileSystem).original(of: path),
      let own = try? fileSystem.place(of: photo, seenFrom: path)
    else {
      self = .unknown
      return
    }
    let isOwn =
      original.export?.place == own
      || original.sha256 == (try? fileSystem.digestOfFile(at: photo).description)
    self = isOwn ? .photo : .another
  }
}

extension FileSystem {
  /// Where a photo is, seen from the folder of a picture, in hexadecimal digits that do not say the place.
  fileprivate func place(of photo: FilePath, seenFrom picture: FilePath) throws -> String {
    let folder = try resolve(picture.absolute.removingLastComponent())
    let way = try resolve(photo.absolute).way(from: folder)
    return String(SHA256.digest(of: way).description.prefix(16))
  }
}

extension LockedFiles {
  /// What a picture's metadata say of how it was made; `nil` for pictures that show more than the photo, and for those
  /// without metadata.
  func mark(of picture: NewPicture) throws -> ExportMark? {
    guard case .photo = picture.content else { return nil }
    let start =
      try picture.shown.start.pixels == .original
      ? "" : fileSystem.digestOfFile(at: picture.shown.start.path).description
    return try ExportMark(
      picture.shown.needed, from: start, as: picture.output, at: place(of: picture))
  }

  /// Where the photo is, seen from a picture; `nil` for pictures that go to no file.
  private func place(of picture: NewPicture) throws -> String? {
    try picture.target.path.map { path in
      try fileSystem.place(of: originalPath, seenFrom: path)
    }
  }

  /// Whether the file that is where a picture goes stays as the picture.
  ///
  /// - Throws: ``EditError/destinationTaken(_:_:)`` when it stays and is not the photo's.
  func keeps(_ path: FilePath, as picture: NewPicture, _ existing: ExistingFile) throws -> Bool {
    guard existing == .kept || existing == .renewed,
      let file = try fileSystem.statusFollowingLinks(of: path), file.kind == .file
    else { return false }
    try checkIsNotOwn(path)
    guard let original = try OutputRule(fileSystem).original(of: path) else {
      if existing == .kept { return true }
      if try picture.output.metadata == .none && !isOlder(file) { return true }
      try checkDestination(path, replacing: false)
      return false
    }
    var isMarked = false
    if let found = original.export?.place, case .photo = picture.content {
      isMarked = try found == place(of: picture)
    }
    let isOwn =
      try isMarked || original.sha256 == originalDigest().description
    guard isOwn else {
      throw EditError.destinationTaken(path, .exportOf(FilePath(original.fileName)))
    }
    if existing == .kept { return true }
    // A picture with metadata is another one than a picture without.
    guard picture.output.metadata != .none else { return false }
    return try original.export == mark(of: picture)
      && original.sha256 == originalDigest().description
      && (original.fileName.isEmpty || original.fileName == originalPath.lastComponent?.string)
  }

  /// Whether a file is older than the photo or its sidecar.
  private func isOlder(_ file: FileStatus) throws -> Bool {
    try [originalPath, recordPath].contains { source in
      let status = try fileSystem.statusFollowingLinks(of: source)
      return status.map { $0.modified.inNanoseconds > file.modified.inNanoseconds } ?? false
    }
  }
}

extension FilePath {
  /// The way from a folder to this file, as `../photos/a.jpg`; both are absolute and without links.
  fileprivate func way(from folder: FilePath) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let (from, to) = (folder.bytes.split(separator: slash), bytes.split(separator: slash))
    let common = zip(from, to).prefix { $0.0 == $0.1 }.count
    let up = [ArraySlice("..".utf8)]
    let parts = from.dropFirst(common).flatMap { _ in up } + to.dropFirst(common)
    return Array(parts.joined(separator: [slash]))
  }
}

extension ExportMark {
  /// What a picture's metadata say of how it was made; `nil` for pictures without metadata.
  ///
  /// - Parameters:
  ///   - edit: What was done to the pixels.
  ///   - start: The digest of the pixels, where they are not the original's; else empty.
  ///   - output: How the picture was written.
  ///   - place: Where the photo is, seen from the picture.
  init?(_ edit: EditStack, from start: String, as output: RenderOutput, at place: String?) {
    guard output.metadata != .none else { return nil }
    let data = edit.adjustmentData
    let texts = [
      Renderer.version, start, data.formatVersion, output.textWithDigests,
      output.following.rawValue, "\(output.dithers)",
    ]
    let bytes = texts.flatMap { Array($0.utf8) + [0] } + Array(data.data)
    self.init(made: SHA256.digest(of: bytes).description, place: place)
  }
}
