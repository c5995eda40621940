import FoundationEssentials
import SafelightMetadata
import SafelightRendering
import SafelightStorage

extension PhotoEditor {
  /// Hands out what an edit of a photo starts from.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - options: Which earlier edits the caller can go on from.
  /// - Throws: ``EditError``: the photo is missing or no picture, its sidecar does not parse or
  ///   belongs to another photo, the original or the render changed since the edit.
  public func contentEditingInput(
    for asset: Photo, options: ContentEditingInputRequestOptions = .init()
  ) async throws(EditError) -> ContentEditingInput {
    try await working(on: asset.path) { _ in
      try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
        try snapshot.checkOriginal()
        let start = try StartingPoint(snapshot, canHandle: options.canHandleAdjustmentData)
        if start.start == .render { try snapshot.checkRender() }
        if start.start == .base { try snapshot.checkBase() }
        let original = try renderer.facts(of: source(snapshot.original))
        let facts = try start.start == .original ? original : self.facts(of: start.path)
        return ContentEditingInput(
          asset: asset, adjustmentData: start.adjustmentData, fullSizeImagePath: start.path,
          contentType: facts.format.contentType,
          fullSizeImageOrientation: Int32(facts.orientation),
          pixelSize: PixelSize(width: facts.pixelWidth, height: facts.pixelHeight),
          creationDate: original.creationDate, location: original.location, start: start.start,
          original: OriginalStamp(snapshot.original), edit: EditIdentity(snapshot.record),
          editor: self)
      }
    }
  }

  /// An upright JPEG of a file for the screen.
  func preview(of path: FilePath, longestSide: Int) async throws(EditError) -> Data {
    try await working(on: path) { cancellation in
      let file = try fileSystem.openForReading(path)
      let bytes = ByteCollector()
      _ = try renderer.render(
        source(descriptor: file.descriptor, name: path.lastComponent ?? path), edit: EditStack(),
        as: RenderOutput(format: .jpeg, quality: 85, longestSide: longestSide),
        derivedFrom: OriginalReference(fileName: path.string, sha256: ""),
        cancellation: cancellation, to: bytes.append)
      return bytes.data
    }
  }

  func facts(of path: FilePath) throws -> PhotoFacts {
    let file = try fileSystem.openForReading(path)
    return try renderer.facts(
      of: source(descriptor: file.descriptor, name: path.lastComponent ?? path))
  }
}

/// Gathers encoded bytes in memory. Used by one encoder at a time.
private final class ByteCollector {
  private(set) var data = Data()

  func append(_ bytes: UnsafeRawBufferPointer) {
    data.append(contentsOf: bytes)
  }
}
