/// The original of a render, as the render's XMP names it.
public struct OriginalReference: Sendable, Hashable, Codable {
  /// What Safelight writes as `stRef:manager`.
  public static let safelight = "Safelight"

  /// Name of the original's file, without folders; empty in a picture that keeps only the copyright.
  public let fileName: String
  /// Identifies the original's contents: `sha256:` and 64 hexadecimal digits in Safelight's own.
  public let documentID: String
  /// The program that made the render; nil when unknown.
  public let manager: String?
  /// Identifies the edit that the render shows, in hexadecimal digits; nil when unknown, as in exports.
  public let edit: String?
  /// How an export was made of the original; nil for other pictures.
  public let export: ExportMark?

  /// Names an original of Safelight's.
  ///
  /// - Parameters:
  ///   - fileName: Name of the original's file.
  ///   - sha256: SHA-256 of the original in hexadecimal digits.
  ///   - edit: What identifies the edit; nil writes nothing about it.
  ///   - export: How an export was made; nil for other pictures.
  public init(
    fileName: String, sha256: String, edit: String? = nil, export: ExportMark? = nil
  ) {
    self.init(
      fileName: fileName, documentID: "sha256:" + sha256, manager: Self.safelight, edit: edit,
      export: export)
  }

  init(
    fileName: String, documentID: String, manager: String?, edit: String? = nil,
    export: ExportMark? = nil
  ) {
    self.fileName = fileName
    self.documentID = documentID
    self.manager = manager
    self.edit = edit
    self.export = export
  }

  /// The same without the name of the file.
  var withoutName: OriginalReference {
    OriginalReference(
      fileName: "", documentID: documentID, manager: manager, edit: edit, export: export)
  }

  /// SHA-256 of the original in hexadecimal digits; nil when another program named it otherwise.
  public var sha256: String? {
    documentID.hasPrefix("sha256:") ? String(documentID.dropFirst(7)) : nil
  }
}

/// How an export was made, as its XMP says it.
public struct ExportMark: Sendable, Hashable, Codable {
  /// Identifies the edit and the output, in hexadecimal digits.
  public let made: String
  /// Identifies where the original was, seen from the export's folder, in hexadecimal digits that do not say the place; nil
  /// for an export that went to no file.
  public let place: String?

  /// A mark.
  public init(made: String, place: String?) { (self.made, self.place) = (made, place) }
}
