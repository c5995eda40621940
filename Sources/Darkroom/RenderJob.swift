import FoundationEssentials
import Glibc
import SafelightAdjustments
import SafelightLookupTables
import SafelightMetadata
import SafelightProcesses
import SafelightRendering

/// A piece of work on photos, as a value. ``perform(on:for:)`` does it, in this process or in one of its own.
///
/// What comes of it has the type that the case names.
enum RenderJob: Codable {
  /// What only a decoder knows of the photo: `PictureFacts`.
  case describe
  /// An encoded picture. Its bytes come first, then a `Renderer.Report`.
  case draw(Drawing, RenderOutput, OriginalReference)
  /// Decodes every pixel of a JPEG that another program rendered, and gives its `PixelSize`.
  case check
  /// Pixels for the screen: their bytes, then their `PixelSize`. What to show is asked by the picture's size.
  case display(SentEdit)
  /// The pixels of a JPEG that a camera put into a photo: their bytes, then an array with their `PixelSize`. The array
  /// is empty when the JPEG cannot be used.
  case thumbnail(Data)
  /// A `PhotoHistogram`.
  case histogram(SentEdit)
  /// ``ChosenValues``.
  case automatic([AutomaticAdjustment], SentEdit, gray: GrayPlace?)
  /// The codes of a picture that may be a HaldCLUT: their bytes, then a `HaldPicture`.
  case hald
  /// Opens an edit session: the process decodes the photo and keeps it. The bytes of the preview in its file come first,
  /// then an ``OpenedSession``. Each ``LiveOrder`` then gives a picture that fits into this size. Not for this process.
  case live(PixelSize)
  /// What this machine can do with each format: ``MeasuredFormats``.
  case abilities
  /// Finds out whether pictures can be written as an output asks, of the photo with an edit or, without a photo, at all:
  /// `true`, or the error that rendering gives.
  case tryOutput(RenderOutput, SentEdit)
  /// What could be done that must not, as an array of `String`.
  case drill(Drill)

  /// What an encoded picture shows.
  enum Drawing: Codable {
    /// A photo with its edit.
    case photo(SentEdit)
    /// Two states, each with a photo of its own.
    case comparison([LabeledState], ComparisonArrangement)
    /// A photo with several edits, as thumbnails.
    case sheet([LabeledState], columns: Int?)
    /// Histograms; no photo.
    case histogram(PhotoHistogram, before: PhotoHistogram?)
  }

  /// An edit with a label.
  struct LabeledState: Codable {
    var label: String
    var edit: SentEdit
  }

  /// What a job needs of those who want it done.
  struct Client {
    /// Ends the job early.
    var cancellation: RenderCancellation?
    /// Says how a picture is shown, by its size.
    var layout: (PixelSize) throws -> DisplayLayout = { _ in DisplayLayout() }
    /// Called with each run of bytes of a picture.
    var bytes: (UnsafeRawBufferPointer) throws -> Void = { _ in }
  }
}

extension RenderJob {
  /// How often the edit of the photo changes its perspective.
  var perspectives: Int {
    switch self {
    case .draw(.photo(let edit), _, _), .display(let edit), .histogram(let edit):
      min(edit.stack.entries.withSteps.count { $0.id == Perspective.id }, 4)
    case .describe, .draw, .check, .thumbnail, .automatic, .hald, .live, .abilities, .tryOutput,
      .drill:
      0
    }
  }
}

extension RenderJob {
  /// The parts of libvips that the picture is made with.
  var modules: Set<Renderer.Module> {
    switch self {
    case .draw(_, let output, _): Set([output.format.module].compactMap(\.self))
    case .abilities: Set(Renderer.Module.allCases)
    default: []
    }
  }

  /// Whether the picture may have more pixels than the photo.
  var enlarges: Bool {
    if case .draw(.photo, let output, _) = self { output.enlarges } else { false }
  }
}

/// An edit on its way to another process: as the text that records have, which is read once, where it arrives.
struct SentEdit: Codable {
  let stack: EditStack

  init(_ stack: EditStack) { self.stack = stack }

  init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    let version = try values.decode(String.self)
    stack = try EditStack(
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: version,
        data: Data(try values.decode(String.self).utf8)))
  }

  func encode(to encoder: any Encoder) throws {
    let data = stack.adjustmentData
    var values = encoder.unkeyedContainer()
    try values.encode(data.formatVersion)
    try values.encode(String(decoding: data.data, as: UTF8.self))
  }
}

/// Values that were chosen for parameters.
struct ChosenValues: Codable {
  struct Value: Codable {
    var option: String
    var value: Double
  }

  var values: [Value]
  var notes: [String]

  init(_ found: AutomaticAdjustments) {
    values = found.settings.compactMap { setting in
      guard let option = setting.parameter.option, let value = Double(setting.argument) else {
        return nil
      }
      return Value(option: option, value: value)
    }
    notes = found.notes
  }

  /// The adjustments with these values.
  func adjustments() throws(AdjustmentError) -> AutomaticAdjustments {
    try AutomaticAdjustments(values.map { ($0.option, $0.value) }, notes: notes)
  }
}

/// Why a job gives nothing, on its way to those who want it done.
enum JobFailure: Codable {
  case render(RenderError)
  case notHald(width: Int, height: Int)
  case cancelled

  /// - Throws: The error itself, when talking with the program failed.
  init(_ error: any Error) throws {
    switch error {
    case let error as RenderError: self = .render(error)
    case LookupTableError.notHald(let width, let height):
      self = .notHald(width: width, height: height)
    case is CancellationError: self = .cancelled
    case let error as SystemCallError: throw error
    default: self = .render(.failed(detail: "\(error)"))
    }
  }

  /// The error.
  var error: any Error {
    switch self {
    case .render(let error): error
    case .notHald(let width, let height): LookupTableError.notHald(width: width, height: height)
    case .cancelled: CancellationError()
    }
  }
}

// MARK: - Doing it

extension RenderJob {
  /// Does the job in this process.
  ///
  /// - Parameter sources: The photos, in the order in which the case names them.
  /// - Returns: What the case names.
  func perform(on sources: [PhotoSource], for client: Client) throws -> any Codable {
    let renderer = Renderer()
    func source() throws(SystemCallError) -> PhotoSource {
      guard let source = sources.first else { throw SystemCallError(code: EBADMSG) }
      return source
    }
    func shown(_ pixels: DisplayPixels) throws -> PixelSize {
      try pixels.bytes.withUnsafeBytes(client.bytes)
      return PixelSize(width: pixels.width, height: pixels.height)
    }
    switch self {
    case .describe: return try renderer.facts(of: source())
    case .draw(let drawing, let output, let original):
      return try drawing.draw(from: sources, as: output, derivedFrom: original, for: client)
    case .check: return try renderer.checkRender(source())
    case .display(let edit):
      return try shown(
        renderer.displayPixels(
          of: source(), edit: edit.stack, cancellation: client.cancellation, layout: client.layout))
    case .thumbnail(let jpeg):
      return try jpeg.withUnsafeBytes { PlainJPEG.decoded($0) }.map { [try shown($0)] } ?? []
    case .histogram(let edit):
      return try renderer.histogram(
        of: source(), edit: edit.stack, cancellation: client.cancellation)
    case .automatic(let kinds, let edit, let gray):
      return ChosenValues(
        try renderer.automaticAdjustments(
          Set(kinds), for: source(), edit: edit.stack, gray: gray))
    case .hald:
      let picture = try renderer.haldPicture(source())
      try picture.bytes.withUnsafeBytes(client.bytes)
      return picture
    case .live: throw SystemCallError(code: EBADMSG)
    case .abilities: return renderer.measuredFormats()
    case .tryOutput(let output, let edit):
      if sources.isEmpty {
        try renderer.tryOutput(output)
      } else {
        try renderer.tryOutput(output, of: renderer.open(source()), edit: edit.stack)
      }
      return true
    case .drill(let drill): return drill.perform()
    }
  }
}

extension RenderJob.Drawing {
  fileprivate func draw(
    from sources: [PhotoSource], as output: RenderOutput, derivedFrom original: OriginalReference,
    for client: RenderJob.Client
  ) throws -> Renderer.Report {
    let renderer = Renderer()
    func photos(_ count: Int) throws(SystemCallError) -> [PhotoSource] {
      guard sources.count == count else { throw SystemCallError(code: EBADMSG) }
      return sources
    }
    switch self {
    case .photo(let edit):
      return try renderer.render(
        renderer.open(photos(1)[0]), edit: edit.stack, as: output, derivedFrom: original,
        cancellation: client.cancellation, to: client.bytes)
    case .comparison(let states, let arrangement):
      let edits = try zip(photos(states.count), states).map { source, state in
        LabeledEdit(source, edit: state.edit.stack, label: state.label)
      }
      guard edits.count == 2 else { throw SystemCallError(code: EBADMSG) }
      return try renderer.comparison(
        of: edits[0], and: edits[1], arrangement, as: output, derivedFrom: original,
        cancellation: client.cancellation, to: client.bytes)
    case .sheet(let states, let columns):
      return try renderer.contactSheet(
        of: photos(1)[0], with: states.map { ($0.label, $0.edit.stack) }, columns: columns,
        as: output, derivedFrom: original, cancellation: client.cancellation, to: client.bytes)
    case .histogram(let histogram, let before):
      return try renderer.draw(
        histogram, before: before, as: output, derivedFrom: original, to: client.bytes)
    }
  }
}

/// What a hostile photo might make its decoder do. Tests ask for it, to see that the sandbox holds.
package enum Drill: Sendable, Codable {
  /// Tries to get out: at a file, and at the process that gave the work.
  case breakOut(file: String, process: Int32)
  /// Crashes.
  case crash
  /// Never ends.
  case hang
  /// Takes this many bytes of memory.
  case fill(Int)

  /// Does it.
  ///
  /// - Returns: What could be done that must not.
  func perform() -> [String] {
    switch self {
    case .breakOut(let file, let process): return Sandbox.holes(file: file, process: process)
    case .crash: fatalError("A drill.")
    case .hang: while true { usleep(1000) }
    case .fill(let count):
      let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
      memset(memory, 1, count)
      memory.deallocate()
      return []
    }
  }
}
