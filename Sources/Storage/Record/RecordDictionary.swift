/// A dictionary of a record being read, which names what is missing or of the wrong kind.
struct RecordDictionary {
  let entries: [PropertyList.Entry]
  /// The keys that lead here, for messages.
  private let prefix: String

  init(_ element: PropertyList, at path: String = "") throws(RecordError) {
    guard let entries = element.entries else {
      throw .wrongType(key: path.isEmpty ? "plist" : path, expected: "dict")
    }
    self.entries = entries
    prefix = path.isEmpty ? "" : path + "."
  }

  func path(_ key: String) -> String { prefix + key }

  subscript(key: String) -> PropertyList? {
    entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// What `reading` finds under a key; `nil` when there is no such key.
  func optional<Value>(
    _ key: String, _ expected: String, _ reading: (PropertyList) -> Value?
  ) throws(RecordError) -> Value? {
    guard let element = self[key] else { return nil }
    guard let value = reading(element) else {
      throw .wrongType(key: path(key), expected: expected)
    }
    return value
  }

  func required<Value>(
    _ key: String, _ expected: String, _ reading: (PropertyList) -> Value?
  ) throws(RecordError) -> Value {
    guard let value = try optional(key, expected, reading) else {
      throw .missingKey(path(key))
    }
    return value
  }

  func dictionary(_ key: String) throws(RecordError) -> RecordDictionary? {
    guard let element = self[key] else { return nil }
    return try RecordDictionary(element, at: path(key))
  }

  /// The SHA-256 under a key; `nil` when there is no such key.
  func digest(_ key: String) throws(RecordError) -> Digest? {
    guard let text = try optional(key, "string", \.text) else { return nil }
    guard let digest = Digest(text) else {
      throw .invalidValue(key: path(key), expected: "64 hexadecimal digits")
    }
    return digest
  }

  /// The entries under other keys than these, as they were read.
  func entries(except known: Set<String>) -> [PropertyList.Entry] {
    entries.filter { !known.contains($0.key) }
  }
}
