import PhotoEditing
import SafelightAdjustments
import Testing

/// Layers in the edit of a photo. No surface offers them yet, and all keep them.
@Suite struct LayerEditTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  @Test func aLayerIsCommittedRenderedAndUndone() async throws {
    let photo = try folder.add("gradients/chart.png")
    var saturation = Saturation()
    saturation.amount = -100
    let layer = try Layer(name: "left", mask: Mask(LinearGradient.leftHalf), [saturation])
    let edit = try EditStack([layer])
    // As a program sends it, which need not know the version.
    let json = edit.entries[0].json.text.replacing(
      #""id":"layer","version":1"#, with: #""id":"layer""#)
    let operation = try EditOperation(
      json: JSONValue(parsing: #"{"operation":"replace","adjustments":[\#(json)]}"#.utf8))
    try await editor.perform(operation, on: photo)

    let stack = try #require(try await editor.state(of: photo).edit?.stack)
    #expect(stack.entries == edit.entries)
    let before = try Picture(photo.path, as: .png)
    let after = try Picture(folder.path.appending("chart_edited.jpg"), as: .jpeg)
    let (left, right) = (after.pixel(12, 12), after.pixel(before.width - 12, 12))
    #expect(Int(left.max()!) - Int(left.min()!) <= 3)
    for (old, new) in zip(before.pixel(before.width - 12, 12), right) {
      #expect(abs(Int(old) - Int(new)) <= 6)
    }

    try await editor.adjust(photo) { edit throws(AdjustmentError) in
      try edit.set("left/saturation", to: "0.5")
      try edit.set("exposure", to: "0.5")
    }
    let changes = try #require(try await editor.history(of: photo).steps.last?.changes)
    #expect(changes.map(\.id) == ["exposure", "layer"])
    try await editor.undo(photo)
    try await #expect(editor.state(of: photo).edit?.stack?.entries == edit.entries)
  }
}

extension LinearGradient {
  /// The left half, with a fading of a tenth of the photo in its middle.
  fileprivate static var leftHalf: LinearGradient {
    var line = LinearGradient()
    (line.startX, line.startY, line.endX, line.endY) = (0.45, 0.5, 0.55, 0.5)
    return line
  }
}
