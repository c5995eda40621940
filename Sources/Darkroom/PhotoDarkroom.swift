import FoundationEssentials
import Glibc
import SafelightAdjustments
import SafelightFiles
import SafelightLookupTables
import SafelightMetadata
import SafelightProcesses
import SafelightRendering
import Synchronization

/// Where photos are decoded and rendered.
///
/// Decoders are large programs in C that read files of strangers. Safelight runs them in processes of
/// their own, which give up all they do not need before they see a photo: they cannot open files,
/// reach a network, start programs or look into other processes. A photo that takes over its decoder
/// gets nothing but its own bytes; one that crashes it or takes too much memory or time costs itself
/// alone.
///
/// The processes belong to the program `edit`, which must be installed where a program that links the
/// library runs. A program that cannot have that, or reads only its own photos, decodes in its own
/// process:
///
/// ```swift
/// PhotoDarkroom.current.place = .inProcess
/// ```
///
/// In the program's own process libvips is then changed for everybody in it: decoders that libvips
/// calls untrusted are blocked, its cache of operations is off, its log goes to Safelight, and warnings
/// of photos that are rendered at the same time may be mixed up.
public struct PhotoDarkroom: Sendable {
  /// Where photos are decoded.
  public enum Place: Sendable, Hashable {
    /// In processes of their own without rights.
    case ownProcess
    /// In this process.
    case inProcess
  }

  /// Where photos are decoded. `SAFELIGHT_IN_PROCESS` in the environment, with any value, means in
  /// this process.
  public var place = getenv("SAFELIGHT_IN_PROCESS") == nil ? Place.ownProcess : .inProcess
  /// The program `edit`. When it is `nil`, the one that `SAFELIGHT_EDIT` names in the environment is
  /// taken, or else the one beside this program, or else the one in `PATH`.
  public var program: FilePath?
  /// The most memory that a photo may take, in megabytes of 1,048,576 bytes; 0 is no limit. Holds for
  /// processes of their own.
  public var memoryLimit = 4096
  /// The longest that a photo may take; `nil` is for ever. Holds for processes of their own.
  public var timeLimit: Duration? = .seconds(600)
  /// How many threads draw a photo; `nil` is one for each core. Holds for processes of their own.
  package var threads: Int?

  /// What must hold in processes of their own; a photo is refused where it does not. `SAFELIGHT_REQUIRE_SANDBOX` in the
  /// environment, with any value, requires all.
  public var requiredGuards: Guards = getenv("SAFELIGHT_REQUIRE_SANDBOX") == nil ? [] : .all

  /// The processes; tests have others.
  var pool = DarkroomPool.shared

  /// The usual darkroom.
  public init() {}

  /// The darkroom that this program uses where no other is given. Set it before the first photo.
  public static var current: PhotoDarkroom {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }

  private static let shared = Mutex(PhotoDarkroom())

  /// What keeps a decoder in a process of its own from harm when a photo has taken it over.
  public struct Guards: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// It opens no files but the system's libraries and fonts (Landlock, from Linux 5.13 on).
    public static let files = Guards(rawValue: 1)
    /// It makes few system calls, none for networks or other programs (seccomp).
    public static let systemCalls = Guards(rawValue: 2)
    /// Both.
    public static let all: Guards = [.files, .systemCalls]

    /// Those that there are, for people.
    package var words: String {
      [(Guards.files, "Landlock"), (.systemCalls, "seccomp")].filter { contains($0.0) }
        .map(\.1).joined(separator: " and no ")
    }
  }

  /// What holds on this machine; nothing holds for decoding in this process. A server that takes
  /// photos of strangers asks for it when it begins.
  ///
  /// - Throws: ``RenderError/noDarkroom(detail:)``.
  public func guards() throws(RenderError) -> Guards {
    place == .ownProcess ? try pool.guards(self) : []
  }

  /// What the darkrooms that this program started lack; empty when nothing, or before the first.
  package static var missingGuards: Guards { DarkroomProcess.missingGuards }

  /// Forks this process, so that a darkroom is ready when the first photo is. For the beginning of a
  /// program, when no other thread runs.
  package static func prepareByForking() {
    DarkroomPool.shared.prepareByForking()
  }
}

// MARK: - Photos

extension PhotoDarkroom {
  /// Opens a photo: its header is read and checked.
  ///
  /// - Parameter decoding: Whether a decoder must agree with the header; otherwise none is asked
  ///   where Safelight can read the header itself. In this process one is always asked.
  /// - Throws: ``RenderError`` when the file is no photo that Safelight edits.
  package func open(
    _ source: PhotoSource, decoding: Bool = false
  ) throws(RenderError) -> OpenedPhoto {
    try OpenedPhoto(source) { format throws(RenderError) in
      if !decoding, place == .ownProcess,
        let facts = PictureFacts(withoutDecoding: source, format)
      {
        return facts
      }
      return try failingAsRender { try perform(.describe, on: [source]) }
    }
  }

  /// Renders a photo with its edit; see ``Renderer/render(_:edit:as:derivedFrom:cancellation:to:)``.
  package func render(
    _ source: PhotoSource, edit stack: EditStack, as output: RenderOutput,
    derivedFrom original: OriginalReference, cancellation: RenderCancellation? = nil,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Renderer.Report {
    try perform(
      .draw(.photo(SentEdit(stack)), output, original), on: [source],
      for: .init(cancellation: cancellation, bytes: sink))
  }

  /// Decodes every pixel of a JPEG that another program rendered, and gives its size; see
  /// ``Renderer/checkRender(_:)``.
  package func checkRender(_ source: PhotoSource) throws(RenderError) -> PixelSize {
    try failingAsRender { try perform(.check, on: [source]) }
  }

  /// Renders a photo with an edit for the screen; see
  /// ``Renderer/displayPixels(of:edit:cancellation:layout:)``.
  package func displayPixels(
    of source: PhotoSource, edit stack: EditStack, cancellation: RenderCancellation? = nil,
    layout: @escaping (PixelSize) -> DisplayLayout
  ) throws -> DisplayPixels {
    var bytes: [UInt8] = []
    let size: PixelSize = try perform(
      .display(SentEdit(stack)), on: [source],
      for: .init(cancellation: cancellation, layout: layout, bytes: { bytes += $0 }))
    return DisplayPixels(width: size.width, height: size.height, bytes: bytes)
  }

  /// The pixels of a JPEG that a camera put into a photo; `nil` when it is damaged.
  package func thumbnail(jpeg: some Sequence<UInt8>) throws -> DisplayPixels? {
    var bytes: [UInt8] = []
    let sizes: [PixelSize] = try perform(
      .thumbnail(Data(jpeg)), on: [], for: .init(bytes: { bytes += $0 }))
    return sizes.first.map { DisplayPixels(width: $0.width, height: $0.height, bytes: bytes) }
  }

  /// The codes of a picture that may be a HaldCLUT; see ``Renderer/haldPicture(_:)``.
  package func lookupTable(hald source: PhotoSource) throws -> LookupTable {
    var bytes: [UInt8] = []
    var picture: HaldPicture = try perform(.hald, on: [source], for: .init(bytes: { bytes += $0 }))
    picture.bytes = bytes
    return try picture.table()
  }

  // MARK: Numbers

  /// Counts the codes of a photo with its edit; see ``Renderer/histogram(of:edit:cancellation:)``.
  package func histogram(
    of source: PhotoSource, edit stack: EditStack, cancellation: RenderCancellation? = nil
  ) throws -> PhotoHistogram {
    try perform(
      .histogram(SentEdit(stack)), on: [source], for: .init(cancellation: cancellation))
  }

  /// Chooses adjustments that suit a photo; see ``Renderer/automaticAdjustments(_:for:edit:gray:)``.
  package func automaticAdjustments(
    _ kinds: Set<AutomaticAdjustment>, for source: PhotoSource, edit stack: EditStack,
    gray: GrayPlace? = nil, cancellation: RenderCancellation? = nil
  ) throws -> AutomaticAdjustments {
    let chosen: ChosenValues = try perform(
      .automatic(kinds.sorted { $0.rawValue < $1.rawValue }, SentEdit(stack), gray: gray),
      on: [source],
      for: .init(cancellation: cancellation))
    return try chosen.adjustments()
  }

  // MARK: Pictures of several states

  /// Renders two states of a photo as one picture; see
  /// ``Renderer/comparison(of:and:_:as:derivedFrom:cancellation:to:)``.
  package func comparison(
    of before: LabeledEdit, and after: LabeledEdit, _ arrangement: ComparisonArrangement,
    as output: RenderOutput, derivedFrom original: OriginalReference,
    cancellation: RenderCancellation? = nil,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Renderer.Report {
    let states = [before, after].map {
      RenderJob.LabeledState(label: $0.label, edit: SentEdit($0.edit))
    }
    return try perform(
      .draw(.comparison(states, arrangement), output, original), on: [before.source, after.source],
      for: .init(cancellation: cancellation, bytes: sink))
  }

  /// Renders a photo with several edits as thumbnails; see
  /// ``Renderer/contactSheet(of:with:columns:as:derivedFrom:cancellation:to:)``.
  package func contactSheet(
    of source: PhotoSource, with edits: [(label: String, edit: EditStack)], columns: Int?,
    as output: RenderOutput, derivedFrom original: OriginalReference,
    cancellation: RenderCancellation? = nil,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Renderer.Report {
    let states = edits.map { RenderJob.LabeledState(label: $0.label, edit: SentEdit($0.edit)) }
    return try perform(
      .draw(.sheet(states, columns: columns), output, original), on: [source],
      for: .init(cancellation: cancellation, bytes: sink))
  }

  /// Draws a histogram; see ``Renderer/draw(_:before:as:derivedFrom:to:)``.
  package func draw(
    _ histogram: PhotoHistogram, before: PhotoHistogram?, as output: RenderOutput,
    derivedFrom original: OriginalReference,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Renderer.Report {
    try perform(
      .draw(.histogram(histogram, before: before), output, original), on: [],
      for: .init(bytes: sink))
  }

  /// What this machine can do with each format of pictures, measured in a process of its own.
  package func abilities() throws -> [FormatAbility] {
    FormatAbility.all(try perform(.abilities, on: []))
  }

  /// Throws what rendering by an output would throw, without the picture; see ``Renderer/tryOutput(_:of:edit:)``.
  ///
  /// - Parameter source: The photo; `nil` for any photo.
  package func tryOutput(
    _ output: RenderOutput, of source: PhotoSource? = nil, edit stack: EditStack = EditStack(),
    cancellation: RenderCancellation? = nil
  ) throws {
    let _: Bool = try perform(
      .tryOutput(output, SentEdit(stack)), on: [source].compactMap(\.self),
      for: .init(cancellation: cancellation))
  }

  /// Has a process of its own do what a hostile photo might have it do.
  ///
  /// - Returns: What it could do that it must not.
  package func perform(
    _ drill: Drill, cancellation: RenderCancellation? = nil
  ) throws -> [String] {
    try pool.perform(.drill(drill), on: [], for: .init(cancellation: cancellation), in: self)
  }
}

extension PhotoDarkroom {
  /// Does a job here or in a process of its own, by the same code.
  private func perform<Result: Codable>(
    _ job: RenderJob, on sources: [PhotoSource], for client: RenderJob.Client = .init()
  ) throws -> Result {
    guard place == .inProcess else {
      return try pool.perform(job, on: sources, for: client, in: self)
    }
    guard let result = try job.perform(on: sources, for: client) as? Result else {
      preconditionFailure("The job gives something else.")
    }
    return result
  }

  /// Makes every error one of rendering.
  private func failingAsRender<Result>(_ body: () throws -> Result) throws(RenderError) -> Result {
    do {
      return try body()
    } catch let error as RenderError {
      throw error
    } catch {
      throw .failed(detail: "\(error)")
    }
  }
}
