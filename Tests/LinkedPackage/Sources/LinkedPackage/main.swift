import Foundation
import PhotoEditing

// Applies a filter to the photo given, revises the edit as another program would, and reverts.

func require(_ condition: Bool, _ message: String) {
  guard !condition else { return }
  FileHandle.standardError.write(Data("linked package: \(message)\n".utf8))
  exit(1)
}

let photo = Photo(path: FilePath(CommandLine.arguments[1]))
let before = try Data(contentsOf: photo.path.fileURL)

var configuration = PhotoEditor.Configuration()
configuration.editorBundleIdentifier = "com.example.linked"
let editor = PhotoEditor(configuration)

let applied = try await editor.apply(Filter.named("noir").applied(intensity: 0.8), to: photo)
require(applied.status == .edited, "apply gave \(applied.status)")

let input = try await editor.contentEditingInput(for: photo)
require(input.adjustmentData == nil, "an edit that nobody claims to read was handed out")
let output = ContentEditingOutput(
  contentEditingInput: input, editorBundleIdentifier: "com.example.linked")
output.adjustmentData = AdjustmentData(
  formatIdentifier: "com.example.linked", formatVersion: "1.0", data: Data("sunny".utf8))
try Data(contentsOf: input.fullSizeImageURL).write(to: output.renderedContentURL)
let committed = try await editor.commit(output)
require(committed.status == .edited, "commit gave \(committed.status)")

let state = try await editor.state(of: photo)
require(
  state.edit?.adjustmentData.formatIdentifier == "com.example.linked", "the commit is not shown")
require(state.resources.map(\.type).contains(.adjustmentBasePhoto), "no base photo was kept")

let reverted = try await editor.revertAssetContentToOriginal(photo)
require(reverted.status == .reverted, "revert gave \(reverted.status)")
require(try Data(contentsOf: photo.path.fileURL) == before, "the original changed")
print("linked package: applied, committed and reverted \(photo.path)")
