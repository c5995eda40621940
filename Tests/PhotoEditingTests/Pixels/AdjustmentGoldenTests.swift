import PhotoEditing
import Testing

/// What every adjustment makes of the beach, 160 pixels wide, at a setting that shows it.
@Suite struct AdjustmentGoldenTests {
  /// Ids with the parameters in JSON, sorted by id.
  private static let settings: [String: String] = [
    "blur": #""radius":3"#,
    "clarity": #""amount":100"#,
    "dehaze": #""amount":80"#,
    "glow": #""amount":80"#,
    "highlights-shadows": #""highlights":-80,"shadows":80"#,
    "noise-reduction": #""luminance":80,"colour":60"#,
    "sharpen": #""amount":120"#,
  ]

  private let folder = PhotoFolder()

  @Test(arguments: settings.keys.sorted())
  func everyAdjustmentLooksAsItDidWhenItWasPublished(id: String) async throws {
    let parameters = try #require(Self.settings[id])
    let json = """
      {"name":"golden","version":1,"title":"Golden","summary":"One adjustment.",
       "steps":[{"id":"\(id)","version":1,\(parameters)}]}
      """
    let asset = try folder.add("goldens/beach.png")
    let editor = PhotoEditor.test()
    let filter = try Filter(json: json.utf8).applied()
    try await #expect(editor.apply(filter, to: asset).status == .edited)
    let output = folder.path.appending("out.png")
    _ = try await editor.export(asset, to: output, as: RenderOutput(format: .png))
    try expectGolden(output, "goldens/adjustments/\(id).png")
  }
}
