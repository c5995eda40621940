/// Why the bytes of a sidecar are not a record.
public enum RecordError: Error, Hashable, CustomStringConvertible {
  /// There are no bytes at all. Restore the file from a backup, or remove it to start anew.
  case empty
  /// It is a binary property list; only the XML form is read. `plutil` or `plistutil` converts it.
  case binaryPropertyList
  /// It is not the XML of a property list, for the reason given.
  case malformed(PropertyListError)
  /// A key that every record has is missing. Dots separate the keys that lead to it.
  case missingKey(String)
  /// The value of a key is of another kind than the element `expected`.
  case wrongType(key: String, expected: String)
  /// The value of a key is of the right kind and makes no sense.
  case invalidValue(key: String, expected: String)
  /// It has more bytes than a record may have.
  case tooLarge(size: Int, limit: Int)
  /// A newer Safelight wrote it, in a version of the record that this one does not know.
  case newerVersion(Int)

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .empty: "It is empty."
    case .binaryPropertyList: "It is a binary property list, and only the XML form is read."
    case .malformed(let error): error.description
    case .missingKey(let key): "The key \(key) is missing."
    case .wrongType(let key, let expected): "The value of \(key) is not of the type \(expected)."
    case .invalidValue(let key, let expected): "The value of \(key) is not \(expected)."
    case .tooLarge(let size, let limit): "It has \(size) bytes, and at most \(limit) are read."
    case .newerVersion(let version): "It is a record of version \(version), which is newer."
    }
  }

  /// What can be done about it; the file is left as it is in every case.
  public var hint: String {
    switch self {
    case .binaryPropertyList:
      "Convert it with “plutil -convert xml1” or “plistutil -i … -o …”, then try again."
    case .newerVersion: "Use a newer Safelight."
    default: "Restore it from a backup, or move it away to start with an unedited photo."
    }
  }
}
