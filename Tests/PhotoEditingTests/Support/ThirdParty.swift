import Foundation
import PhotoEditing

@testable import SafelightFiles

/// A photo editor that somebody else wrote over the public API: its renders are fixtures.
struct ThirdParty: Sendable {
  let identifier: String
  var editor = PhotoEditor.test()

  static let a = ThirdParty(identifier: "com.example.a")
  static let b = ThirdParty(identifier: "com.example.b")
  static let c = ThirdParty(identifier: "com.example.c")

  /// The renders that the editors make, one for each; all upright JPEGs of other pixels.
  static let i1 = "orientation/1.jpg"
  static let i2 = "profiles/p3.jpg"
  static let i3 = "gradients/grey.jpg"

  func input(_ photo: Photo) async throws -> ContentEditingInput {
    try await editor.contentEditingInput(for: photo, options: .reading(identifier))
  }

  func data(_ text: String, version: String = "1.0") -> AdjustmentData {
    AdjustmentData(formatIdentifier: identifier, formatVersion: version, data: Data(text.utf8))
  }

  /// An output that is complete, ready to be committed.
  func output(
    for input: ContentEditingInput, _ data: AdjustmentData, render: String
  ) throws -> ContentEditingOutput {
    let output = ContentEditingOutput(
      contentEditingInput: input, editorBundleIdentifier: identifier + ".app")
    output.adjustmentData = data
    try Data(Fixtures.bytes(render)).write(to: output.renderedContentURL)
    return output
  }

  /// Edits a photo from request to commit.
  @discardableResult
  func edit(_ photo: Photo, _ text: String, render: String) async throws -> EditResult {
    try await editor.commit(
      output(for: try await input(photo), data(text), render: render))
  }
}
