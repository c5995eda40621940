import FoundationEssentials
import Glibc
import SafelightAdjustments
import SafelightFiles
import SafelightLookupTables
import SafelightMetadata
import SafelightProcesses
import SafelightRendering

/// The kinds of messages between a program and its darkroom.
enum MessageKind: UInt8 {
  // Between the program and the process that waits for work. Photos play no part in it.

  /// The darkroom is ready: a ``Greeting`` in JSON.
  case greeting
  /// Work comes over the socket that the message carries: an ``Order`` in JSON.
  case order
  /// The work has ended. Five bytes: 0 when the process that did it ended as it should, else 1; then
  /// the status that `waitpid` gave, highest byte first.
  case ended

  // About one piece of work, with the process that does it.

  /// The beginning of a JSON text that goes on.
  case part
  /// The end of a JSON text: a ``Request``, with its files, or a ``Reply``.
  case last
  /// Bytes of a picture.
  case bytes
  /// Asks to stop making the picture of a ``LiveOrder``. The message's bytes are ``LiveOrder/number``, a `UInt64`
  /// in the machine's byte order.
  case cancel
}

/// What a darkroom says first.
struct Greeting: Codable {
  /// The revision of these messages.
  static let revision = 3

  var revision = Self.revision
  /// The revision of the pixels that it makes.
  var renderer = Renderer.version
  /// The raw value of the ``PhotoDarkroom/Guards`` that hold.
  var guards: Int
}

/// How a piece of work is to be done.
struct Order: Codable {
  /// Whether the photo may be HEIC or AVIF, whose decoder takes time to load.
  var needsHEIF: Bool
  /// Most memory, in bytes; 0 is no limit.
  var memoryLimit: Int
}

/// A piece of work. The files of its sources come with the message, in the same order.
struct Request: Codable {
  var sources: [Source]
  var work: Work

  /// A ``PhotoSource`` without its file.
  struct Source: Codable {
    var name: String
    var pixelLimit: Int
    var allowsDamage: Bool

    init(_ source: PhotoSource) {
      (name, pixelLimit) = (source.name, source.pixelLimit)
      allowsDamage = source.allowsDamage
    }
  }

  enum Work: Codable {
    case describe
    case render(StackText, RenderOutput, OriginalReference)
    case check
    case display(StackText)
    case thumbnail(Data)
    case compare(
      [LabeledStackText], ComparisonArrangement, RenderOutput, OriginalReference)
    case sheet([LabeledStackText], columns: Int?, RenderOutput, OriginalReference)
    case histogram(StackText)
    case draw(PhotoHistogram, before: PhotoHistogram?, RenderOutput, OriginalReference)
    case automatic([AutomaticAdjustment], StackText)
    case hald
    /// Opens an edit session: the process decodes the photo and keeps it, and answers each ``LiveOrder`` with a
    /// picture that fits into this size.
    case live(PixelSize)
    case drill(Drill)
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
}

/// An edit stack as its adjustment data.
struct StackText: Codable {
  var version: String
  var data: Data

  init(_ stack: EditStack) {
    let data = stack.adjustmentData
    (version, self.data) = (data.formatVersion, data.data)
  }

  func stack() throws -> EditStack {
    try EditStack(
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: version, data: data))
  }
}

/// An edit stack with a label.
struct LabeledStackText: Codable {
  var label: String
  var stack: StackText
}

/// What became of a piece of work.
enum Reply: Codable {
  case described(PictureFacts)
  case rendered(Renderer.Report)
  case checked(PixelSize)
  /// How large the edited photo is; the program answers with a ``DisplayLayout``.
  case size(PixelSize)
  /// The pixels came before.
  case displayed(PixelSize)
  case counted(PhotoHistogram)
  case chosen([AutomaticValue], notes: [String])
  /// The codes came before.
  case hald(HaldPicture)
  /// Answers ``Request/Work/live(_:)``: the upright size of the photo, and the size of the preview embedded in its
  /// file, if there is one. The preview's bytes came in messages before this one.
  case opened(PixelSize, embedded: PixelSize?)
  /// The bytes of a picture came before.
  case previewed(PixelSize, PhotoHistogram?)
  /// The file has no thumbnail that can be used.
  case nothing
  /// What could be done of a ``Drill/breakOut(file:process:)``.
  case brokeOut([String])
  case failed(RenderError)
  case notHald(width: Int, height: Int)
  case cancelled

  /// A value that was chosen for a parameter.
  struct AutomaticValue: Codable {
    var option: String
    var value: Double
  }
}

extension MessageSocket {
  /// Sends a value as JSON, with files.
  ///
  /// - Parameter deadline: When to give up an end that reads nothing; `nil` waits for ever.
  func send(
    _ value: some Encodable, files: [Int32] = [], until deadline: ContinuousClock.Instant? = nil
  ) throws {
    let text = [UInt8](try JSONEncoder().encode(value))
    try text.withUnsafeBytes { text in
      let start = text.count - min(text.count, Self.mostBytes)
      try sendAll(
        MessageKind.part.rawValue, UnsafeRawBufferPointer(rebasing: text[..<start]),
        until: deadline)
      try send(
        MessageKind.last.rawValue, UnsafeRawBufferPointer(rebasing: text[start...]), files: files,
        until: deadline)
    }
  }

  /// Waits for what becomes of a piece of work, and hands out the bytes of a picture that come before it. Nothing gets
  /// past this that `check` finds impossible.
  ///
  /// - Parameters:
  ///   - isCancelled: Whether this side has cancelled the work.
  ///   - sink: Called with each run of bytes of a picture.
  /// - Throws: ``ImpossibleReply``, `SystemCallError`, what `sink` throws.
  func receiveReply(
    _ check: inout ReplyCheck, until deadline: ContinuousClock.Instant?, isCancelled: () -> Bool,
    bytes sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Reply {
    let answer: (value: Reply, files: [Int32])?
    do {
      answer = try receive(Reply.self, limit: DarkroomProcess.longestReply, until: deadline) {
        try check.take($0)
        try sink($0)
      }
    } catch is DecodingError {
      throw ImpossibleReply(reason: "a text that is no answer")
    }
    guard let answer else { throw SystemCallError(code: EPIPE) }
    for file in answer.files { close(file) }
    try check.check(answer.value, isCancelled: isCancelled())
    return answer.value
  }

  /// Waits for a value in JSON, and hands out the bytes of a picture that come before it.
  ///
  /// - Parameters:
  ///   - limit: The most bytes that the JSON may have.
  ///   - deadline: When the waiting ends.
  ///   - mayBeCancelled: Whether cancellations are passed over: of an order that was answered meanwhile.
  ///   - sink: Called with each run of bytes of a picture.
  /// - Returns: The value and its files; `nil` when the other end was closed.
  func receive<Value: Decodable>(
    _ type: Value.Type, limit: Int, until deadline: ContinuousClock.Instant? = nil,
    mayBeCancelled: Bool = false,
    bytes sink: (UnsafeRawBufferPointer) throws -> Void = { _ in
      throw SystemCallError(code: EBADMSG)
    }
  ) throws -> (value: Value, files: [Int32])? {
    var text: [UInt8] = []
    while let message = try receive(until: deadline) {
      let kind = MessageKind(rawValue: message.kind)
      // A decoder that was taken over may send files with anything.
      var areFilesTaken = false
      defer { if !areFilesTaken { for file in message.files { close(file) } } }
      switch kind {
      // Without this, empty messages could come for ever.
      case .bytes where message.bytes.isEmpty, .part where message.bytes.isEmpty:
        throw SystemCallError(code: EBADMSG)
      case .bytes: try message.bytes.withUnsafeBytes(sink)
      case .part, .last:
        guard text.count + message.bytes.count <= limit else {
          throw SystemCallError(code: EMSGSIZE)
        }
        text += message.bytes
        if kind == .last {
          let value = try JSONDecoder().decode(type, from: Data(text))
          areFilesTaken = true
          return (value, message.files)
        }
      case .cancel where mayBeCancelled: continue
      default: throw SystemCallError(code: EBADMSG)
      }
    }
    return nil
  }
}
