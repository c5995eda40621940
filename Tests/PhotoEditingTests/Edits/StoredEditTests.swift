import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

/// Edits that this version does not know all about.
@Suite struct StoredEditTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  /// Commits JSON as an edit of Safelight's own.
  private func store(_ json: String, version: String = "1.0", on photo: Photo) async throws {
    let own = ThirdParty(identifier: EditStack.formatIdentifier)
    let input = try await own.input(photo)
    _ = try await editor.commit(
      own.output(for: input, own.data(json, version: version), render: ThirdParty.i1))
  }

  @Test(arguments: [
    (#"{"adjustments":[{"id":"time-travel","version":1,"years":-3}]}"#, "time-travel", 1),
    (#"{"adjustments":[{"id":"saturation","version":99,"amount":0.1}]}"#, "saturation", 99),
    (
      #"{"adjustments":[{"id":"filter","version":1,"name":"x","title":"X","filterVersion":1,"#
        + #""intensity":1,"steps":[{"id":"halo","version":2}]}]}"#, "halo", 2
    ),
  ])
  func anUnknownAdjustmentIsRefusedAndKept(json: String, id: String, version: Int) async throws {
    let photo = try folder.add("gradients/chart.png")
    try await store(json, on: photo)
    let before = try folder.traces
    // A filter in the stack is not lost by putting another one there.
    let error = await #expect(throws: EditError.self) {
      try await editor.apply(.named("noir"), .adding, to: photo)
    }
    #expect(error == .render(path: photo.path, .unknownAdjustment(id: id, version: version)))
    try #expect(folder.traces == before)
    try await #expect(
      editor.state(of: photo).warnings == ["\(id) version \(version) needs a newer Safelight."])
  }

  @Test(arguments: [
    "not JSON", "{}", #"{"adjustments":{}}"#, #"{"adjustments":[{"version":1}]}"#,
    #"{"adjustments":[{"id":"saturation","version":1,"amount":700}]}"#,
  ])
  func anEditThatMakesNoSenseIsRefusedAndKept(json: String) async throws {
    let photo = try folder.add("gradients/chart.png")
    try await store(json, on: photo)
    let before = try folder.traces
    let error = await #expect(throws: EditError.self) {
      try await editor.apply(.named("noir"), to: photo)
    }
    guard case .adjustments(photo.path, _) = error else {
      Issue.record("\(error.map { "\($0)" } ?? "no error")")
      return
    }
    #expect(error?.code == "invalid-adjustments")
    try #expect(folder.traces == before)
    let state = try await editor.state(of: photo)
    #expect(state.warnings.count == 1)
    try await #expect(editor.revertAssetContentToOriginal(photo).status == .reverted)
  }

  @Test func unknownFieldsSurviveAnEditByteForByte() async throws {
    let entry =
      #"{ "id":"saturation", "version":1, "amount" : 0.250, "mask":{"of": [1.0, 2e0 ]} }"#
    let lens = #"["\u0061", 1.50 ]"#
    let photo = try folder.add("gradients/chart.png")
    try await store(#"{"adjustments":[\#(entry)],"lens":\#(lens)}"#, on: photo)

    let result = try await editor.apply(.named("noir"), to: photo)
    #expect(result.status == .edited)
    #expect(
      result.ownWarnings == ["saturation has settings of a newer Safelight (mask); not used."])
    let text = try #require(try Sidecar(folder, "chart.png.aae").text)
    #expect(text.hasPrefix(#"{"adjustments":[\#(entry),{"id":"filter""#))
    #expect(text.contains(#""lens":\#(lens)"#))
  }

  @Test(arguments: [
    (
      "</dict>\n</plist>",
      "\t<key>zones</key>\n\t<array><integer>0x1F</integer> <false></false></array>\n"
    ),
    (
      "<key>recordVersion</key>",
      "<!-- kept --><key>lens&#x73;</key>\n  <dict><key/><real>1.500</real></dict>\n\t\t"
    ),
  ])
  func unknownKeysOfTheSidecarSurviveAnEditByteForByte(
    place: String, keys: String
  ) async throws {
    let photo = try folder.add("gradients/chart.png")
    _ = try await editor.apply(.named("noir"), to: photo)
    let text = try folder.text("chart.png.aae")
    let range = try #require(text.range(of: place, options: .backwards))
    folder.put(
      Array(text.replacingCharacters(in: range, with: keys + place).utf8), as: "chart.png.aae")

    try await #expect(editor.apply(.named("mono"), to: photo).status == .edited)
    let kept = keys.trimmingCharacters(in: .whitespacesAndNewlines)
    try #expect(folder.text("chart.png.aae").contains(kept))
    _ = try await editor.apply(.named("noir"), to: photo)
    try #expect(folder.text("chart.png.aae").contains(kept))
  }

  @Test func aRecordOfUnknownKeysFromElsewhereIsKept() async throws {
    let photo = try folder.add("gradients/chart.png")
    try folder.add("bad/unknown-keys.aae", as: "chart.png.aae")
    let before = try folder.traces
    await #expect(
      throws: EditError.render(path: photo.path, .unknownAdjustment(id: "exposure", version: 9))
    ) {
      try await editor.apply(.named("noir"), to: photo)
    }
    try #expect(folder.traces == before)
  }

  @Test func anEditIsStoredWithWhatTheFilterDidThen() async throws {
    let photo = try folder.add("gradients/chart.png")
    _ = try await editor.apply(.named("noir", intensity: 0.25), to: photo)
    let data = try #require(try Sidecar(folder, "chart.png.aae").data)
    let stored = try #require(
      JSONSerialization.jsonObject(with: data) as? [String: [[String: Any]]])
    let filter = try #require(stored["adjustments"]?.first)
    #expect(filter["id"] as? String == "filter")
    #expect(filter["name"] as? String == "noir")
    #expect(filter["intensity"] as? Double == 0.25)
    let steps = try #require(filter["steps"] as? [[String: Any]])
    #expect(steps.compactMap { $0["id"] as? String } == ["black-and-white", "tone-curve"])
    #expect(steps.allSatisfy { $0["version"] is Int })
  }
}
