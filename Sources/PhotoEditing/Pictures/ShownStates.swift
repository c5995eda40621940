import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// A state of a photo that a picture shows.
package enum ShownState: Sendable {
  /// The photo as it was taken, upright.
  case original
  /// The photo with its edit.
  case present
  /// The photo's version of this name.
  case version(String)
  /// The photo with operations on its edit that are not made.
  case changed([EditOperation])
}

/// A picture of a state of a photo, in memory.
package struct ShownPicture: Sendable {
  /// The picture.
  package let image: DisplayImage
  /// Width and height that the state has at full size.
  package let fullSize: PixelSize
  /// The edit that it shows; `nil` when Safelight cannot read it.
  package let edit: EditStack?
  /// The values that were chosen from what is in the photo; `nil` when nothing asked for them.
  package let automatic: AutomaticAdjustments?
}

/// Two states of a photo as one labeled JPEG, in memory.
package struct ShownComparison: Sendable {
  /// The bytes of the JPEG.
  package let jpeg: [UInt8]
  /// Its columns and rows.
  package let size: PixelSize
  /// What is not shown as asked, in sentences for people.
  package let warnings: [String]
}

extension PhotoEditor {
  /// Pictures of states of a photo, with the revision that it had for all of them. Nothing is written.
  ///
  /// - Parameter size: The pictures lie inside this size, and are never larger than the photo.
  /// - Throws: ``EditError``; for a version that there is not, `StorageError.versionMissing`.
  package func pictures(
    of photo: Photo, _ states: [ShownState], fitting size: PixelSize
  ) async throws(EditError) -> (revision: String, pictures: [ShownPicture]) {
    let states = try await states.resolved()
    return try await reading(photo) { edit, cancellation in
      var fit = DisplayFit()
      fit.target = size
      let pictures = try states.map { state in
        let shown = try edit.shown(state, cancellation)
        let pixels = try darkroom.displayPixels(
          of: shown.pixels.source, edit: shown.rendered, cancellation: cancellation
        ) { fit.layout(of: $0) }
        return ShownPicture(
          image: DisplayImage(pixels),
          fullSize: try shown.pixels.header().size(with: shown.rendered), edit: shown.edit,
          automatic: shown.automatic)
      }
      return (try PhotoStamp(photo.path).revision, pictures)
    }
  }

  /// Two states of a photo as one labeled picture. Nothing is written.
  ///
  /// - Parameters:
  ///   - labels: What stands below the first and the second picture, made from the edit that it shows.
  ///   - longestSide: Most pixels along the longer side of the whole.
  /// - Throws: ``EditError``.
  package func comparison(
    of photo: Photo, _ before: ShownState, _ after: ShownState,
    _ arrangement: ComparisonArrangement, longestSide: Int,
    labels: (@Sendable (EditStack?) -> String, @Sendable (EditStack?) -> String)
  ) async throws(EditError) -> ShownComparison {
    let states = try await [before, after].resolved()
    return try await reading(photo) { edit, cancellation in
      let shown = try states.map { try edit.shown($0, cancellation) }
      let (first, second) = (shown[0], shown[1])
      var bytes: [UInt8] = []
      let report = try darkroom.comparison(
        of: LabeledEdit(first.pixels.source, edit: first.rendered, label: labels.0(first.edit)),
        and: LabeledEdit(second.pixels.source, edit: second.rendered, label: labels.1(second.edit)),
        arrangement, as: RenderOutput(format: .jpeg, quality: 85, longestSide: longestSide),
        derivedFrom: OriginalReference(
          fileName: (edit.path.lastComponent ?? edit.path).string, sha256: ""),
        cancellation: cancellation
      ) { bytes.append(contentsOf: $0) }
      return ShownComparison(
        jpeg: bytes, size: PixelSize(width: report.pixelWidth, height: report.pixelHeight),
        warnings: report.warnings.map(\.description))
    }
  }
}

/// A state whose operations know what their names mean.
private enum ResolvedState: Sendable {
  case original
  case present
  case version(String)
  case changed([any StackAction])
}

extension [ShownState] {
  fileprivate func resolved() async throws(EditError) -> [ResolvedState] {
    var states: [ResolvedState] = []
    for state in self {
      switch state {
      case .original: states.append(.original)
      case .present: states.append(.present)
      case .version(let name): states.append(.version(name))
      case .changed(let operations): states.append(.changed(try await operations.stackActions()))
      }
    }
    return states
  }
}

extension OpenEdit {
  /// The pixels that a state is rendered from, with the edit that they still need.
  fileprivate func shown(
    _ state: ResolvedState, _ cancellation: RenderCancellation
  ) throws -> (
    pixels: OpenPixels, rendered: EditStack, edit: EditStack?, automatic: AutomaticAdjustments?
  ) {
    switch state {
    case .original:
      try files.checkOriginal()
      return (try pixels(of: originalStart), EditStack(), EditStack(), nil)
    case .present:
      try checkStart()
      let start = try start()
      return (
        try pixels(of: start), try stack(), start.pixels == .render ? nil : try stack(), nil
      )
    case .changed(let actions):
      try checkStart()
      let edited = try stack(stack(), after: actions, EditCall(cancellation: cancellation))
      try edited.stack.checkIsKnown()
      try edited.stack.checkSize()
      return (try pixels(of: start()), edited.stack, edited.stack, edited.automatic)
    case .version(let name):
      guard let version = record?.version(named: name) else {
        throw StorageError.versionMissing(path, name, present: record?.versions.map(\.name) ?? [])
      }
      let data = version.adjustmentData
      let stack = EditStack.canHandle(data) ? try EditStack(data) : nil
      if let render = files.path(of: .version(version.name)) {
        try files.check(.version(version.name))
        let pixels = try files.open(EditStart(pixels: .render, path: render))
        return (pixels, EditStack(), stack, nil)
      }
      guard version.base == nil, let stack else {
        throw EditError.versionUnusable(path: path, name: version.name, .renderMissing)
      }
      try stack.checkIsKnown()
      try files.checkOriginal()
      return (try pixels(of: originalStart), stack, stack, nil)
    }
  }
}
