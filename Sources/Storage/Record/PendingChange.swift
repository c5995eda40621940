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
  /// The files that go.
  let files: [Record.File]
  /// The SHA-256 of another program's sidecar, staged, that takes the record's place; `nil` when
  /// there was none before the edit.
  let restores: Digest?

  init(record: Digest, files: [Record.File], restores: Digest?) {
    self.record = record
    self.files = files
    self.restores = restores
  }

  init(_ own: RecordDictionary) throws(RecordError) {
    try Record.checkVersion(own)
    guard let reverts = try own.dictionary("reverts"), let record = try reverts.digest("record")
    else { throw .missingKey(own.path("reverts.record")) }
    self.record = record
    var files: [Record.File] = []
    if let render = try reverts.dictionary("render") { files.append(try .init(.render, render)) }
    if let base = try reverts.dictionary("base") { files.append(try .init(.base, base)) }
    if let versions = try reverts.dictionary("versions") {
      for entry in versions.entries {
        let file = try RecordDictionary(entry.value, at: versions.path(entry.key))
        files.append(try .init(.version(entry.key), file))
      }
    }
    self.files = files
    restores = try reverts.digest("restores")
  }

  func encoded() -> [UInt8] {
    var reverts: [PropertyList.Entry] = [.init("record", .string(record.description))]
    var versions: [PropertyList.Entry] = []
    for file in files {
      let entries = PropertyList.dictionary(file.file.entries)
      switch file.role {
      case .render: reverts.append(.init("render", entries))
      case .base: reverts.append(.init("base", entries))
      case .version(let name): versions.append(.init(name, entries))
      }
    }
    if !versions.isEmpty { reverts.append(.init("versions", .dictionary(versions))) }
    if let restores { reverts.append(.init("restores", .string(restores.description))) }
    let own: [PropertyList.Entry] = [
      .init("recordVersion", .integer(versions.isEmpty ? 1 : Int64(Record.version))),
      .init("reverts", .dictionary(reverts)),
    ]
    return PropertyListWriter.write(.dictionary([.init(Record.Key.own, .dictionary(own))]))
  }
}

extension Record.File {
  fileprivate init(
    _ role: Record.FileRole, _ dictionary: RecordDictionary
  ) throws(RecordError) {
    self.init(role: role, file: try RecordedFile(dictionary, endingIn: role.suffix))
  }
}
