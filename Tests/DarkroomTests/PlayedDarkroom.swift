import Foundation
import Glibc
import SafelightFiles
import SafelightProcesses
import SafelightRendering

@testable import SafelightDarkroom

/// A darkroom whose decoder is played by a test: it says what the test wants, over the sockets that a real one has.
///
/// The process that is killed when an answer is refused is one that only sleeps.
struct PlayedDarkroom {
  /// What the decoder says to a piece of work, once it has read it.
  typealias Answer = @Sendable (_ request: [UInt8], MessageSocket) throws -> Void

  /// The darkroom, with a limit of time of one second for each piece of work.
  let darkroom: PhotoDarkroom

  /// - Parameters:
  ///   - isDeaf: Whether it does not even read what it is to do.
  ///   - guards: What it says that holds.
  ///   - answer: Called for each piece of work, on a thread of its own.
  init(isDeaf: Bool = false, guards: Int = 3, _ answer: @escaping Answer) {
    var darkroom = PhotoDarkroom()
    darkroom.place = .ownProcess
    darkroom.timeLimit = .seconds(1)
    darkroom.pool = DarkroomPool { _ throws(RenderError) in
      do throws(SystemCallError) {
        let (control, theirs) = try MessageSocket.pair()
        let sleeper = ProcessLaunch(
          "/bin/sleep", arguments: ["sleep", "1000"], input: STDIN_FILENO)
        Thread.detachNewThread { try? Self.play(theirs, isDeaf: isDeaf, guards: guards, answer) }
        return DarkroomProcess(try sleeper.start(), control)
      } catch {
        throw .noDarkroom(detail: error.reason)
      }
    }
    self.darkroom = darkroom
  }

  private static func play(
    _ control: MessageSocket, isDeaf: Bool, guards: Int, _ answer: Answer
  ) throws {
    let greeting = Array(try JSONEncoder().encode(Greeting(guards: guards)))
    try greeting.withUnsafeBytes { try control.send(MessageKind.greeting.rawValue, $0) }
    while let message = try control.receive() {
      let socket = MessageSocket(message.files[0])
      if let request = isDeaf ? [] : try readText(socket) { try? answer(request, socket) }
      socket.end()
      try [UInt8](repeating: 0, count: 5).withUnsafeBytes {
        try control.send(MessageKind.ended.rawValue, $0)
      }
    }
  }

  /// A JSON text that the program sends; `nil` when it sends no more.
  static func readText(_ socket: MessageSocket) throws -> [UInt8]? {
    var text: [UInt8] = []
    while let message = try socket.receive() {
      for file in message.files { close(file) }
      text += message.bytes
      if message.kind == MessageKind.last.rawValue { return text }
    }
    return nil
  }
}

extension MessageSocket {
  /// Sends bytes of a picture.
  func say(bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try sendAll(MessageKind.bytes.rawValue, $0) }
  }

  /// Sends a text as an answer.
  func say(text: [UInt8], as kind: MessageKind = .last) throws {
    try text.withUnsafeBytes { text in
      let start = text.count - min(text.count, Self.mostBytes)
      try sendAll(MessageKind.part.rawValue, UnsafeRawBufferPointer(rebasing: text[..<start]))
      try send(kind.rawValue, UnsafeRawBufferPointer(rebasing: text[start...]))
    }
  }

  /// Sends JSON as an answer.
  func say(_ json: String, as kind: MessageKind = .last) throws {
    try say(text: Array(json.utf8), as: kind)
  }
}
