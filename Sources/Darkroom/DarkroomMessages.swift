import FoundationEssentials
import Glibc
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
  /// The end of a JSON text: a ``Request`` with its files, a ``LiveOrder``, a `DisplayLayout`, or what came of a job.
  case last
  /// Bytes of a picture.
  case bytes
  /// Asks to stop making the picture of a ``LiveOrder``. The message's bytes are ``LiveOrder/number``, a `UInt64`
  /// in the machine's byte order.
  case cancel
  /// The end of a JSON text: a `PixelSize`, which asks for a `DisplayLayout`.
  case question
  /// The end of a JSON text: a ``JobFailure``.
  case failure
}

/// What a darkroom says first.
struct Greeting: Codable {
  /// The revision of these messages.
  static let revision = 8

  var revision = Self.revision
  /// The revision of the pixels that it makes.
  var renderer = Renderer.version
  /// The raw value of the ``PhotoDarkroom/Guards`` that hold.
  var guards: Int
}

/// How a piece of work is to be done.
struct Order: Codable {
  /// The parts of libvips for the photos and the picture, which take time to load.
  var modules: Set<Renderer.Module>
  /// Most memory, in bytes; 0 is no limit.
  var memoryLimit: Int
  /// How many threads draw; `nil` is one for each core.
  var threads: Int?
}

/// A ``RenderJob`` on its way. The files of its sources come with the message, in the same order.
struct Request: Codable {
  var sources: [Source]
  var job: RenderJob

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
}

/// What a process says to a job or an order.
enum Reply<Result> {
  /// How large the edited photo is. The program answers with a `DisplayLayout`.
  case question(PixelSize)
  /// What came of it.
  case result(Result)
  case failure(JobFailure)
}

extension MessageSocket {
  /// Sends a value as JSON, with files.
  ///
  /// - Parameters:
  ///   - kind: What the text says.
  ///   - deadline: When to give up an end that reads nothing; `nil` waits for ever.
  func send(
    _ value: some Encodable, as kind: MessageKind = .last, files: [Int32] = [],
    until deadline: ContinuousClock.Instant? = nil
  ) throws {
    let text = [UInt8](try JSONEncoder().encode(value))
    try text.withUnsafeBytes { text in
      let start = text.count - min(text.count, Self.mostBytes)
      try sendAll(
        MessageKind.part.rawValue, UnsafeRawBufferPointer(rebasing: text[..<start]),
        until: deadline)
      try send(
        kind.rawValue, UnsafeRawBufferPointer(rebasing: text[start...]), files: files,
        until: deadline)
    }
  }

  /// Does something for the program, and sends what comes of it.
  ///
  /// - Throws: When the program does not listen.
  func reply(with body: () throws -> any Encodable) throws {
    let result: any Encodable
    do {
      result = try body()
    } catch {
      return try send(JobFailure(error), as: .failure)
    }
    try send(result)
  }

  /// Waits for what becomes of a job, and hands out the bytes of a picture that come before it. Nothing gets past this
  /// that `check` finds impossible.
  ///
  /// - Parameters:
  ///   - isCancelled: Whether this side has cancelled the work.
  ///   - sink: Called with each run of bytes of a picture.
  /// - Throws: ``ImpossibleReply``, `SystemCallError`, what `sink` throws.
  func receiveReply<Result: Decodable>(
    _ check: inout ReplyCheck,
    until deadline: ContinuousClock.Instant?, isCancelled: () -> Bool,
    bytes sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Reply<Result> {
    let answer = try receiveText(limit: DarkroomProcess.longestReply, until: deadline) {
      try check.take($0)
      try sink($0)
    }
    guard let answer else { throw SystemCallError(code: EPIPE) }
    for file in answer.files { close(file) }
    let reply: Reply<Result>
    do {
      let decoder = JSONDecoder()
      reply =
        switch answer.kind {
        case .question: .question(try decoder.decode(PixelSize.self, from: answer.text))
        case .failure: .failure(try decoder.decode(JobFailure.self, from: answer.text))
        default: .result(try decoder.decode(Result.self, from: answer.text))
        }
    } catch {
      throw ImpossibleReply(reason: "a text that is no answer")
    }
    try check.check(reply, isCancelled: isCancelled())
    return reply
  }

  /// Waits for a value that the program sends as JSON.
  ///
  /// - Parameters:
  ///   - limit: The most bytes that the JSON may have.
  ///   - mayBeCancelled: Whether cancellations are passed over: of an order that was answered meanwhile.
  /// - Returns: The value and its files; `nil` when the other end was closed.
  func receive<Value: Decodable>(
    _ type: Value.Type, limit: Int, mayBeCancelled: Bool = false
  ) throws -> (value: Value, files: [Int32])? {
    let received = try receiveText(limit: limit, mayBeCancelled: mayBeCancelled) { _ in
      throw SystemCallError(code: EBADMSG)
    }
    guard let (kind, text, files) = received else { return nil }
    do {
      guard kind == .last else { throw SystemCallError(code: EBADMSG) }
      return (try JSONDecoder().decode(type, from: text), files)
    } catch {
      for file in files { close(file) }
      throw error
    }
  }

  /// Waits for a text, and hands out the bytes of a picture that come before it.
  ///
  /// - Returns: What the text says, the text, and the files that came with its end; `nil` when the other end was closed.
  private func receiveText(
    limit: Int, until deadline: ContinuousClock.Instant? = nil, mayBeCancelled: Bool = false,
    bytes sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> (kind: MessageKind, text: Data, files: [Int32])? {
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
      case .part, .last, .question, .failure:
        guard text.count + message.bytes.count <= limit else {
          throw SystemCallError(code: EMSGSIZE)
        }
        text += message.bytes
        if let kind, kind != .part {
          areFilesTaken = true
          return (kind, Data(text), message.files)
        }
      case .cancel where mayBeCancelled: continue
      default: throw SystemCallError(code: EBADMSG)
      }
    }
    return nil
  }
}
