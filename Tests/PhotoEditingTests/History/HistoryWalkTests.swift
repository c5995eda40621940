import Foundation
import SafelightTestSupport
import Testing

@testable import PhotoEditing
@testable import SafelightFiles
@testable import SafelightStorage

/// What a photo's history should be: a list of edits with a place in it, and edits kept by name.
private struct Model {
  /// Saturations in percent, the oldest first; the photo without an edit is not among them.
  var steps: [Int] = []
  /// How many of the steps are made; those after them are undone.
  var present = 0
  var versions: [String: Int?] = [:]

  /// The present saturation; `nil` for the photo without an edit.
  var value: Int? { present == 0 ? nil : steps[present - 1] }

  mutating func edit(_ value: Int) {
    guard value != self.value else { return }
    steps = steps.prefix(present) + [value]
    present += 1
  }

  mutating func go(by count: Int) { present = min(max(present + count, 0), steps.count) }
}

/// Edits, undos, redos and versions in any order, compared with a model after each step.
@Suite struct HistoryWalkTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func aWalkThroughEditsUndosAndVersionsGoesWhereAListOfEditsGoes(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let photo = try folder.add("gradients/chart.png")
    var model = Model()
    var renders: [Int?: [UInt8]] = [:]
    var longest = 0
    for round in 0..<40 {
      let name = ["a", "B", "c.1"].randomElement(using: &random)!
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let value = Int.random(in: 1...5, using: &random) * 10
        try await editor.adjust(photo) { edit throws(AdjustmentError) in
          try edit.adjust(Adjustments.Saturation.self) { $0.amount = Double(value) / 100 }
        }
        model.edit(value)
      case 4, 5:
        let steps = Int.random(in: 1...3, using: &random)
        try await editor.undo(photo, steps: steps)
        model.go(by: -steps)
      case 6:
        let steps = Int.random(in: 1...3, using: &random)
        try await editor.redo(photo, steps: steps)
        model.go(by: steps)
      case 7 where model.value != nil:
        try await editor.saveVersion(named: name, of: photo, replacing: true)
        model.versions[name] = model.value
      case 8 where model.versions[name] != nil:
        try await editor.useVersion(named: name, of: photo)
        if let value = model.versions[name] ?? nil { model.edit(value) }
      case 9 where model.versions[name] != nil:
        try await editor.removeVersion(named: name, of: photo)
        model.versions[name] = nil
      default: continue
      }
      longest = max(longest, model.steps.count)
      try await expect(photo, is: model, renders: &renders, "seed \(seed), round \(round)")
    }
    #expect(longest > 2, "seed \(seed)")
  }

  private func expect(
    _ photo: Photo, is model: Model, renders: inout [Int?: [UInt8]], _ place: Comment
  ) async throws {
    let history = try await editor.history(of: photo)
    #expect(history.steps.dropFirst().map { Self.value($0.stack) } == model.steps, place)
    #expect(history.present == model.present, place)
    let state = try await editor.state(of: photo)
    #expect(state.warnings.isEmpty, place)
    #expect(Self.value(state.edit?.stack) == model.value, place)
    #expect(
      Dictionary(uniqueKeysWithValues: state.versions.map { ($0.name, Self.value($0.stack)) })
        == model.versions, place)
    // Every edit has one render, whichever way it was come to; without an edit there is none.
    if state.isEdited {
      let render = try #require(folder.bytes("chart_edited.jpg"), place)
      #expect(renders[model.value, default: render] == render, place)
      renders[model.value] = render
    }
    for version in state.versions {
      let render = try #require(version.rendered?.lastComponent, place)
      #expect(folder.bytes(render) == renders[Self.value(version.stack)], place)
    }
    let renderCount = state.edit == nil ? 0 : (state.isEdited ? 2 : 1) + model.versions.count
    #expect(folder.names.count == 1 + renderCount, place)
  }

  private static func value(_ stack: EditStack?) -> Int? {
    let saturation = stack?.entries.first?.adjustment as? Adjustments.Saturation
    return saturation.map { Int(($0.amount * 100).rounded()) }
  }

  /// Records may come from anybody, and other programs' edits are never dropped.
  @Test(.timeLimit(.minutes(10)))
  func aLongHistoryTakesTimeThatGrowsWithItsLength() throws {
    var saturation = Adjustments.Saturation()
    saturation.amount = 0.5
    let entry = PretendedFiles.record(try EditStack([saturation])).historyEntry
    let record = PretendedFiles.record(
      try EditStack([saturation]), history: Array(repeating: entry, count: 20_000))
    let history = EditHistory(record)
    #expect(history.present == 20_001)
    #expect(!history.steps.contains { !$0.isReachable })
  }
}
