import PhotoEditing
import SafelightAdjustments
import Testing

@testable import SafelightFiles

/// What every adjustment makes of the beach at a telling setting, 160 pixels wide.
@Suite struct AdjustmentGoldenTests {
  private let folder = PhotoFolder()

  /// Ids with the version and the parameters as JSON, sorted by id.
  private static let settings: [String: String] = [
    "black-and-white":
      #""version":1,"amount":100,"red":40,"orange":30,"blue":-80,"toning":30,"toningHue":35"#,
    "blur": #""version":1,"radius":3"#,
    "brightness": #""version":1,"amount":60"#,
    "channel-mixer": #""version":1,"red":[0.8,0.3,-0.1],"green":[0.1,0.9,0,0.02]"#,
    "clarity": #""version":1,"amount":100"#,
    "color-grading": #"""
    "version":1,"shadowsHue":220,"shadowsSaturation":60,"highlightsHue":40,\#
    "highlightsSaturation":50,"midtonesLuminance":20
    """#,
    "color-mixer":
      #""version":1,"blueLuminance":-60,"blueSaturation":40,"aquaHue":-50,"orangeSaturation":-60"#,
    "contrast": #""version":1,"amount":-70"#,
    "crop": #""version":1,"x":0.1,"y":0.2,"width":0.6,"height":0.7"#,
    "deblur": #""version":1,"amount":100"#,
    "dehaze": #""version":1,"amount":80"#,
    "exposure": #""version":1,"amount":1.5"#,
    "fade": #""version":1,"amount":80"#,
    "flip": #""version":1,"horizontal":true"#,
    "gamma": #""version":1,"amount":0.6"#,
    "glow": #""version":1,"amount":80"#,
    "grain": #""version":1,"amount":60,"size":12,"seed":7"#,
    "highlights-shadows": #""version":1,"highlights":-80,"shadows":80"#,
    "hue": #""version":1,"amount":60"#,
    "invert": #""version":1,"amount":100"#,
    "levels":
      #""version":1,"black":20,"white":225,"gamma":1.3,"redOutputBlack":30,"blueGamma":0.8"#,
    // A warm look of 3 × 3 × 3 colors from -0.1 to 1.1, as it was packed then.
    "lut": #"""
    "version":1,"title":"Warm","table":"\#
    U0xVVAEBAwIDAAAAzczMvc3MzL3NzMy9zcyMP83MjD/NzIw/seEJvmIQ2L3PZlW9MuaKP5MYjD8yVYg/eJxj\#
    uHKGAQxYeHnRGEDwA4wwARszM4Rxi5MTwngAYzD020FojZmz0BhAEMjAEIDNQB5WVggj5NkzCCPx6VMIAwAj\#
    MA48KBabxA=="
    """#,
    "noise-reduction": #""version":1,"luminance":80,"color":60"#,
    "perspective": #""version":1,"vertical":-40,"horizontal":25"#,
    "posterize": #""version":1,"levels":5"#,
    "rotate": #""version":1,"amount":90"#,
    "saturation": #""version":1,"amount":60"#,
    "sharpen": #""version":1,"amount":120"#,
    "straighten": #""version":1,"amount":6.5"#,
    "tone-curve":
      #""version":1,"all":[[0,0],[0.25,0.15],[0.75,0.85],[1,1]],"blue":[[0,0.1],[1,0.9]]"#,
    "tone-equalizer": #"""
    "version":1,"blacks":1,"deepShadows":1.5,"shadows":1.2,"lightShadows":0.8,"midtones":0.4,\#
    "whites":-0.4,"speculars":-0.6
    """#,
    "vibrance": #""version":1,"amount":80"#,
    "vignette": #""version":1,"amount":-80,"roundness":-30"#,
    "white-balance": #""version":1,"temperature":9000,"tint":15"#,
    "whites-blacks": #""version":1,"whites":-60,"blacks":80"#,
  ]

  @Test(arguments: settings.keys.sorted())
  func everyAdjustmentLooksAsItDidWhenItWasPublished(key: String) async throws {
    let parameters = try #require(Self.settings[key])
    let json = """
      {"name":"golden","version":1,"title":"Golden","summary":"One adjustment.",
       "steps":[{"id":"\(key)",\(parameters)}]}
      """
    let photo = try folder.add("goldens/beach.png")
    let editor = PhotoEditor.test()
    let filter = try Filter(json: json.utf8).applied()
    try await #expect(editor.apply(filter, to: photo).status == .edited)
    let output = folder.path.appending("out.png")
    // Dithering would hide a change of one code.
    _ = try await editor.export(
      photo, to: output, as: RenderOutput(format: .png, dithers: false))
    try expectGolden(output, "goldens/adjustments/\(key).png")
  }

  /// A new adjustment gets a golden too, if it changes the picture.
  @Test func everyAdjustmentHasOne() {
    #expect(
      Set(Self.settings.keys).union(["filter", "video"])
        == Set(AdjustmentRegistry.all.map { $0.id }))
  }
}
