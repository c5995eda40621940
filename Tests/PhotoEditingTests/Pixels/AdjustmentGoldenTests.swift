import PhotoEditing
import Testing

/// What every adjustment makes of the beach, 160 pixels wide, at a setting that shows it.
@Suite struct AdjustmentGoldenTests {
  /// Ids with the parameters in JSON, sorted by id.
  private static let settings: [String: String] = [
    "brightness": #""amount":60"#,
    "contrast": #""amount":-70"#,
    "exposure": #""amount":-1.5"#,
    "fade": #""amount":80"#,
    "gamma": #""amount":0.6"#,
    "grain": #""amount":60,"seed":7"#,
    "invert": #""amount":100"#,
    "levels": #""black":20,"white":225,"gamma":1.3,"redOutputBlack":30,"blueGamma":0.8"#,
    "posterize": #""levels":5"#,
    "tone-curve": #""all":[[0,0],[0.25,0.15],[0.75,0.85],[1,1]],"blue":[[0,0.1],[1,0.9]]"#,
    "vignette": #""amount":-80,"roundness":-30"#,
    "whites-blacks": #""whites":-60,"blacks":80"#,
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
