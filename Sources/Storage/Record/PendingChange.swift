/// A change that has been decided and perhaps not been carried out, as the pending record says it.
enum PendingChange: Sendable {
  /// The record and its files take their places.
  case commit(Record)
  /// The record and its files go, and what the record took the place of comes back.
  case revert(PendingRevert)

  init(parsing bytes: [UInt8]) throws(RecordError) {
    let top = try RecordDictionary(Record.root(parsing: bytes))
    if let own = try top.dictionary(Record.Key.own), own["reverts"] != nil {
      self = .revert(try PendingRevert(own))
    } else {
      self = .commit(try Record(top))
    }
  }
}

/// What a revert removes and restores. The hashes tell whether a file is still the one meant.
struct PendingRevert: Sendable, Hashable {
  /// The SHA-256 of the sidecar.
  let record: Digest
  /// The render; `nil` when it stays or there is none.
  let render: RecordedFile?
  /// The base; `nil` when it stays or there is none.
  let base: RecordedFile?
  /// The SHA-256 of another program's sidecar, staged, that takes the record's place; `nil` when
  /// there was none before the edit.
  let restores: Digest?

  init(record: Digest, render: RecordedFile?, base: RecordedFile?, restores: Digest?) {
    self.record = record
    self.render = render
    self.base = base
    self.restores = restores
  }

  init(_ own: RecordDictionary) throws(RecordError) {
    try Record.checkVersion(own)
    guard let reverts = try own.dictionary("reverts"), let record = try reverts.digest("record")
    else { throw .missingKey(own.path("reverts.record")) }
    self.record = record
    render = try Self.file(reverts, "render", AssetNames.renderSuffix)
    base = try Self.file(reverts, "base", AssetNames.baseSuffix)
    restores = try reverts.digest("restores")
  }

  private static func file(
    _ reverts: RecordDictionary, _ key: String, _ suffix: String
  ) throws(RecordError) -> RecordedFile? {
    guard let dictionary = try reverts.dictionary(key) else { return nil }
    return try RecordedFile(dictionary, endingIn: suffix)
  }

  func encoded() -> [UInt8] {
    var reverts: [PropertyList.Entry] = [.init("record", .string(record.description))]
    if let render { reverts.append(.init("render", .dictionary(render.entries))) }
    if let base { reverts.append(.init("base", .dictionary(base.entries))) }
    if let restores { reverts.append(.init("restores", .string(restores.description))) }
    let own: [PropertyList.Entry] = [
      .init("recordVersion", .integer(Int64(Record.version))),
      .init("reverts", .dictionary(reverts)),
    ]
    return PropertyListWriter.write(.dictionary([.init(Record.Key.own, .dictionary(own))]))
  }
}
