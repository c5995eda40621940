import Foundation
import SafelightFiles
import SafelightFormats
import Testing

@testable import PhotoEditing

/// Outputs that a user keeps under names, which are presets.
@Suite struct OutputPresetsTests {
  private func withPresets(_ body: (OutputPresets) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(OutputPresets(folder: FilePath(folder.path)))
  }

  private func members(_ text: String) throws -> [JSONValue.Member] {
    try #require(JSONValue(parsing: Array(text.utf8)).members)
  }

  private func keep(
    _ text: String, as name: String, in presets: OutputPresets
  ) throws {
    let members = try members(text)
    try presets.save(
      RenderOutput(reading: members, checking: false), named: name, given: Set(members.map(\.key)))
  }

  private func expanded(_ text: String, by presets: OutputPresets) throws -> String {
    let (output, given) = try presets.output(of: members(text))
    return JSONValue.object(output.members(with: given)).text
  }

  @Test func whatIsGivenCountsAndWhatGoesWithTheReplacedIsLeftOut() throws {
    try withPresets { presets in
      try keep(
        #"{"watermark": "Ann", "watermarkColor": "black", "watermarkPlace": "top", "longestSide": 100, "enlarge": true}"#,
        as: "sig", in: presets)
      let output = try presets.output(
        of: members(#"{"preset": "sig", "watermarkPicture": "logo.png", "fit": "10x20"}"#)
      ).output
      #expect(output.watermark == nil && output.watermarkPicture?.name == "logo.png")
      #expect(output.watermarkColor == .white)
      // These go with the picture and the other size, too.
      #expect(output.watermarkPlace == .top && output.enlarges)
      #expect(output.longestSide == nil && output.fit != nil)
    }
  }

  @Test func usualValuesThatWereGivenAreKept() throws {
    try withPresets { presets in
      try keep(#"{"format": "jpeg", "quality": 95}"#, as: "small", in: presets)
      #expect(
        try expanded(#"{"preset": "small"}"#, by: presets) == #"{"format":"jpeg","quality":95}"#)
      #expect(
        try presets.list().presets.first?.json.text
          == #"{"name":"small","output":{"format":"jpeg","quality":95}}"#)
      #expect(
        try expanded(#"{"preset": "small", "quality": 10}"#, by: presets)
          == #"{"format":"jpeg","quality":10}"#)
    }
  }

  @Test func refusalsHaveCodesOfTheirOwn() throws {
    try withPresets { presets in
      #expect(throws: EditError.unknownPreset("none")) { try presets.remove(named: "none") }
      #expect(throws: EditError.presetName("A b", .invalid)) {
        try presets.save(.standard, named: "A b")
      }
      try presets.save(.standard, named: "a")
      #expect(throws: EditError.presetName("a", .exists)) {
        try presets.save(.standard, named: "a")
      }
      var output = RenderOutput.standard
      output.preset = "a"
      #expect(throws: EditError.self) { try presets.save(output, named: "b") }
      try Data("{".utf8).write(to: URL(filePath: presets.folder.appending("c.json").string))
      let (kept, problems) = try presets.list()
      #expect(kept.map(\.name) == ["a"] && problems.map(\.code) == ["unusable-preset"])
      #expect(throws: OperationError.self) { try presets.output(named: "none") }
    }
  }

  @Test(arguments: [("jxl", 2, false), ("jxl", 3, true), ("avif", 1, true), ("webp", 4, false)])
  func effortIsWhatTheEncoderTakes(format: String, effort: Int, isPossible: Bool) throws {
    let asked = try members(#"{"format": "\#(format)", "effort": \#(effort)}"#)
    let output = try? RenderOutput(reading: asked)
    #expect((output != nil) == isPossible)
  }

  @Test(arguments: ["", "   ", "\t", "one\ntwo", "a\u{1B}[2J"])
  func aWatermarkThatIsNoLineIsRefused(text: String) throws {
    let asked = [JSONValue.Member("watermark", .string(text))]
    #expect(throws: OperationError.self) { try RenderOutput(reading: asked) }
  }

  /// Largest files of an output come with a request; see `ServerLimits`.
  @Test func theLargestFileFitsIntoADescription() throws {
    var output = RenderOutput.standard
    output.watermarkPicture = OutputAttachment(
      name: "logo.png", bytes: [UInt8](repeating: 0xFF, count: OutputAttachment.mostBytes))
    #expect(output.json.text.utf8.count < OutputAttachment.mostBytesAsJSON)
    #expect(output.textWithDigests.utf8.count < 500)
  }
}
