import PhotoEditing
import PhotoLibraryKit

/// How results are said: the words of the command line's `--json`. The command line owns them and gives them to the
/// server.
package protocol ServerWords: Sendable {
  /// The version of Safelight.
  var version: String { get }
  /// The filters that the user saved.
  var userFilters: UserFilters { get }
  /// Each error code with its meaning and advice.
  var errors: [JSONValue] { get }
  /// What is known of a photo: `original`, `edited`, `edit`, `versions`, `resources`, `canRevert`.
  func state(_ state: PhotoState, of photo: FilePath) -> [JSONValue.Member]
  /// `present` and `steps`, and `conflicts` where a sync made copies of the photo's record.
  func history(
    _ history: EditHistory, _ conflicts: [ConflictingEdits], of photo: FilePath
  ) -> [JSONValue.Member]
  /// The named versions.
  func versions(_ versions: [PhotoVersion], of photo: FilePath) -> [JSONValue]
  /// How light a photo is, with and without its edit.
  func histogram(_ histograms: PhotoHistograms) -> JSONValue
  /// A photo of a library.
  func asset(_ asset: Asset) -> [JSONValue.Member]
  /// What was done to a photo: `status`, `rendered`, `record`, `warnings`.
  func result(_ result: EditResult, of photo: FilePath, dryRun: Bool) -> [JSONValue.Member]
  /// An edit: `adjustments`, `values` and `summary`.
  func edit(_ edit: EditStack) -> [JSONValue.Member]
  /// An error with advice; `nil` for an error that is not known.
  func failure(_ error: any Error) -> ServerFailure?
  /// Tells whoever started the server of something that does not end it.
  func warn(_ text: String)
}

extension JSONValue {
  /// Members of an object; a `nil` leaves its member out.
  static func members(_ values: KeyValuePairs<String, JSONValue?>) -> [Member] {
    values.compactMap { key, value in value.map { Member(key, $0) } }
  }

  /// An object; a `nil` leaves its member out.
  static func object(_ values: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members(values))
  }

  static func integer(_ number: Int) -> JSONValue { .number(Double(number)) }

  static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
