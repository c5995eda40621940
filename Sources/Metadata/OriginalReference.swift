/// The picture that a render was made from, as its XMP names it.
public struct OriginalReference: Sendable, Hashable {
  /// What Safelight writes as `stRef:manager`.
  public static let safelight = "Safelight"

  /// Name of the original's file, without folders.
  public let fileName: String
  /// Identifies the original's contents: `sha256:` and 64 hexadecimal digits in Safelight's own.
  public let documentID: String
  /// The program that made the render; nil when it did not say.
  public let manager: String?

  /// Names an original of Safelight's.
  ///
  /// - Parameters:
  ///   - fileName: Name of the original's file.
  ///   - sha256: SHA-256 of the original in hexadecimal digits.
  public init(fileName: String, sha256: String) {
    self.init(fileName: fileName, documentID: "sha256:" + sha256, manager: Self.safelight)
  }

  init(fileName: String, documentID: String, manager: String?) {
    self.fileName = fileName
    self.documentID = documentID
    self.manager = manager
  }

  /// SHA-256 of the original in hexadecimal digits; nil when another program named it otherwise.
  public var sha256: String? {
    documentID.hasPrefix("sha256:") ? String(documentID.dropFirst(7)) : nil
  }
}
