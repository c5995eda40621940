import Foundation
import PhotoEditing
import Testing

@Suite struct HistoryTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  @Test func eachStepSaysWhatItChanged() async throws {
    let asset = try folder.add("gradients/chart.png")
    try await editor.adjust(asset) { edit throws(AdjustmentError) in
      try edit.set("exposure", to: "0.5")
      try edit.set("vibrance", to: "0.2")
    }
    let noir = try AppliedFilter.named("noir")
    try await editor.adjust(asset) { edit throws(AdjustmentError) in
      try edit.set("exposure", to: "0.8")
      try edit.set("vibrance", to: "0")
      try edit.setFilter(noir)
    }
    try await editor.apply(.named("mono"), to: asset)
    try await editor.undo(asset)

    let history = try await editor.history(of: asset)
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
    #expect((before.adjustment as? Exposure)?.amount == 0.5)
    #expect((after.adjustment as? Exposure)?.amount == 0.8)
    #expect((filter.adjustment as? AppliedFilter)?.name == "noir")
    #expect((vibrance.adjustment as? Vibrance)?.amount == 0.2)
    #expect(history.steps.map(\.isReachable) == [true, true, true, true])
    #expect(history.steps.map(\.date) == [nil, .test, .test, .test])
    #expect(history.steps[1].editor == "org.safelight.edit")
  }

  @Test func aStepIsGoneToBackAndForth() async throws {
    let asset = try folder.add("gradients/chart.png")
    for name in ["noir", "mono", "sepia"] { try await editor.apply(.named(name), to: asset) }
    for step in [1, 3, 0, 2] {
      let result = try await editor.goToStep(step, ofHistoryOf: asset)
      #expect(result.status == .edited && result.step == step)
      try await #expect(editor.history(of: asset).present == step)
    }
    try await #expect(editor.goToStep(2, ofHistoryOf: asset).status == .unchanged)
  }

  @Test(arguments: [-1, 3])
  func aStepThatIsNotThereIsAnError(step: Int) async throws {
    let asset = try folder.add("gradients/chart.png")
    for name in ["noir", "mono"] { try await editor.apply(.named(name), to: asset) }
    let before = try folder.traces
    await #expect(
      throws: EditError.stepUnavailable(path: asset.path, .missing(step, last: 2))
    ) {
      try await editor.goToStep(step, ofHistoryOf: asset)
    }
    try #expect(folder.traces == before)
  }

  @Test func noMoreThanAHundredEditsAreKeptAndAllOfThemCanBeUndone() async throws {
    let asset = try folder.add("gradients/chart.png")
    for number in 1...(EditHistory.limit + 3) {
      try await editor.adjust(asset) { edit throws(AdjustmentError) in
        try edit.adjust(Exposure.self) { $0.amount = Double(number) / 100 }
      }
    }
    // The present edit comes on top.
    let history = try await editor.history(of: asset)
    #expect(history.present == EditHistory.limit + 1)
    #expect(history.steps[1].stack?.entries.count == 1)
    try await #expect(editor.undo(asset, steps: EditHistory.limit).step == 1)
    try await #expect(editor.undo(asset).step == 0)
    try await #expect(editor.redo(asset, steps: 1000).step == EditHistory.limit + 1)
    let last = try await editor.state(of: asset).edit?.stack?.adjustment(Exposure.self)
    #expect(last?.amount == Double(EditHistory.limit + 3) / 100)
  }

  @Test func anotherProgramsEditIsTheEndOfUndoing() async throws {
    let asset = try folder.add("beach.jpg")
    try await ThirdParty.a.edit(asset, "cards", render: ThirdParty.i1)
    try await editor.apply(.named("noir"), to: asset)
    try await editor.apply(.named("mono"), to: asset)
    try await editor.undo(asset)
    let base = folder.bytes("beach_base.jpg")
    let before = try folder.traces
    for steps in [1, 2, 9] {
      let error = await #expect(throws: EditError.self) {
        try await editor.undo(asset, steps: steps)
      }
      #expect(error == .stepUnavailable(path: asset.path, .anotherProgramsEdit("com.example.a")))
      #expect(error?.hint?.contains("edit revert") == true)
    }
    try #expect(folder.traces == before)
    let history = try await editor.history(of: asset)
    #expect(history.steps.map(\.isReachable) == [false, false, true, true])
    #expect(history.steps[1].stack == nil && history.steps[2].changes == nil)
    try await #expect(editor.redo(asset).step == 3)
    #expect(folder.bytes("beach_base.jpg") == base)
  }

  @Test func anotherProgramsPresentEditIsNotUndone() async throws {
    let asset = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: asset)
    try await ThirdParty.a.edit(asset, "cards", render: ThirdParty.i1)
    let before = try folder.traces
    await #expect(
      throws: EditError.stepUnavailable(path: asset.path, .anotherProgramsEdit("com.example.a"))
    ) { try await editor.undo(asset) }
    try #expect(folder.traces == before)
  }

  @Test func anotherProgramsSidecarAloneIsNothingToUndo() async throws {
    let asset = try folder.add("beach.jpg")
    try folder.add("bad/apple.aae", as: "beach.jpg.aae")
    let before = try folder.traces
    try await #expect(editor.undo(asset).status == .unchanged)
    try await #expect(editor.history(of: asset).present == 1)
    try #expect(folder.traces == before)

    try await editor.apply(.named("noir"), to: asset)
    await #expect(
      throws: EditError.stepUnavailable(path: asset.path, .anotherProgramsEdit("com.apple.photo"))
    ) { try await editor.undo(asset) }
    try await editor.revertAssetContentToOriginal(asset)
    try #expect(folder.bytes("beach.jpg.aae") == Fixtures.bytes("bad/apple.aae"))
  }

  @Test func anAdjustmentOfANewerVersionIsNotUndoneTo() async throws {
    let asset = try folder.add("gradients/chart.png")
    let own = ThirdParty(identifier: EditStack.formatIdentifier)
    let input = try await own.input(asset)
    let newer = #"{"adjustments":[{"id":"time-travel","version":1}]}"#
    try await editor.commit(own.output(for: input, own.data(newer), render: ThirdParty.i1))
    let next = try await own.input(asset)
    let plain = #"{"adjustments":[{"id":"saturation","version":1,"amount":0.5}]}"#
    try await editor.commit(own.output(for: next, own.data(plain), render: ThirdParty.i2))
    let before = try folder.traces
    await #expect(
      throws: EditError.render(path: asset.path, .unknownAdjustment(id: "time-travel", version: 1))
    ) { try await editor.undo(asset) }
    try #expect(folder.traces == before)
    // It is only passed when the step before it is gone to.
    try await #expect(editor.undo(asset, steps: 2).step == 0)
  }

  @Test func entriesOfAnUnknownFormAreKeptAndNotPassed() async throws {
    let asset = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: asset)
    try await editor.apply(.named("mono"), to: asset)
    let text = try folder.text("chart.png.aae").replacing(
      "<key>history</key>\n\t\t<array>",
      with: "<key>history</key>\n\t\t<array><dict><key>delta</key><integer>1</integer></dict>")
    folder.put(Array(text.utf8), as: "chart.png.aae")
    try await #expect(
      editor.history(of: asset).steps.map(\.isReachable) == [false, false, true, true])
    try await #expect(editor.undo(asset).step == 2)
    await #expect(throws: EditError.stepUnavailable(path: asset.path, .unknownForm)) {
      try await editor.undo(asset)
    }
    try #expect(folder.text("chart.png.aae").contains("<key>delta</key>"))
  }

  @Test func aRecordedSidecarOfAnEarlierReleaseCanBeUndoneAndRedone() async throws {
    let asset = try folder.add("recorded/1.0/chart.png")
    try folder.add("recorded/1.0/chart.png.aae")
    let before = try await editor.state(of: asset).edit?.adjustmentData
    let last = try await editor.history(of: asset).present
    try await #expect(editor.undo(asset, steps: 100).step == 0)
    try await #expect(editor.redo(asset, steps: 100).step == last)
    try await #expect(editor.state(of: asset).edit?.adjustmentData == before)
    try await #expect(
      editor.state(of: asset).edit?.renderer?.hasSuffix("jpeg quality 95") == true)
  }
}
