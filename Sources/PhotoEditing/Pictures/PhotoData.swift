import Glibc
import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// A photo without a place: bytes in memory or an open file, for services whose photos and edits are in storage of their own.
///
/// ```swift
/// let photo = try PhotoData(bytes, name: "beach.jpg")
/// let noir = EditRequest([.apply(.named("noir"))])
/// let picture = try await PhotoEditor().render(photo, edit: noir, as: RenderOutput(quality: 85))
/// store(picture.bytes, picture.edit)
/// ```
public struct PhotoData: Sendable {
  /// The most bytes that are taken from memory or from a stream: 1 GiB.
  public static let mostBytes = 1 << 30

  /// What metadata of pictures and errors call the photo.
  public let name: String
  let file: OpenFile

  /// A photo in memory.
  ///
  /// - Parameters:
  ///   - bytes: A whole file, such as a JPEG.
  ///   - name: What metadata of pictures and errors call the photo.
  /// - Throws: ``EditError/fileSystem(path:_:)`` when there is no memory for another copy, or for more than ``mostBytes``.
  public init(_ bytes: [UInt8], name: String = "photo") throws(EditError) {
    self.name = name
    file = try Self.memory(name) { file in
      guard bytes.count <= Self.mostBytes else {
        throw FileSystemError(.init(.read, FilePath(name)), errno: EFBIG)
      }
      try FileSystem.real.write(bytes, to: file)
    }
  }

  /// A photo in a file that is open for reading, at any position, or what comes from a pipe, to its end.
  ///
  /// - Parameters:
  ///   - descriptor: The file. It stays the caller's, who may close it after the call.
  ///   - name: What metadata of pictures and errors call the photo.
  /// - Throws: ``EditError/fileSystem(path:_:)`` when it cannot be read, or a pipe has more than ``mostBytes``.
  public init(descriptor: Int32, name: String = "photo") throws(EditError) {
    self.name = name
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else {
      throw EditError(
        FileSystemError(.init(.open, FilePath(name)), errno: errno), path: FilePath(name))
    }
    let open = OpenFile(descriptor: own, path: FilePath(name))
    let kind = (try? FileSystem.real.status(of: open))?.kind
    if kind == .file {
      file = open
      return
    }
    file = try Self.memory(name) { file in
      try FileSystem.real.write(
        FileSystem.real.contents(ofStream: open, limit: Self.mostBytes), to: file)
    }
  }

  private static func memory(
    _ name: String, _ fill: (OpenFile) throws -> Void
  ) throws(EditError) -> OpenFile {
    do {
      guard let file = OpenFile.ofMemory("safelight-photo") else {
        throw FileSystemError(.init(.create, FilePath(name)), errno: ENOMEM)
      }
      try fill(file)
      return file
    } catch {
      throw EditError(error, path: FilePath(name))
    }
  }
}

/// A picture that was rendered of a ``PhotoData``.
public struct RenderedPicture: Sendable {
  /// The bytes of the file; empty where they were handed out while it was made.
  public internal(set) var bytes: [UInt8] = []
  /// Pixels from left to right.
  public let pixelWidth: Int
  /// Pixels from top to bottom.
  public let pixelHeight: Int
  /// The edit that the picture shows, with every value that was chosen for it. Rendered again, it gives the same picture.
  public let edit: EditStack
  /// What could not be kept or done, one sentence each.
  public let warnings: [String]
  /// Whether the picture has the coefficients of the JPEG that it was made from.
  public let isLossless: Bool
}

extension PhotoEditor {
  /// Renders a photo that has no place with an edit. No file is read or written; the bytes are those that an export of a
  /// photo with this edit has.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - edit: What is done to it.
  ///   - output: Format, quality and size.
  /// - Returns: The picture.
  /// - Throws: ``EditError`` under the photo's name.
  public func render(
    _ photo: PhotoData, edit: EditRequest = EditRequest(), as output: RenderOutput = .standard
  ) async throws(EditError) -> RenderedPicture {
    var bytes: [UInt8] = []
    var picture = try await render(photo, edit: edit, as: output) { bytes += $0 }
    picture.bytes = bytes
    return picture
  }

  /// The same, whose bytes are handed out in order.
  ///
  /// - Parameter stream: Takes the bytes. When the call throws, they may be incomplete.
  package func render(
    _ photo: PhotoData, edit: EditRequest, as output: RenderOutput,
    to stream: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) async throws(EditError) -> RenderedPicture {
    let path = FilePath(photo.name)
    let output = try output.readingFiles()
    let actions = try await edit.operations.stackActions()
    return try await working(on: path) { cancellation in
      let pixels = OpenPixels(
        configuration.source(photo.file, name: path.lastComponent ?? path), in: darkroom)
      let edited = try StackEditing(EditStack(), of: path, cancellation) { pixels }.making(actions)
      try edited.stack.checkIsKnown()
      try edited.stack.checkSize()
      let original = OriginalReference(
        fileName: pixels.source.name,
        sha256: try fileSystem.digest(of: photo.file).description,
        export: ExportMark(edited.stack, from: "", as: output, at: nil))
      let report = try darkroom.render(
        pixels.source, edit: edited.stack, as: output, derivedFrom: original,
        cancellation: cancellation, to: stream)
      let notes = edited.notes + (edited.automatic?.notes ?? [])
      return RenderedPicture(
        pixelWidth: report.pixelWidth, pixelHeight: report.pixelHeight, edit: edited.stack,
        warnings: notes + report.warnings.map(\.description), isLossless: report.isLossless)
    }
  }
}
