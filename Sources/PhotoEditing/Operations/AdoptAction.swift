import FoundationEssentials
import SafelightAdjustments
import SafelightFiles
import SafelightRendering
import SafelightStorage

extension EditActions {
  /// Takes over what another photo program did.
  package struct Adopt: EditAction {
    package static let id = "adopt"
    package static let summary =
      "Take over the edits that Apple Photos or Google Photos left beside photos."
    package static let rules: [ParameterRule] = [.atMostOne(["render", "translate"])]
    package static let parameters: [Parameter<Self>] = [
      Parameter(
        \.render, "render",
        summary: "Keep the picture that the other program rendered; edits go on from it."),
      Parameter(
        \.translate, "translate",
        summary:
          "Do the same to the original with adjustments of Safelight's, as far as they are known."),
    ]

    package var render = false
    package var translate = false

    package init() {}

    package var did: String { "adopted" }

    package func plan(for edit: OpenEdit, _ call: EditCall) throws -> EditPlan {
      if let skip = try edit.planToSkip() { return skip }
      guard let foreign = edit.files.foreignEdit() else {
        return .nothing(.noForeignEdit, for: edit)
      }
      return try edit.planToAdopt(foreign, by: way, quality: call.quality)
    }

    private var way: AdoptedEdit.Way? { render ? .render : translate ? .translation : nil }
  }
}

extension EditOperation {
  /// Takes over what Apple Photos or Google Photos left beside the photo.
  ///
  /// - Parameter way: How; `nil` translates where all of the edit is known exactly, and else keeps the other program's
  ///   picture.
  public static func adopt(_ way: AdoptedEdit.Way? = nil) -> EditOperation {
    var action = EditActions.Adopt()
    (action.render, action.translate) = (way == .render, way == .translation)
    return EditOperation(action)
  }
}

/// How another program's edit was taken over, and why so.
public struct AdoptedEdit: Sendable, Hashable {
  /// How an edit is taken over.
  public enum Way: String, Sendable, Hashable {
    /// The other program's picture is kept, and later edits start from it.
    case render
    /// Adjustments of Safelight's do the same to the original.
    case translation
  }

  /// How it was taken over.
  public let way: Way
  /// The program that made it.
  public let program: ForeignEdit.Program
  /// What became of each of Apple's adjustments; empty when there is only a picture.
  public let parts: [AppleTranslation.Part]

  /// What was done and why, for people.
  public var description: String {
    let others = parts.filter { $0.grade > .exact }.map(\.description)
    let list = others.joined(separator: ", ")
    return switch way {
    case .translation where others.isEmpty: "translated exactly"
    case .translation: "translated: \(parts.map(\.description).joined(separator: ", "))"
    case .render where others.isEmpty: "kept the picture of \(program.title)"
    case .render:
      "kept the picture of \(program.title); translated, this would not be exact: \(list)"
    }
  }
}

extension OpenEdit {
  /// A plan to take over what another program did.
  ///
  /// - Parameter way: How; `nil` chooses.
  /// - Throws: ``EditError/notAdoptable(_:_:)``.
  func planToAdopt(
    _ foreign: ForeignEdit, by way: AdoptedEdit.Way?, quality: Int?
  ) throws -> EditPlan {
    try checkForEdit()
    let header = try pixels(of: originalStart).header()
    let size = try header.size(with: EditStack())
    let translation = foreign.appleEdit.map {
      AppleTranslation($0, pixelWidth: size.width, pixelHeight: size.height)
    }
    let adopted = { (way: AdoptedEdit.Way) in
      AdoptedEdit(way: way, program: foreign.program, parts: translation?.parts ?? [])
    }
    let canTranslate = translation?.isEmpty == false
    switch way {
    case .translation?,
      nil where canTranslate && translation?.grade == .exact:
      guard let translation, canTranslate else {
        throw EditError.notAdoptable(path, .nothingKnown)
      }
      return try planToTranslate(translation, quality: quality).adding(adopted(.translation))
    case .render?,
      nil where foreign.render != nil:
      guard let render = foreign.render else { throw EditError.notAdoptable(path, .noRender) }
      return try planToKeep(render, of: foreign).adding(adopted(.render))
    case nil:
      // Nothing is switched on: the photo is seen as it was taken.
      if translation?.grade == .exact { return .nothing(.noForeignEdit, for: self) }
      throw EditError.notAdoptable(
        path,
        .notExact(translation?.parts.filter { $0.grade > .exact }.map(\.description) ?? []))
    }
  }

  /// A plan to do to the original what another program did.
  private func planToTranslate(_ translation: AppleTranslation, quality: Int?) throws -> EditPlan {
    var stack = translation.stack
    if let name = translation.filter { try stack.setFilter(Filter.named(name).applied()) }
    try stack.checkIsKnown()
    try stack.checkSize()
    let recorded = record?.render.flatMap { RendererDescription($0.renderer).quality }
    let output = RendererDescription(quality: quality ?? recorded).output
    let data = stack.adjustmentData
    if record?.adjustmentData == data, record?.base == nil, files.path(of: .render) != nil,
      record?.render?.renderer == RendererDescription(output).text
    {
      return .nothing(.sameEdit, for: self)
    }
    return try planToCommit(
      NewEdit(data: data, start: originalStart, render: .rendered(stack, output)))
  }

  /// A plan to keep the picture that another program rendered, as a program does that hands in a render.
  private func planToKeep(_ render: FilePath, of foreign: ForeignEdit) throws -> EditPlan {
    let new = try editKeeping(render, of: foreign)
    if let record, !record.isForeign, record.adjustmentData == new.data,
      files.path(of: .render) != nil
    {
      return .nothing(.sameEdit, for: self)
    }
    return try planToCommit(new)
  }

  /// The edit that keeps the picture that another program rendered.
  func editKeeping(_ render: FilePath, of foreign: ForeignEdit) throws -> NewEdit {
    let editor = foreign.appleEdit?.editor ?? foreign.program.editor
    let start = EditStart(pixels: .render, path: render)
    let header = try pixels(of: start).header()
    let size = try header.size(with: EditStack())
    let facts = header.facts
    let isUprightJPEG = facts.format == .jpeg && facts.orientation == 1
    return NewEdit(
      data: foreign.adjustmentData(of: render), start: originalStart,
      render: isUprightJPEG
        ? .copied(
          CopiedRender(
            path: render, size: PixelSize(width: size.width, height: size.height),
            renderer: editor))
        : .converted(render),
      editorBundleIdentifier: editor, date: foreign.appleEdit?.timestamp)
  }
}

extension ForeignEdit.Program {
  /// The program's bundle identifier.
  fileprivate var editor: String {
    self == .applePhotos ? "com.apple.Photos" : "com.google.photos"
  }
}

extension ForeignEdit {
  /// What a record says of the edit where its picture is kept; `nil` when that is not beside the photo.
  var adoptedData: AdjustmentData? { render.map(adjustmentData(of:)) }

  /// What a record says of the edit: Apple's own data, or only the name of the picture.
  fileprivate func adjustmentData(of render: FilePath) -> AdjustmentData {
    if let data = appleEdit?.data, !data.data.isEmpty, data.data.count <= AdjustmentData.maximumSize
    {
      return data
    }
    let name = JSONValue.string(render.lastComponent?.string ?? "")
    return AdjustmentData(
      formatIdentifier: program == .applePhotos ? "com.apple.photo.render" : program.editor,
      formatVersion: "1.0", data: Data(JSONValue.object([.init("render", name)]).text.utf8))
  }
}

extension PhotoEditor {
  /// Stages another program's picture as a JPEG, upright and in the best quality.
  ///
  /// - Returns: The render, and warnings.
  func stageConverted(
    _ picture: FilePath, for new: NewEdit, of edit: OpenEdit, by transaction: Transaction,
    _ cancellation: RenderCancellation
  ) throws -> (StagedRender, [RenderWarning]) {
    let output = RenderOutput(format: .jpeg, quality: 95, following: .chroma)
    let renderer = RendererDescription(output).text
    let original = try edit.reference(new.data, renderer)
    let source = try edit.pixels(of: EditStart(pixels: .render, path: picture)).source
    let (file, report) = try transaction.stageReportedRender(of: nil) { sink in
      try self.darkroom.render(
        source, edit: EditStack(), as: output, derivedFrom: original, cancellation: cancellation
      ) { bytes in try sink.write(bytes) }
    }
    let render = StagedRender(
      file, pixelWidth: report.pixelWidth, pixelHeight: report.pixelHeight, renderer: renderer,
      isLossless: false)
    return (render, report.warnings)
  }
}
