import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

/// A sidecar as Foundation's own property list reader sees it.
struct Sidecar {
  private let root: [String: Any]

  init(_ folder: PhotoFolder, _ name: FilePath) throws {
    let bytes = try #require(folder.bytes(name), "\(name) is missing")
    root = try #require(
      PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any])
  }

  private init(_ root: [String: Any]) { self.root = root }

  var identifier: String? { root["adjustmentFormatIdentifier"] as? String }
  var version: String? { root["adjustmentFormatVersion"] as? String }
  var data: Data? { root["adjustmentData"] as? Data }
  var text: String? { data.map { String(decoding: $0, as: UTF8.self) } }
  var editor: String? { root["adjustmentEditorBundleID"] as? String }
  var date: Date? { root["adjustmentTimestamp"] as? Date }

  var own: [String: Any]? { root["safelight"] as? [String: Any] }
  var render: [String: Any]? { own?["render"] as? [String: Any] }
  var base: [String: Any]? { own?["base"] as? [String: Any] }

  /// The edits before this one, oldest first.
  var history: [Sidecar] {
    (own?["history"] as? [[String: Any]] ?? []).map { Sidecar($0) }
  }
}
