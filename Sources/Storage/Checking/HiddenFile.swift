/// A file that Safelight gave a hidden name, because a change or an export is not finished.
package struct HiddenFile: Sendable, Hashable {
  /// What the file is.
  package enum Kind: Sendable, Hashable {
    /// A change that was decided: it counts, and waits to be carried out.
    case pending
    /// A file that waits for a decision.
    case staged
    /// A picture being written elsewhere, by a process of this number.
    case export(process: Int32)
  }

  /// What the file is.
  package let kind: Kind
  /// What the hidden names of one photo's files have in common.
  package let key: FilePath
  /// The hidden name.
  package let name: FilePath

  private static let prefix = Array(".safelight-".utf8)
  private static let exportPrefix = prefix + Array("export-".utf8)

  /// The file of this name; `nil` for names that Safelight does not give.
  package init?(_ name: FilePath) {
    guard name.bytes.starts(with: Self.prefix) else { return nil }
    self.name = name
    if name.bytes.starts(with: Self.exportPrefix) {
      let numbers = name.bytes.dropFirst(Self.exportPrefix.count).split(
        separator: UInt8(ascii: "-"))
      guard numbers.count == 2, let process = Int32(String(decoding: numbers[0], as: UTF8.self))
      else { return nil }
      kind = .export(process: process)
      key = name
      return
    }
    let parts = name.bytes.dropFirst(Self.prefix.count).split(
      separator: UInt8(ascii: "."), maxSplits: 1)
    guard parts.count == 2, parts[0].count == 16 else { return nil }
    key = FilePath(bytes: Self.prefix + parts[0])
    kind = parts[1].elementsEqual("pending".utf8) ? .pending : .staged
  }

  /// What the hidden names of a photo's files have in common.
  ///
  /// - Parameter photo: The original's own name.
  package static func key(of photo: FilePath) -> FilePath? {
    PhotoNames(photo).pending.stem
  }
}
