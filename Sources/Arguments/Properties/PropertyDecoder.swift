/// Hands the filled properties to the initializer that the compiler writes for `Decodable`.
///
/// It is the one way to set the wrappers of a type that is known only by its protocol.
struct PropertyDecoder: Decoder {
  let properties: [String: Any]
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Container<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.refusal(self) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw Self.refusal(self)
  }

  static func refusal(_ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "Arguments are read from a command line only."))
  }
}

private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: PropertyDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.properties.keys.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { decoder.properties[key.stringValue] != nil }

  func decodeNil(forKey key: Key) -> Bool {
    guard let value = decoder.properties[key.stringValue] else { return true }
    // An optional inside an `Any` cannot be compared with nil.
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    guard let value = decoder.properties[key.stringValue] as? Value else {
      throw PropertyDecoder.refusal(decoder)
    }
    return value
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw PropertyDecoder.refusal(decoder)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw PropertyDecoder.refusal(decoder)
  }

  func superDecoder() throws -> any Decoder { throw PropertyDecoder.refusal(decoder) }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    throw PropertyDecoder.refusal(decoder)
  }
}
