import PhotoEditing
import Testing

@testable import SafelightFiles

@Suite struct AdjustTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func saturate(
    _ photo: Photo, by amount: Double, dryRun: Bool = false
  ) async throws -> EditResult {
    try await editor.adjust(photo, dryRun: dryRun) { edit throws(AdjustmentError) in
      try edit.adjust(Adjustments.Saturation.self) { $0.amount = amount }
    }
  }

  @Test func anAdjustmentIsSetAndSetAgain() async throws {
    let photo = try folder.add("rgb.tif")
    try await #expect(saturate(photo, by: 0.5).status == .edited)
    let before = try folder.traces
    try await #expect(saturate(photo, by: 0.5).status == .unchanged)
    try #expect(folder.traces == before)
    try await #expect(saturate(photo, by: 0.25).status == .edited)
    let edit = try #require(try await editor.state(of: photo).edit)
    #expect(try edit.stack?.adjustment(Adjustments.Saturation.self).amount == 0.25)
    #expect(edit.historyCount == 1)
  }

  @Test(arguments: [false, true])
  func anEditWithNothingLeftCanBeUndone(dryRun: Bool) async throws {
    let photo = try folder.add("rgb.tif")
    _ = try await saturate(photo, by: 0.5)
    let edited = try folder.traces
    let render = folder.bytes("rgb_edited.jpg")
    let result = try await saturate(photo, by: 0, dryRun: dryRun)
    #expect(result.status == .edited)
    #expect(result.rendered == nil && result.record != nil)
    #expect((folder.bytes("rgb_edited.jpg") != nil) == dryRun, "The render goes.")
    try #expect((folder.traces == edited) == dryRun)
    let state = try await editor.state(of: photo)
    #expect(state.edit?.historyCount == (dryRun ? 0 : 1))
    try await editor.undo(photo)
    if !dryRun { #expect(folder.bytes("rgb_edited.jpg") == render) }
  }

  @Test func theQualityStaysUntilAnotherIsAskedFor() async throws {
    let photo = try folder.add("rgb.tif")
    let noir = try Filter.named("noir").applied()
    try await editor.apply(noir, to: photo, quality: 40)
    let render = folder.bytes("rgb_edited.jpg")
    try await #expect(editor.apply(noir, to: photo).status == .unchanged)
    try await #expect(editor.apply(noir, to: photo, quality: 95).status == .edited)
    #expect(folder.bytes("rgb_edited.jpg") != render)
  }

  /// Later edits, an undo and a redo keep the quality that was asked for.
  @Test func aQualityThatWasGivenStaysWithThePhoto() async throws {
    func renderer() async throws -> String {
      try await editor.state(of: photo).edit?.renderer.map { String($0.suffix(7)) } ?? ""
    }
    let photo = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: photo)
    try await #expect(renderer() == "riginal")
    try await editor.apply(.named("mono"), to: photo, quality: 62)
    try await #expect(renderer() == "lity 62")
    try await editor.apply(.named("vivid"), to: photo)
    try await #expect(renderer() == "lity 62")
    try await editor.undo(photo)
    try await #expect(renderer() == "lity 62")
    try await editor.redo(photo)
    try await #expect(renderer() == "lity 62")
    // What was rendered before a quality was given comes back as it was.
    try await editor.undo(photo, steps: 2)
    try await #expect(renderer() == "riginal")
  }

  @Test func anotherProgramsEditStaysWhenNothingIsLeftOnTopOfIt() async throws {
    let photo = try folder.add("gradients/chart.png")
    _ = try await ThirdParty.a.edit(photo, "a", render: ThirdParty.i1)
    let theirs = try folder.traces
    try await #expect(saturate(photo, by: 0).status == .unchanged)
    try #expect(folder.traces == theirs)

    _ = try await saturate(photo, by: -1)
    let base = folder.bytes("chart_base.jpg")
    try await #expect(saturate(photo, by: 0).status == .edited)
    #expect(base != nil && folder.bytes("chart_base.jpg") == base)
    try await #expect(saturate(photo, by: 0).status == .unchanged)
    try await #expect(editor.state(of: photo).edit?.stack?.isEmpty == true)
  }

  @Test func aSavedFilterGivesThePixelsOfTheEdit() async throws {
    let photo = try folder.add("rgb.tif")
    _ = try await saturate(photo, by: 0.5)
    _ = try await editor.adjust(photo) { edit throws(AdjustmentError) in
      try edit.set("tone-curve", to: "0,0.1 0.5,0.6 1,1")
      try edit.set("channel-mixer-red", to: "0.8,0.2,0")
    }
    _ = try await editor.apply(.named("sepia", intensity: 0.6), to: photo)
    _ = try await editor.apply(.named("fade", intensity: 0.3), .adding, to: photo)
    let pixels = try Picture(folder.path.appending("rgb_edited.jpg"), as: .jpeg).pixels

    let filters = UserFilters(folder: folder.path)
    let saved = try await editor.saveFilter(named: "mine", from: photo, in: filters)
    #expect(!saved.leavesOutGeometry)
    _ = try await editor.revertAssetContentToOriginal(photo)
    let filter = try Filter.named("mine", userFilters: filters)
    #expect(filter == saved.filter)
    _ = try await editor.apply(filter.applied(), to: photo)
    try #expect(Picture(folder.path.appending("rgb_edited.jpg"), as: .jpeg).pixels == pixels)
  }

  @Test func onlyAnEditOfSafelightsOwnCanBeCopied() async throws {
    let photo = try folder.add("gradients/chart.png")
    await #expect(
      throws: EditError.nothingToCopy(path: photo.path, reason: .noEdit)
    ) { try await editor.edit(of: photo) }
    _ = try await ThirdParty.a.edit(photo, "a", render: ThirdParty.i1)
    await #expect(
      throws: EditError.nothingToCopy(path: photo.path, reason: .anotherProgramsEdit)
    ) { try await editor.saveFilter(named: "a", from: photo, in: UserFilters(folder: folder.path)) }
    #expect(!folder.names.contains("a.json"))
  }
}
