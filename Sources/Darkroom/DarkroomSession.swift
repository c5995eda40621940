import Glibc
import SafelightAdjustments
import SafelightFiles
import SafelightProcesses
import SafelightRendering
import Synchronization

/// A photo that stays decoded in a process of its own, for pictures of one edit after another.
///
/// The process starts with the session and ends with ``close()``. The darkroom's limit of memory
/// holds for all its pictures together, the limit of time for each; between two pictures it may idle
/// as long as it likes. When the process dies or takes too long, that picture fails, and the next one
/// starts another process. In ``PhotoDarkroom/Place/inProcess`` the photo lies in this process.
///
/// For use by one thread at a time; ``close()`` and a ``RenderCancellation`` may come from others.
package final class DarkroomSession: Sendable {
  /// Width and height of the upright photo.
  package let pixelSize: PixelSize
  /// The picture that the camera put into the file; `nil` when there is none that can stand for it.
  package let embeddedPreview: EncodedPreview?

  private let source: PhotoSource
  private let screen: PixelSize
  private let darkroom: PhotoDarkroom
  private let state: Mutex<State>

  private struct State {
    var place: Place?
    var isClosed = false
    var orders: UInt64 = 0
  }

  /// Where the decoded photo is.
  private enum Place {
    case here(KeptMaker)
    case process(SessionProcess)
  }

  /// `@unchecked Sendable`: the session's thread alone uses the maker.
  private final class KeptMaker: @unchecked Sendable {
    let maker: PreviewMaker
    init(_ maker: PreviewMaker) { self.maker = maker }
  }

  /// Opens a photo. A process of its own decodes it from now on; in this process the first picture
  /// does, or ``prepare()``.
  ///
  /// - Parameters:
  ///   - source: The original, or the pixels that edits start from.
  ///   - screen: The size that pictures lie inside.
  /// - Throws: ``RenderError``.
  package init(
    _ source: PhotoSource, fitting screen: PixelSize, in darkroom: PhotoDarkroom
  ) throws {
    (self.source, self.screen, self.darkroom) = (source, screen, darkroom)
    let (place, size, embedded) = try Self.open(source, screen, darkroom)
    (pixelSize, embeddedPreview) = (size, embedded)
    state = Mutex(State(place: place))
  }

  private static func open(
    _ source: PhotoSource, _ screen: PixelSize, _ darkroom: PhotoDarkroom
  ) throws -> (Place, PixelSize, EncodedPreview?) {
    guard darkroom.place == .ownProcess else {
      let maker = try PreviewMaker(source, fitting: screen)
      return (.here(KeptMaker(maker)), maker.pixelSize, maker.embeddedPreview())
    }
    let process = try darkroom.pool.beginSession(on: source, fitting: screen, in: darkroom)
    return (.process(process), process.pixelSize, process.embeddedPreview)
  }

  /// Decodes the photo where it is in this process.
  package func prepare() throws {
    if case .here(let kept) = state.withLock(\.place) { try kept.maker.prepare() }
  }

  /// Makes a picture of an edit.
  ///
  /// - Throws: ``RenderError``, `CancellationError`, also once the session is closed.
  package func picture(
    of stack: EditStack, _ layout: PreviewLayout, unless cancellation: RenderCancellation
  ) throws -> EncodedPreview {
    switch try place() {
    case .here(let kept):
      return try kept.maker.picture(of: stack, layout, unless: cancellation)
    case .process(let process):
      let number = state.withLock { state in
        state.orders += 1
        return state.orders
      }
      do {
        return try process.picture(
          LiveOrder(number: number, edit: SentEdit(stack), layout: layout), unless: cancellation)
      } catch let error where process.isLost {
        let isClosed = state.withLock { state in
          state.place = nil
          return state.isClosed
        }
        throw isClosed ? CancellationError() : error
      }
    }
  }

  /// Where the photo is now; a lost process is replaced.
  private func place() throws -> Place {
    let (place, isClosed) = state.withLock { ($0.place, $0.isClosed) }
    if isClosed { throw CancellationError() }
    if let place { return place }
    let (opened, _, _) = try Self.open(source, screen, darkroom)
    let isLate = state.withLock { state in
      if !state.isClosed { state.place = opened }
      return state.isClosed
    }
    guard isLate else { return opened }
    if case .process(let process) = opened { process.close() }
    throw CancellationError()
  }

  /// Ends the process, and the picture that it makes. Later pictures throw `CancellationError`.
  package func close() {
    let place = state.withLock { state in
      state.isClosed = true
      defer { state.place = nil }
      return state.place
    }
    if case .process(let process) = place { process.close() }
  }

  /// Has the process do what a hostile photo might have it do.
  package func perform(_ drill: Drill) throws {
    guard case .process(let process) = try place() else { return }
    var order = LiveOrder(number: 0, edit: SentEdit(EditStack()), layout: PreviewLayout())
    order.drill = drill
    do {
      _ = try process.picture(order, unless: RenderCancellation())
    } catch let error where process.isLost {
      state.withLock { $0.place = nil }
      throw error
    }
  }

  /// The process's number; `nil` in this process.
  package var processIdentifier: Int32? {
    if case .process(let process) = state.withLock(\.place) { process.identifier } else { nil }
  }
}

/// An order to a process that keeps a photo.
struct LiveOrder: Codable {
  /// Counts the orders; a ``MessageKind/cancel`` names the one that it cancels.
  var number: UInt64
  var edit: SentEdit
  var layout: PreviewLayout
  var drill: Drill?
}

/// What comes of ``RenderJob/live(_:)``.
struct OpenedSession: Codable {
  /// The upright size of the photo.
  var size: PixelSize
  /// The size of the preview in the photo's file, whose bytes came before; `nil` when there is none.
  var embedded: PixelSize?
}

/// What comes of a ``LiveOrder``, after the bytes of the picture.
struct MadePreview: Codable {
  var size: PixelSize
  var histogram: PhotoHistogram?
}

// MARK: - The program's side

/// The process of a session, with the connection to it.
///
/// `@unchecked Sendable`: one thread at a time makes pictures; others only kill and cancel.
final class SessionProcess: @unchecked Sendable {
  private let process: DarkroomProcess
  private let socket: MessageSocket
  private let settings: PhotoDarkroom
  private let screen: PixelSize
  private(set) var pixelSize = PixelSize(width: 0, height: 0)
  private(set) var embeddedPreview: EncodedPreview?
  private let state = Mutex(State())

  private struct State {
    /// Whether an answer is awaited.
    var isBusy = false
    var isClosed = false
    /// Whether it ended, or is not to be trusted any more.
    var isLost = false
  }

  /// Whether it ended, or is not to be trusted any more.
  var isLost: Bool { state.withLock(\.isLost) }

  /// Waits until the process has opened the photo.
  init(
    _ process: DarkroomProcess, _ socket: MessageSocket, _ source: PhotoSource, _ screen: PixelSize,
    _ settings: PhotoDarkroom
  ) throws {
    (self.process, self.socket, self.settings) = (process, socket, settings)
    self.screen = screen
    let request = Request(sources: [Request.Source(source)], job: .live(screen))
    let (opened, bytes): (OpenedSession, [UInt8]) = try answer(
      ReplyCheck(request.job, on: [source]), unless: nil
    ) { deadline in
      try withExtendedLifetime(source) {
        try socket.send(request, files: [source.file.descriptor], until: deadline)
      }
    }
    pixelSize = opened.size
    embeddedPreview = opened.embedded.map {
      EncodedPreview(width: $0.width, height: $0.height, bytes: bytes)
    }
  }

  var identifier: Int32 { process.identifier }

  func picture(
    _ order: LiveOrder, unless cancellation: RenderCancellation
  ) throws -> EncodedPreview {
    @Sendable func cancel() {
      let number = withUnsafeBytes(of: order.number) { Array($0) }
      // One that has no room is not worth waiting for: the order has a limit of time, too.
      try? number.withUnsafeBytes {
        try socket.send(MessageKind.cancel.rawValue, $0, until: .now + .milliseconds(100))
      }
    }
    if cancellation.isCancelled { throw CancellationError() }
    defer { cancellation.watchNothing() }
    let (made, bytes): (MadePreview, [UInt8]) = try answer(
      ReplyCheck(order.layout, of: pixelSize, on: screen), unless: cancellation
    ) { deadline in
      // A cancellation that comes before the order is lost, and the order may have several messages.
      try socket.send(order, until: deadline)
      do {
        try cancellation.watch(cancel)
      } catch {
        cancel()
      }
    }
    return EncodedPreview(
      width: made.size.width, height: made.size.height, bytes: bytes, histogram: made.histogram)
  }

  /// Sends something and waits for what becomes of it.
  ///
  /// - Parameters:
  ///   - possible: What can become of it.
  ///   - cancellation: What may have cancelled it.
  ///   - send: Gets the time when the process must have read it.
  private func answer<Result: Decodable>(
    _ possible: ReplyCheck, unless cancellation: RenderCancellation?,
    _ send: (ContinuousClock.Instant) throws -> Void
  ) throws -> (Result, [UInt8]) {
    let isClosed = state.withLock { state in
      state.isBusy = !state.isClosed
      return state.isClosed
    }
    if isClosed { throw CancellationError() }
    defer { state.withLock { $0.isBusy = false } }
    let start = ContinuousClock.now
    let deadline = settings.timeLimit.map { start + $0 }
    var bytes: [UInt8] = []
    var check = possible
    let reply: Reply<Result>
    do {
      try send(DarkroomProcess.sendingDeadline(deadline))
      reply = try socket.receiveReply(
        &check, until: deadline, isCancelled: { cancellation?.isCancelled == true },
        bytes: { bytes += $0 })
    } catch {
      defer { process.kill() }
      state.withLock { $0.isLost = true }
      throw process.failure(error, settings, since: start)
    }
    switch reply {
    case .result(let result): return (result, bytes)
    case .failure(let failure): throw failure.error
    case .question: throw lose(RenderError.failed(detail: "the answer does not fit the work"))
    }
  }

  /// Ends the session. The process waits for other photos again, unless a picture is being made, which
  /// fails then.
  func close() {
    let isIdle = state.withLock { state in
      state.isClosed = true
      return !state.isBusy && !state.isLost
    }
    guard isIdle else { return process.kill() }
    socket.end()
    settings.pool.giveBack(process)
  }

  private func lose(_ error: RenderError) -> RenderError {
    let isClosed = state.withLock { state in
      state.isLost = true
      return state.isClosed
    }
    // A closed one may have other work by now.
    if !isClosed { process.kill() }
    return error
  }
}

// MARK: - The sandboxed side

/// Serves a session inside its process.
struct LiveWork {
  let socket: MessageSocket
  let maker: PreviewMaker

  /// Opens the photo and says so, decodes it, and makes pictures until the program closes the
  /// connection. What is wrong with the pixels, the first picture says.
  static func serve(_ source: PhotoSource, fitting screen: PixelSize, over socket: MessageSocket)
    throws
  {
    var opened: PreviewMaker?
    try socket.reply {
      let maker = try PreviewMaker(source, fitting: screen)
      opened = maker
      let embedded = maker.embeddedPreview()
      if let embedded {
        try embedded.bytes.withUnsafeBytes { try socket.sendAll(MessageKind.bytes.rawValue, $0) }
      }
      return OpenedSession(
        size: maker.pixelSize,
        embedded: embedded.map { PixelSize(width: $0.width, height: $0.height) })
    }
    guard let maker = opened else { return }
    try? maker.prepare()
    try LiveWork(socket: socket, maker: maker).serve()
  }

  private func serve() throws {
    while let (order, files) = try socket.receive(
      LiveOrder.self, limit: DarkroomProcess.longestRequest, mayBeCancelled: true)
    {
      for file in files { close(file) }
      _ = order.drill?.perform()
      try socket.reply { try preview(order) }
      // While nobody waits.
      if !socket.hasMessage() {
        try? maker.prepareEdits(unless: RenderCancellation { [socket] in socket.isClosed() })
      }
    }
  }

  private func preview(_ order: LiveOrder) throws -> MadePreview {
    let cancellation = RenderCancellation { [socket] in Self.isCancelled(order.number, by: socket) }
    let picture = try maker.picture(of: order.edit.stack, order.layout, unless: cancellation)
    try picture.bytes.withUnsafeBytes { try socket.sendAll(MessageKind.bytes.rawValue, $0) }
    return MadePreview(
      size: PixelSize(width: picture.width, height: picture.height), histogram: picture.histogram)
  }

  /// Whether the program does not want the order any more, or is gone. While a picture is made, it
  /// sends nothing else.
  private static func isCancelled(_ number: UInt64, by socket: MessageSocket) -> Bool {
    while socket.hasMessage() {
      guard let message = try? socket.receive() else { return true }
      let bytes = withUnsafeBytes(of: number) { Array($0) }
      if message.kind == MessageKind.cancel.rawValue, Array(message.bytes) == bytes { return true }
    }
    return false
  }
}
