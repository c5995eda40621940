import SafelightStorage

/// What checks look for in a folder, by the names alone.
extension FolderEntry {
  /// The photo that the file is the sidecar of; `nil` when it is none.
  var originalOfRecord: FilePath? { isFolder ? nil : name.originalOfRecord }

  /// Whether it is a sidecar.
  var isRecord: Bool { originalOfRecord != nil }

  /// Whether it is a sidecar, or the record of a change that was decided and not finished.
  var isRecordOrPending: Bool { isRecord || HiddenFile(name)?.kind == .pending }

  /// Whether it is a hidden file of a change or an export that is not finished.
  var isUnfinished: Bool { !isFolder && HiddenFile(name) != nil }

  /// Whether it has a name that Safelight gives to renders and bases.
  var mayBeRender: Bool { !isFolder && FolderRecords.mayBeMember(name) }

  /// Whether it may be a photo.
  var mayBeOriginal: Bool { !isFolder && !isRecord && HiddenFile(name) == nil }

  /// Whether it is a folder to look into.
  var isVisibleFolder: Bool { isFolder && name.bytes.first != UInt8(ascii: ".") }
}
