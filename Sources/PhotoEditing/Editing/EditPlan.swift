import FoundationEssentials
import SafelightAdjustments
import SafelightDarkroom
import SafelightFiles
import SafelightRendering
import SafelightStorage

/// What a call would change about a photo, as a value.
///
/// A dry run reports the plan. Any other call performs the plan and reports the same, with the
/// warnings that came up on the way.
package struct EditPlan: Sendable {
  /// What is to be done.
  let change: Change
  /// What the call reports.
  let report: EditResult

  enum Change: Sendable {
    /// Nothing is to be done.
    case none(Reason)
    /// The photo gets an edit and a render.
    case commit(NewEdit)
    /// The photo loses its edit.
    case revert(keepingRender: Bool, droppingVersions: Bool)
    /// The present edit is kept under a name.
    case saveVersion(named: String, replacing: Bool)
    /// Edits of other records of the photo are kept under names, and the files of the copies that have
    /// them go to the trash.
    case keep([KeptEdit], of: [Record], puttingAway: [FilePath])
    /// The version of a name goes.
    case removeVersion(named: String)
    /// The photo gets the edit that it had before it was moved or renamed.
    case move(EditMove)
    /// A picture of the photo is written elsewhere.
    case write(NewPicture)
  }

  /// Why nothing is to be done.
  enum Reason: Sendable, Hashable {
    /// The photo has this edit, in this quality, by this renderer.
    case sameEdit
    /// There is no edit to revert, to render again or to relink.
    case noEdit
    /// The edit is another program's.
    case anotherProgramsEdit
    /// No other program left an edit beside the photo.
    case noForeignEdit
    /// The history has no further step in that direction.
    case sameStep
    /// The version holds the present edit already.
    case sameVersion
    /// No sync made a copy of the record.
    case noConflict
    /// The file is a render.
    case isRender
    /// The picture is there already.
    case samePicture
  }

  /// Whether nothing is to be done.
  var isNothing: Bool { if case .none = change { true } else { false } }

  /// The plan with values that were chosen from what is in the photo, and what else is to be said.
  func adding(_ automatic: AutomaticAdjustments?, notes: [String]) -> EditPlan {
    let report = report.adding(automatic).adding(notes, render: nil, isUnfinished: false)
    return EditPlan(change: change, report: report)
  }

  /// The plan with how another program's edit is taken over.
  func adding(_ adopted: AdoptedEdit) -> EditPlan {
    EditPlan(change: change, report: report.adding(adopted))
  }

  /// The pixels that the plan reads; `nil` when it reads none.
  var start: EditStart? {
    switch change {
    case .commit(let new):
      switch new.render {
      case .copied, .converted, .none: nil
      case .rendered, .withNewMetadata: new.start
      }
    case .write(let picture): picture.shown.start
    case .none, .revert, .saveVersion, .keep, .removeVersion, .move: nil
    }
  }

  /// Whether what the plan renders has the coefficients of a JPEG, as far as its header tells.
  func isLossless(of edit: OpenEdit) -> Bool {
    func isLossless(_ start: EditStart, _ stack: EditStack, as output: RenderOutput) -> Bool {
      (try? edit.pixels(of: start).header().checkLossless(stack, as: output)) != nil
    }
    switch change {
    case .commit(let new):
      return switch new.render {
      case .rendered(let stack, let output): isLossless(new.start, stack, as: output)
      case .copied(let copy): copy.isLossless
      case .withNewMetadata(let render): render.isLossless
      case .converted, .none: false
      }
    case .write(let picture):
      guard case .photo = picture.content else { return false }
      return isLossless(picture.shown.start, picture.shown.needed, as: picture.output)
    case .none, .revert, .saveVersion, .keep, .removeVersion, .move: return false
    }
  }

  /// The picture that the plan writes, and whether it makes folders for it; `nil` when it writes none.
  var newFile: (path: FilePath, makesFolders: Bool)? {
    guard case .write(let picture) = change,
      case .file(let path, _, let makesFolders) = picture.target
    else { return nil }
    return (path, makesFolders)
  }

  /// The folder in which the plan makes files; `nil` when it makes none.
  func folder(of edit: OpenEdit) -> FilePath? {
    switch change {
    case .none: nil
    case .commit, .revert, .saveVersion, .keep, .removeVersion, .move:
      edit.files.recordPath.removingLastComponent()
    case .write(let picture): picture.target.path?.removingLastComponent()
    }
  }

  /// A plan to do nothing: the photo stays with the files that it has.
  static func nothing(_ reason: Reason, for edit: OpenEdit, step: Int? = nil) -> EditPlan {
    EditPlan(
      change: .none(reason),
      report: EditResult(
        status: .unchanged, rendered: edit.files.path(of: .render), record: edit.recordPath,
        step: step))
  }
}

/// A new edit of a photo.
struct NewEdit: Sendable {
  let data: AdjustmentData
  /// Which pixels it starts from.
  var start: EditStart
  var render: Render
  /// The photo's video with the edit, where the program that made the edit gave it; `nil` has it rendered.
  var video: [UInt8]?
  /// The frame of the video that becomes the base that it starts from; `nil` for the base that is there.
  var keyPhoto: VideoPlace?
  /// The program that made it, in reverse DNS order; `nil` is the editor's own.
  var editorBundleIdentifier: String?
  /// When it was made; `nil` is now.
  var date: Date?
  /// What becomes of the edit before it.
  var history = HistoryStep.edit
  /// Whether the original may be another picture than the one that was edited.
  var acceptsOriginal = false
  /// What takes the place of the photo's earlier edits, by the adjustment data that they have.
  var turned: [AdjustmentData: AdjustmentData] = [:]
  /// The named versions that are rendered again.
  var versions: [RenderedVersion] = []

  /// Where the JPEG comes from.
  enum Render: Sendable {
    /// It is rendered with an edit.
    case rendered(EditStack, RenderOutput)
    /// It is the copy of a file.
    case copied(CopiedRender)
    /// It is another program's picture, encoded as a JPEG.
    case converted(FilePath)
    /// It is the render that is there, with the metadata that the original has now.
    case withNewMetadata(RecordedRender)
    /// There is none, because the edit shows the original.
    case none
  }
}

/// A named version that is rendered again.
struct RenderedVersion: Sendable {
  let name: String
  let stack: EditStack
  /// Which pixels it starts from.
  let start: EditStart
  let output: RenderOutput
  /// Whether its render is the present edit's.
  var isPresent = false
}

/// A JPEG that was rendered before and becomes a photo's render.
struct CopiedRender: Sendable {
  let path: FilePath
  /// The SHA-256 that the file must have; `nil` accepts any file.
  var digest: Digest?
  let size: PixelSize
  /// What the record says of the renderer.
  let renderer: String
  /// Whether it has the coefficients of the JPEG that it was made from.
  var isLossless = false
}

extension CopiedRender {
  /// A render that a record describes.
  init(_ render: RecordedRender, at path: FilePath) {
    self.init(
      path: path, digest: render.file.sha256, size: render.size, renderer: render.renderer,
      isLossless: render.isLossless)
  }
}

/// A picture of a photo that becomes no part of the photo.
struct NewPicture: Sendable {
  let target: Target
  let output: RenderOutput
  /// What it shows of the photo.
  let shown: ShownState
  let content: Content

  enum Target: Sendable {
    /// A file, in place of one that is there when `existing` allows it. Folders that are not there are made when
    /// `makingFolders` says so.
    case file(FilePath, existing: ExistingFile, makingFolders: Bool)
    /// Whoever takes the bytes, in order.
    case stream(PictureStream)

    /// The file; `nil` for a stream.
    var path: FilePath? { if case .file(let path, _, _) = self { path } else { nil } }

    /// The folder that is made where it is not there; `nil` when none is made.
    var newFolders: FilePath? {
      if case .file(let path, _, true) = self { path.removingLastComponent() } else { nil }
    }

    /// A file in a folder that is there.
    static func file(_ path: FilePath, replacing: Bool) -> Target {
      .file(path, existing: replacing ? .replaced : .refused, makingFolders: false)
    }
  }

  enum Content: Sendable {
    /// The photo.
    case photo
    /// Two states of the photo.
    case comparison(ComparisonArrangement, before: LabeledState, after: LabeledState)
    /// The photo with several edits.
    case contactSheet([LabeledStack], columns: Int?)
    /// The photo's histograms.
    case histograms(PhotoHistograms)
  }
}

/// Takes the bytes of a picture, in order. What it throws ends the rendering.
package typealias PictureStream = @Sendable (UnsafeRawBufferPointer) throws -> Void

/// A state of a photo with the words that stand below its picture.
struct LabeledState: Sendable {
  let label: String
  let shown: ShownState
}

/// An edit with the words that stand below its picture.
struct LabeledStack: Sendable {
  let label: String
  let edit: EditStack
}

// MARK: - Results

/// What a call did to a photo.
///
/// ```swift
/// let result = try await editor.apply(noir, to: photo)
/// if result.status == .edited, let render = result.rendered { print("The render is \(render).") }
/// for warning in result.warnings { print(warning) }
/// ```
public struct EditResult: Sendable, Hashable {
  /// What became of the photo.
  public enum Status: String, Sendable, Hashable {
    /// It has a new edit and a new render.
    case edited
    /// It has this edit already, or has no edit to revert; nothing was written.
    case unchanged
    /// Its edit is gone; the original is as it always was.
    case reverted
    /// It is not a photo to edit but the render of one.
    case skipped
    /// A picture was written, elsewhere or as the render; the photo and its edit are as before.
    case rendered
    /// The edit is beside its photo again, under the photo's name.
    case relinked
  }

  /// What became of the photo.
  public let status: Status
  /// The render beside the original, or the exported picture; `nil` when there is none.
  public private(set) var rendered: FilePath?
  /// The sidecar; `nil` when there is none.
  public let record: FilePath?
  /// What could not be kept or done, one sentence each.
  public private(set) var warnings: [String]
  /// The number of the step that the photo's history is at, as ``EditHistory`` counts them; `nil`
  /// from calls that do not go through the history.
  public let step: Int?
  /// The names of the versions that keep other machines' edits; see
  /// ``PhotoEditor/mergeConflictingEdits(of:dryRun:)``.
  public internal(set) var versions: [String] = []
  /// Whether the change counts and not all its files are in their places. The next call on the photo
  /// puts them there.
  public private(set) var isUnfinished = false
  /// Whether the render or the picture has the coefficients of the JPEG that it was made from, and so all that this has of
  /// its part of the photo. A dry run goes by the header of that JPEG alone.
  public private(set) var isLossless = false

  init(
    status: Status, rendered: FilePath? = nil, record: FilePath? = nil, warnings: [String] = [],
    step: Int? = nil
  ) {
    self.status = status
    self.rendered = rendered
    self.record = record
    self.warnings = warnings
    self.step = step
  }

  /// The edit that the photo then has; empty for a photo without one and for another program's, `nil` when it cannot be
  /// read, and from calls that change no edit.
  public private(set) var edit: EditStack?
  /// Changes whenever the photo or its edit does. A later change can require it, so that it is not made to what somebody
  /// else made of the photo meanwhile; `nil` from calls that change no edit.
  public private(set) var revision: String?
  /// The files that were written, replaced and removed; none for a change that is held.
  public private(set) var files = FileChanges()
  /// The values that were chosen from what is in the photo; `nil` when nothing asked for them.
  public private(set) var automatic: AutomaticAdjustments?

  /// The same result with what the photo is then.
  func adding(
    edit: EditStack?, revision: String?, files: FileChanges = FileChanges()
  ) -> EditResult {
    var result = self
    (result.edit, result.revision, result.files) = (edit, revision, files)
    return result
  }

  /// The same result after another call, whose files and warnings it has too.
  func following(_ earlier: EditResult) -> EditResult {
    var result = self
    result.files = earlier.files
    result.files.add(files)
    result.warnings = earlier.warnings + warnings
    return result
  }

  /// How another program's edit was taken over; `nil` when none was.
  public private(set) var adopted: AdoptedEdit?

  /// The same result with how another program's edit was taken over.
  func adding(_ adopted: AdoptedEdit) -> EditResult {
    var result = self
    result.adopted = adopted
    return result
  }

  /// The same result with values that were chosen from what is in the photo.
  func adding(_ automatic: AutomaticAdjustments?) -> EditResult {
    var result = self
    result.automatic = automatic
    return result
  }

  /// The same result with more warnings.
  ///
  /// - Parameter render: Where a new render went; `nil` keeps what was planned.
  func adding(
    _ warnings: [String], render: FilePath?, isUnfinished: Bool, isLossless: Bool = false
  ) -> EditResult {
    var result = self
    result.isLossless = isLossless
    result.rendered = render ?? rendered
    result.warnings += warnings
    result.isUnfinished = isUnfinished
    return result
  }
}

/// What a record says of the renderer: its version, and how the JPEG is encoded.
struct RendererDescription: Sendable, Hashable {
  /// Which renderer in which version.
  let version: String
  /// The quality that was asked for, 1 to 100, and so for later edits; `nil` is that of the original.
  let quality: Int?

  private static let separator = " with jpeg quality "
  /// What stands in place of a number.
  private static let original = "of the original"

  /// - Parameter quality: 1 to 100, as it is asked for; `nil` is that of the original.
  init(version: String = Renderer.version, quality: Int?) {
    self.version = version
    self.quality = quality
  }

  /// What the present renderer makes with these settings.
  init(_ output: RenderOutput) {
    self.init(quality: output.following == .qualityAndChroma ? nil : output.quality)
  }

  /// Reads what a record says. Other programs say what they like.
  init(_ text: String) {
    guard let separator = text.firstRange(of: Self.separator) else {
      self.init(version: text, quality: nil)
      return
    }
    let quality = Int(text[separator.upperBound...]).flatMap { (1...100).contains($0) ? $0 : nil }
    let isKnown = quality != nil || text[separator.upperBound...] == Self.original
    self.init(
      version: isKnown ? String(text[..<separator.lowerBound]) : text, quality: quality)
  }

  /// What a record says of a render with these settings.
  var text: String { version + Self.separator + (quality.map { "\($0)" } ?? Self.original) }

  /// The settings. Color has the original's resolution.
  var output: RenderOutput {
    quality.map { RenderOutput(format: .jpeg, quality: $0, following: .chroma) } ?? .standard
  }
}
