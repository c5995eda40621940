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
  ///   where Safelight can read the header itself.
  /// - Throws: ``RenderError`` when the file is no photo that Safelight edits.
  package func open(
    _ source: PhotoSource, decoding: Bool = false
  ) throws(RenderError) -> OpenedPhoto {
    guard place == .ownProcess else { return try Renderer().open(source) }
    return try OpenedPhoto(source) { format throws(RenderError) in
      if !decoding, let facts = PictureFacts(withoutDecoding: source, format) { return facts }
      return try failingAsRender {
        try perform(.describe, on: [source]) { reply in
          if case .described(let facts) = reply { facts } else { nil }
        }
      }
    }
  }

  /// Renders a photo with its edit; see ``Renderer/render(_:edit:as:derivedFrom:cancellation:to:)``.
  package func render(
    _ source: PhotoSource, edit stack: EditStack, as output: RenderOutput,
    derivedFrom original: OriginalReference, cancellation: RenderCancellation? = nil,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Renderer.Report {
    guard place == .ownProcess else {
      let renderer = Renderer()
      return try renderer.render(
        renderer.open(source), edit: stack, as: output, derivedFrom: original,
        cancellation: cancellation, to: sink)
    }
    return try report(
      of: .render(StackText(stack), output, original), on: [source], cancellation, to: sink)
  }

  /// Decodes every pixel of a JPEG that another program rendered, and gives its size; see
  /// ``Renderer/checkRender(_:)``.
  package func checkRender(_ source: PhotoSource) throws(RenderError) -> PixelSize {
    guard place == .ownProcess else { return try Renderer().checkRender(source) }
    return try failingAsRender {
      try perform(.check, on: [source]) { reply in
        if case .checked(let size) = reply { size } else { nil }
      }
    }
  }

  /// Renders a photo with an edit for the screen; see
  /// ``Renderer/displayPixels(of:edit:cancellation:layout:)``.
  package func displayPixels(
    of source: PhotoSource, edit stack: EditStack, cancellation: RenderCancellation? = nil,
    layout: (PixelSize) -> DisplayLayout
  ) throws -> DisplayPixels {
    guard place == .ownProcess else {
      return try Renderer().displayPixels(
        of: source, edit: stack, cancellation: cancellation, layout: layout)
    }
    return try pixels(.display(StackText(stack)), of: [source], cancellation, layout: layout)
      ?? { throw RenderError.failed(detail: "no pixels came") }()
  }

  /// The pixels of a JPEG that a camera put into a photo; `nil` when it is damaged.
  package func thumbnail(jpeg bytes: some Sequence<UInt8>) throws -> DisplayPixels? {
    let bytes = Array(bytes)
    guard place == .ownProcess else { return bytes.withUnsafeBytes { PlainJPEG.decoded($0) } }
    return try pixels(.thumbnail(.init(bytes)), of: [])
  }

  /// The codes of a picture that may be a HaldCLUT; see ``Renderer/haldPicture(_:)``.
  package func lookupTable(hald source: PhotoSource) throws -> LookupTable {
    guard place == .ownProcess else { return try Renderer().haldPicture(source).table() }
    var bytes: [UInt8] = []
    var picture: HaldPicture = try perform(
      .hald, on: [source],
      bytes: { bytes += $0 },
      result: { reply in
        if case .hald(let picture) = reply { picture } else { nil }
      })
    picture.bytes = bytes
    return try picture.table()
  }

  // MARK: Numbers

  /// Counts the codes of a photo with its edit; see ``Renderer/histogram(of:edit:cancellation:)``.
  package func histogram(
    of source: PhotoSource, edit stack: EditStack, cancellation: RenderCancellation? = nil
  ) throws -> PhotoHistogram {
    guard place == .ownProcess else {
      return try Renderer().histogram(of: source, edit: stack, cancellation: cancellation)
    }
    return try perform(.histogram(StackText(stack)), on: [source], cancellation) { reply in
      if case .counted(let histogram) = reply { histogram } else { nil }
    }
  }

  /// Chooses adjustments that suit a photo; see ``Renderer/automaticAdjustments(_:for:edit:)``.
  package func automaticAdjustments(
    _ kinds: Set<AutomaticAdjustment>, for source: PhotoSource, edit stack: EditStack,
    cancellation: RenderCancellation? = nil
  ) throws -> AutomaticAdjustments {
    guard place == .ownProcess else {
      return try Renderer().automaticAdjustments(kinds, for: source, edit: stack)
    }
    let work = Request.Work.automatic(
      kinds.sorted { $0.rawValue < $1.rawValue }, StackText(stack))
    let (values, notes) = try perform(work, on: [source], cancellation) { reply in
      if case .chosen(let values, let notes) = reply { (values, notes) } else { nil }
    }
    return try AutomaticAdjustments(values.map { ($0.option, $0.value) }, notes: notes)
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
    guard place == .ownProcess else {
      return try Renderer().comparison(
        of: before, and: after, arrangement, as: output, derivedFrom: original,
        cancellation: cancellation, to: sink)
    }
    let states = [before, after].map {
      LabeledStackText(label: $0.label, stack: StackText($0.edit))
    }
    return try report(
      of: .compare(states, arrangement, output, original), on: [before.source, after.source],
      cancellation, to: sink)
  }

  /// Renders a photo with several edits as thumbnails; see
  /// ``Renderer/contactSheet(of:with:columns:as:derivedFrom:cancellation:to:)``.
  package func contactSheet(
    of source: PhotoSource, with edits: [(label: String, edit: EditStack)], columns: Int?,
    as output: RenderOutput, derivedFrom original: OriginalReference,
    cancellation: RenderCancellation? = nil,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Renderer.Report {
    guard place == .ownProcess else {
      return try Renderer().contactSheet(
        of: source, with: edits, columns: columns, as: output, derivedFrom: original,
        cancellation: cancellation, to: sink)
    }
    let states = edits.map { LabeledStackText(label: $0.label, stack: StackText($0.edit)) }
    return try report(
      of: .sheet(states, columns: columns, output, original), on: [source], cancellation, to: sink)
  }

  /// Draws a histogram; see ``Renderer/draw(_:before:as:derivedFrom:to:)``.
  package func draw(
    _ histogram: PhotoHistogram, before: PhotoHistogram?, as output: RenderOutput,
    derivedFrom original: OriginalReference,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Renderer.Report {
    guard place == .ownProcess else {
      return try Renderer().draw(
        histogram, before: before, as: output, derivedFrom: original, to: sink)
    }
    return try report(of: .draw(histogram, before: before, output, original), on: [], nil, to: sink)
  }
}

extension PhotoDarkroom {
  /// Has a process do what a hostile photo might have it do.
  ///
  /// - Returns: What it could do that it must not.
  package func perform(
    _ drill: Drill, cancellation: RenderCancellation? = nil
  ) throws -> [String] {
    try perform(.drill(drill), on: [], cancellation) { reply in
      switch reply {
      case .brokeOut(let holes): holes
      case .nothing: []
      default: nil
      }
    }
  }
}

// MARK: - Work in another process

extension PhotoDarkroom {
  /// Work whose result is an encoded picture.
  private func report(
    of work: Request.Work, on sources: [PhotoSource], _ cancellation: RenderCancellation?,
    to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Renderer.Report {
    try perform(work, on: sources, cancellation, bytes: sink) { reply in
      if case .rendered(let report) = reply { report } else { nil }
    }
  }

  /// Work whose result is pixels for the screen, if any.
  private func pixels(
    _ work: Request.Work, of sources: [PhotoSource], _ cancellation: RenderCancellation? = nil,
    layout: (PixelSize) -> DisplayLayout = { _ in DisplayLayout() }
  ) throws -> DisplayPixels? {
    var bytes: [UInt8] = []
    let size: PixelSize? = try perform(
      work, on: sources, cancellation, layout: layout,
      bytes: { bytes += $0 },
      result: { reply in
        switch reply {
        case .displayed(let size): .some(size)
        case .nothing: .some(nil)
        default: nil
        }
      })
    return size.map { DisplayPixels(width: $0.width, height: $0.height, bytes: bytes) }
  }

  private func perform<Result>(
    _ work: Request.Work, on sources: [PhotoSource], _ cancellation: RenderCancellation? = nil,
    layout: (PixelSize) -> DisplayLayout = { _ in DisplayLayout() },
    bytes: (UnsafeRawBufferPointer) throws -> Void = { _ in },
    result: (Reply) -> Result?
  ) throws -> Result {
    let reply = try pool.perform(
      work, on: sources, in: self, cancellation, layout: layout, bytes: bytes)
    switch reply {
    case .failed(let error): throw error
    case .notHald(let width, let height):
      throw LookupTableError.notHald(width: width, height: height)
    case .cancelled: throw CancellationError()
    default: break
    }
    guard let result = result(reply) else {
      throw RenderError.failed(detail: "the answer does not fit the work")
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
