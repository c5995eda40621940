import PhotoEditing
import Testing

/// What every adjustment makes of the beach at a telling setting, 160 pixels wide.
@Suite struct AdjustmentGoldenTests {
  private let folder = PhotoFolder()

  /// The adjustments by id, with their parameters as JSON.
  private static let settings = [
    (
      "black-and-white",
      #""version":1,"amount":100,"red":40,"orange":30,"blue":-80,"toning":30,"toningHue":35"#
    ),
    (
      "colour-grading",
      #"""
      "version":1,"shadowsHue":220,"shadowsSaturation":60,"highlightsHue":40,\#
      "highlightsSaturation":50,"midtonesLuminance":20
      """#
    ),
    (
      "colour-mixer",
      #""version":1,"blueLuminance":-60,"blueSaturation":40,"aquaHue":-50,"orangeSaturation":-60"#
    ),
    ("hue", #""version":1,"amount":60"#),
    ("saturation", #""version":2,"amount":60"#),
    ("vibrance", #""version":2,"amount":80"#),
    ("white-balance", #""version":1,"temperature":9000,"tint":15"#),
  ]

  @Test(arguments: settings)
  func everyAdjustmentLooksAsItDidWhenItWasPublished(id: String, parameters: String) async throws {
    let filter = try Filter(
      json: """
        {"name":"\(id)","version":1,"title":"T","summary":"S.",
         "steps":[{"id":"\(id)",\(parameters)}]}
        """.utf8)
    let asset = try folder.add("goldens/beach.png")
    let editor = PhotoEditor.test()
    try await #expect(editor.apply(filter.applied(), to: asset).status == .edited)
    let output = folder.path.appending("out.png")
    _ = try await editor.export(asset, to: output, as: RenderOutput(format: .png))
    try expectGolden(output, "goldens/adjustments/\(id).png")
  }
}
