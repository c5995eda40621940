import SafelightFiles
import SafelightFormats

package typealias JSONValue = SafelightFormats.JSONValue

/// What a client asks for.
struct HTTPRequest: Sendable {
  /// The method in capital letters; HEAD is asked as GET.
  let method: String
  /// The parts of the path between its slashes, their escapes read.
  let path: [String]
  /// The values behind the question mark, their escapes read; of several with a name the last.
  let query: [String: String]
  /// The fields of the header, with names in small letters; of several with a name the first.
  let fields: [String: String]
  /// The names of fields that came more than once.
  let repeatedFields: Set<String>
  /// The bytes of the body.
  var body: [UInt8] = []

  /// A field of the header.
  subscript(field: String) -> String? { fields[field] }

  /// A cookie; `nil` when the client sent none of this name.
  func cookie(_ name: String) -> String? {
    for part in (self["cookie"] ?? "").split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].trimmed == name else { continue }
      return pair[1].trimmed
    }
    return nil
  }
}

extension Substring {
  /// Without spaces at its ends.
  fileprivate var trimmed: String {
    var rest = self
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}

/// Where a request is addressed.
struct HTTPAddress: Sendable, Hashable {
  /// The parts of the path between its slashes, their escapes read.
  let path: [String]
  /// The values behind the question mark.
  let query: [String: String]

  /// Reads an address as a client sent it, such as `/v1/photos?limit=10`; `nil` for one that is none: with
  /// wrong escapes, text that is not UTF-8, a NUL, or dots that lead upwards.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first, path.first == "/" else { return nil }
    var names: [String] = []
    for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let name = Self.unescaped(part), name != "..", name != "." else { return nil }
      names.append(name)
    }
    if names.last == "" { names.removeLast() }
    var query: [String: String] = [:]
    for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let pair = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.unescaped(pair[0], plusIsSpace: true),
        let value = Self.unescaped(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
      else { return nil }
      query[name] = value
    }
    (self.path, self.query) = (names, query)
  }

  private static func unescaped(
    _ text: some StringProtocol, plusIsSpace: Bool = false
  ) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}

/// Bytes that several answers send at once, without copies of them.
final class SharedBytes: Sendable {
  // Sendable: nobody writes to the bytes after `init`.
  nonisolated(unsafe) let start: UnsafeMutableRawPointer
  let count: Int

  init(_ bytes: some Collection<UInt8>) {
    count = bytes.count
    start = .allocate(byteCount: max(count, 1), alignment: 1)
    let memory = UnsafeMutableRawBufferPointer(start: start, count: count)
    let isCopied: Void? = bytes.withContiguousStorageIfAvailable {
      memory.copyMemory(from: UnsafeRawBufferPointer($0))
    }
    if isCopied == nil { memory.copyBytes(from: bytes) }
  }

  deinit { start.deallocate() }

  /// A copy of the bytes.
  var array: [UInt8] { Array(UnsafeRawBufferPointer(start: start, count: count)) }
}

/// What the server answers.
struct HTTPResponse: Sendable {
  /// What follows the header.
  enum Body: Sendable {
    /// A part of some bytes.
    case bytes(SharedBytes, Range<Int>)
    /// A part of a file.
    case file(OpenFile, Range<Int>)
    /// What comes as time goes by.
    case events(EventStream)

    /// The bytes that it holds in memory.
    var size: Int { if case .bytes(_, let range) = self { range.count } else { 0 } }
  }

  var status = 200
  var fields: [(name: String, value: String)] = []
  var body: Body

  /// An answer of some bytes.
  init(status: Int = 200, _ bytes: SharedBytes, type: String) {
    self.status = status
    body = .bytes(bytes, 0..<bytes.count)
    fields = [("Content-Type", type)]
  }

  init(status: Int = 200, _ json: JSONValue) {
    self.init(
      status: status, SharedBytes((json.text + "\n").utf8), type: "application/json; charset=utf-8")
    fields.append(("Cache-Control", "no-store"))
  }

  /// A part of a file.
  init(_ file: OpenFile, _ range: Range<Int>, type: String) {
    body = .file(file, range)
    fields = [("Content-Type", type)]
  }

  init(_ stream: EventStream) {
    body = .events(stream)
    fields = [("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-store")]
  }

  /// An answer without a body.
  init(status: Int) {
    self.status = status
    body = .bytes(SharedBytes([]), 0..<0)
  }

  subscript(field name: String) -> String? {
    get { fields.first { $0.name == name }?.value }
    set {
      fields.removeAll { $0.name == name }
      if let newValue { fields.append((name, newValue)) }
    }
  }

  /// A strong tag of what decides the bytes of an answer (RFC 9110, 8.8.3).
  static func tag(_ bytes: some Sequence<UInt8>) -> String {
    "\"" + SHA256.digest(of: Array(bytes)).description.prefix(24) + "\""
  }

  /// The answer with what the request's conditions make of it: nothing when the client has it already (RFC 9110,
  /// 13.1.2), or the part that it wants (14.2).
  func meeting(_ request: HTTPRequest) -> HTTPResponse {
    guard status == 200, let tag = self[field: "ETag"] else { return self }
    if let known = request["if-none-match"], Self.tags(known, include: tag) {
      var answer = HTTPResponse(status: 304)
      answer.fields = fields.filter { ["ETag", "Cache-Control"].contains($0.name) }
      return answer
    }
    guard self[field: "Accept-Ranges"] != nil, let wanted = request["range"],
      request["if-range"].map({ $0 == tag }) ?? true
    else { return self }
    return part(wanted)
  }

  private static func tags(_ known: String, include tag: String) -> Bool {
    known.split(separator: ",").map(\.trimmed).contains {
      $0 == "*" || $0 == tag || $0 == "W/" + tag
    }
  }

  private func part(_ wanted: String) -> HTTPResponse {
    let whole: Range<Int>
    switch body {
    case .bytes(_, let range), .file(_, let range): whole = range
    case .events: return self
    }
    guard let range = ByteRange(wanted) else { return self }
    guard let found = range.resolved(in: whole.count) else {
      var answer = HTTPResponse(status: 416)
      answer[field: "Content-Range"] = "bytes */\(whole.count)"
      return answer
    }
    var answer = self
    answer.status = 206
    answer[field: "Content-Range"] =
      "bytes \(found.lowerBound)-\(found.upperBound - 1)/\(whole.count)"
    let part = (whole.lowerBound + found.lowerBound)..<(whole.lowerBound + found.upperBound)
    switch body {
    case .bytes(let bytes, _): answer.body = .bytes(bytes, part)
    case .file(let file, _): answer.body = .file(file, part)
    case .events: break
    }
    return answer
  }
}

/// One range of the field Range, RFC 9110, 14.1.2.
struct ByteRange: Sendable, Hashable {
  private let first: Int?
  private let last: Int?

  /// Reads `bytes=0-99`, `bytes=100-` or `bytes=-100`; `nil` for anything else, as several ranges, which are
  /// answered with all bytes.
  init?(_ text: String) {
    guard text.hasPrefix("bytes=") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    func number(_ text: Substring) -> Int?? {
      if text.isEmpty { return .some(nil) }
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return .some(Int(text) ?? .max)
    }
    guard let first = number(ends[0]), let last = number(ends[1]) else { return nil }
    if first == nil, last == nil { return nil }
    if let first, let last, last < first { return nil }
    (self.first, self.last) = (first, last)
  }

  /// The bytes of a body of this many; `nil` when it has none of them.
  func resolved(in count: Int) -> Range<Int>? {
    guard let first else {
      guard let last, last > 0, count > 0 else { return nil }
      return max(count - last, 0)..<count
    }
    guard first < count else { return nil }
    return first..<(min(last ?? .max, count - 1) + 1)
  }
}
