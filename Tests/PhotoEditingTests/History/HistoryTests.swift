import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

@Suite struct HistoryTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  @Test func eachStepSaysWhatItChanged() async throws {
    let photo = try folder.add("gradients/chart.png")
    try await editor.adjust(photo) { edit throws(AdjustmentError) in
      try edit.set("exposure", to: "0.5")
      try edit.set("vibrance", to: "0.2")
    }
    let noir = try AppliedFilter.named("noir")
    try await editor.adjust(photo) { edit throws(AdjustmentError) in
      try edit.set("exposure", to: "0.8")
      try edit.set("vibrance", to: "0")
      try edit.setFilter(noir)
    }
    try await editor.apply(.named("mono"), to: photo)
    try await editor.undo(photo)

    let history = try await editor.history(of: photo)
    #expect(history.steps.map(\.number) == [0, 1, 2, 3])
    #expect(history.present == 2)
    #expect(
      history.steps.map { $0.changes?.map(\.id) } == [
        nil, ["exposure", "vibrance"], ["exposure", "filter", "vibrance"], ["filter", "filter"],
      ])
    let changes = try #require(history.steps[2].changes)
    guard case .changed(let before, let after) = changes[0], case .added(let filter) = changes[1],
      case .removed(let vibrance) = changes[2]
    else {
      Issue.record("\(changes)")
      return
    }
    #expect((before.adjustment as? Adjustments.Exposure)?.amount == 0.5)
    #expect((after.adjustment as? Adjustments.Exposure)?.amount == 0.8)
    #expect((filter.adjustment as? AppliedFilter)?.name == "noir")
    #expect((vibrance.adjustment as? Adjustments.Vibrance)?.amount == 0.2)
    #expect(history.steps.map(\.isReachable) == [true, true, true, true])
    #expect(history.steps.map(\.date) == [nil, .test, .test, .test])
    #expect(history.steps[1].editor == "org.safelight.edit")
  }

  @Test func anotherProgramsEditIsTheEndOfUndoing() async throws {
    let photo = try folder.add("beach.jpg")
    try await ThirdParty.a.edit(photo, "cards", render: ThirdParty.i1)
    try await editor.apply(.named("noir"), to: photo)
    try await editor.apply(.named("mono"), to: photo)
    try await editor.undo(photo)
    let base = folder.bytes("beach_base.jpg")
    let before = try folder.traces
    for steps in [1, 2, 9] {
      let error = await #expect(throws: EditError.self) {
        try await editor.undo(photo, steps: steps)
      }
      #expect(error == .stepUnavailable(path: photo.path, .anotherProgramsEdit("com.example.a")))
      #expect(error?.code == "step-unavailable")
    }
    try #expect(folder.traces == before)
    let history = try await editor.history(of: photo)
    #expect(history.steps.map(\.isReachable) == [false, false, true, true])
    #expect(history.steps[1].stack == nil && history.steps[2].changes == nil)
    try await #expect(editor.redo(photo).step == 3)
    #expect(folder.bytes("beach_base.jpg") == base)
  }

  @Test func anotherProgramsPresentEditIsNotUndone() async throws {
    let photo = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: photo)
    try await ThirdParty.a.edit(photo, "cards", render: ThirdParty.i1)
    let before = try folder.traces
    await #expect(
      throws: EditError.stepUnavailable(path: photo.path, .anotherProgramsEdit("com.example.a"))
    ) { try await editor.undo(photo) }
    try #expect(folder.traces == before)
  }

  @Test func anotherProgramsSidecarAloneIsNothingToUndo() async throws {
    let photo = try folder.add("beach.jpg")
    try folder.add("bad/apple.aae", as: "beach.jpg.aae")
    let before = try folder.traces
    try await #expect(editor.undo(photo).status == .unchanged)
    try await #expect(editor.history(of: photo).present == 1)
    try #expect(folder.traces == before)

    try await editor.apply(.named("noir"), to: photo)
    await #expect(
      throws: EditError.stepUnavailable(path: photo.path, .anotherProgramsEdit("com.apple.photo"))
    ) { try await editor.undo(photo) }
    try await editor.revertAssetContentToOriginal(photo)
    try #expect(folder.bytes("beach.jpg.aae") == Fixtures.bytes("bad/apple.aae"))
  }

  @Test func anAdjustmentOfANewerVersionIsNotUndoneTo() async throws {
    let photo = try folder.add("gradients/chart.png")
    let own = ThirdParty(identifier: EditStack.formatIdentifier)
    let input = try await own.input(photo)
    let newer = #"{"adjustments":[{"id":"time-travel","version":1}]}"#
    try await editor.commit(own.output(for: input, own.data(newer), render: ThirdParty.i1))
    let next = try await own.input(photo)
    let plain = #"{"adjustments":[{"id":"saturation","version":1,"amount":0.5}]}"#
    try await editor.commit(own.output(for: next, own.data(plain), render: ThirdParty.i2))
    let before = try folder.traces
    await #expect(
      throws: EditError.render(path: photo.path, .unknownAdjustment(id: "time-travel", version: 1))
    ) { try await editor.undo(photo) }
    try #expect(folder.traces == before)
    // It is only passed when the step before it is gone to.
    try await #expect(editor.undo(photo, steps: 2).step == 0)
  }

  @Test func entriesOfAnUnknownFormAreKeptAndNotPassed() async throws {
    let photo = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: photo)
    try await editor.apply(.named("mono"), to: photo)
    let text = try folder.text("chart.png.aae").replacing(
      "<key>history</key>\n\t\t<array>",
      with: "<key>history</key>\n\t\t<array><dict><key>delta</key><integer>1</integer></dict>")
    folder.put(Array(text.utf8), as: "chart.png.aae")
    try await #expect(
      editor.history(of: photo).steps.map(\.isReachable) == [false, false, true, true])
    try await #expect(editor.undo(photo).step == 2)
    await #expect(throws: EditError.stepUnavailable(path: photo.path, .unknownForm)) {
      try await editor.undo(photo)
    }
    try #expect(folder.text("chart.png.aae").contains("<key>delta</key>"))
  }

  @Test func aRecordedSidecarOfAnEarlierReleaseCanBeUndoneAndRedone() async throws {
    let photo = try folder.add("recorded/1.0/chart.png")
    try folder.add("recorded/1.0/chart.png.aae")
    let before = try await editor.state(of: photo).edit?.adjustmentData
    let last = try await editor.history(of: photo).present
    try await #expect(editor.undo(photo, steps: 100).step == 0)
    try await #expect(editor.redo(photo, steps: 100).step == last)
    try await #expect(editor.state(of: photo).edit?.adjustmentData == before)
    try await #expect(
      editor.state(of: photo).edit?.renderer?.hasSuffix("jpeg quality 95") == true)
  }
}
