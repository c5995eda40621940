import Foundation
import Glibc
import SafelightFormats

/// What a server answered.
struct Reply: Sendable {
  let status: Int
  /// The fields of the header, with names in small letters.
  let fields: [String: String]
  let body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }
  var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
  /// The code of an error.
  var code: String? { json["error"]?["code"]?.string }
}

/// A client that says exactly what a test wants, on a socket of its own.
final class Client {
  private let socket: Int32
  private var received: [UInt8] = []

  init(port: Int) {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var time = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  deinit { close(socket) }

  /// Sends bytes.
  ///
  /// - Returns: `false` when the server has closed the connection.
  @discardableResult
  func send(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Takes what comes; `false` at the end, or after half a minute without anything.
  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    received += buffer[..<count]
    return true
  }

  /// Waits until a text has come, and gives everything up to its end; `nil` when it does not come.
  func text(upTo end: String) -> String? {
    let end = Array(end.utf8)
    while true {
      if let range = received.firstRange(of: end) {
        defer { received.removeSubrange(..<range.upperBound) }
        return String(decoding: received[..<range.upperBound], as: UTF8.self)
      }
      guard receive() else { return nil }
    }
  }

  /// Whether the server ends the connection; what comes before is dropped.
  func isEnded() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count <= 0 { return count == 0 || errno != EAGAIN }
    }
  }

  /// Waits for an answer; `nil` when none comes.
  func reply(toHead: Bool = false) -> Reply? {
    guard let head = text(upTo: "\r\n\r\n") else { return nil }
    let lines = head.split(separator: "\r\n")
    guard let status = lines.first.flatMap({ Int($0.split(separator: " ")[1]) }) else { return nil }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      fields[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].dropFirst()) : ""
    }
    let length = toHead || status == 304 ? 0 : fields["content-length"].flatMap { Int($0) } ?? 0
    while received.count < length { guard receive() else { return nil } }
    defer { received.removeSubrange(..<length) }
    return Reply(status: status, fields: fields, body: Array(received[..<length]))
  }
}
