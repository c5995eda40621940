import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

// Pictures of states of a photo, checked and made on the editor's thread. Nothing is written.

extension PhotoEditor {
  /// Pictures of a photo, with the revision that it had for all of them.
  ///
  /// - Throws: ``EditError``; for a version that there is not, `StorageError.versionMissing`.
  package func pictures(
    of photo: Photo, _ requests: [PictureRequest]
  ) async throws(EditError) -> (revision: String, pictures: [ShownPicture]) {
    try await showing(requests.map(\.state), of: photo) { edit, shown, cancellation in
      let pictures = try zip(requests, shown).map {
        try darkroom.picture($0, of: edit.pixels(of: $1), cancellation: cancellation)
      }
      return (try PhotoRevision(photo.path).revision, pictures)
    }
  }

  /// Two states of a photo as one labeled JPEG.
  ///
  /// - Parameters:
  ///   - labels: What stands below the first and the second picture, made from the edit that it shows.
  ///   - longestSide: Most pixels along the longer side of the whole.
  /// - Throws: ``EditError``.
  package func comparison(
    of photo: Photo, _ before: PictureRequest.State, _ after: PictureRequest.State,
    _ arrangement: ComparisonArrangement, longestSide: Int,
    labels: (@Sendable (EditStack?) -> String, @Sendable (EditStack?) -> String)
  ) async throws(EditError) -> ShownPicture {
    try await showing([before, after], of: photo) { edit, shown, cancellation in
      var bytes: [UInt8] = []
      let report = try darkroom.draw(
        .comparison(
          arrangement, before: LabeledState(label: labels.0(shown[0].edit), shown: shown[0]),
          after: LabeledState(label: labels.1(shown[1].edit), shown: shown[1])),
        showing: shown[1], of: edit,
        as: RenderOutput(format: .jpeg, quality: 85, longestSide: longestSide),
        derivedFrom: OriginalReference(
          fileName: (edit.path.lastComponent ?? edit.path).string, sha256: ""),
        cancellation: cancellation
      ) { bytes.append(contentsOf: $0) }
      let size = PixelSize(width: report.pixelWidth, height: report.pixelHeight)
      return ShownPicture(
        content: .bytes(bytes), size: size, fullSize: size,
        warnings: report.warnings.map(\.description))
    }
  }

  /// The open pixels of a state, for a picture that is made later.
  func shown(
    _ state: PictureRequest.State, of photo: Photo
  ) async throws(EditError) -> ShownPixels {
    try await showing([state], of: photo) { edit, shown, _ in try edit.pixels(of: shown[0]) }
  }

  /// Calls `body` with what states are made from, while nobody can change the photo.
  private func showing<Result>(
    _ states: [PictureRequest.State], of photo: Photo,
    _ body: (OpenEdit, [ShownState], RenderCancellation) throws -> Result
  ) async throws(EditError) -> Result {
    var actions: [[any StackAction]] = []
    for state in states {
      guard case .changed(let operations) = state else {
        actions.append([])
        continue
      }
      actions.append(try await operations.stackActions())
    }
    return try await reading(photo) { edit, cancellation in
      let shown = try zip(states, actions).map { try edit.shown($0, $1, cancellation) }
      return try body(edit, shown, cancellation)
    }
  }
}
