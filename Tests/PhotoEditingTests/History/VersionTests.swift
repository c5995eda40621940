import Foundation
import PhotoEditing
import Testing

@Suite struct VersionTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func filters(_ asset: Photo) async throws -> [String]? {
    try await editor.state(of: asset).edit?.stack?.filters.map(\.name)
  }

  @Test func aSavedVersionStaysWhileThePhotoIsEditedOnAndCanBeUsedAgain() async throws {
    let asset = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: asset, quality: 80)
    let noir = try #require(folder.bytes("beach_edited.jpg"))
    let saved = try await editor.saveVersion(named: "dark", of: asset)
    #expect(saved.status == .edited)
    #expect(saved.rendered == folder.path.appending("beach_edited-dark.jpg"))
    #expect(folder.bytes("beach_edited-dark.jpg") == noir)
    try await editor.apply(.named("sepia"), to: asset)
    let sepia = try #require(folder.bytes("beach_edited.jpg"))

    let used = try await editor.useVersion(named: "DARK", of: asset)
    #expect(used.status == .edited)
    #expect(used.rendered == folder.path.appending("beach_edited.jpg"))
    #expect(folder.bytes("beach_edited.jpg") == noir)
    try await #expect(filters(asset) == ["noir"])
    try await #expect(editor.history(of: asset).present == 3)
    try await editor.undo(asset)
    #expect(folder.bytes("beach_edited.jpg") == sepia)
    #expect(folder.bytes("beach_edited-dark.jpg") == noir)
  }

  @Test func versionsSayWhatTheyAre() async throws {
    let asset = try folder.add("gradients/chart.png")
    try await #expect(editor.versions(of: asset).isEmpty)
    try await editor.apply(.named("noir"), to: asset)
    try await editor.saveVersion(named: "dark", of: asset)
    try await editor.apply(.named("sepia"), to: asset)
    try await editor.saveVersion(named: "brown", of: asset)
    let versions = try await editor.versions(of: asset)
    #expect(versions.map(\.name) == ["dark", "brown"])
    #expect(versions.map(\.isPresent) == [false, true])
    #expect(versions[0].stack?.filters.map(\.name) == ["noir"])
    #expect(versions[0].editor == "org.safelight.edit" && versions[0].date == .test)
    #expect(versions[0].renderSize == PixelSize(width: 124, height: 84))
    #expect(versions[0].rendered == folder.path.appending("chart_edited-dark.jpg"))
    let state = try await editor.state(of: asset)
    #expect(state.versions.map(\.name) == ["dark", "brown"])
    #expect(
      state.resources.filter { $0.type == .alternatePhoto }.map(\.originalFilename)
        == ["chart_edited-dark.jpg", "chart_edited-brown.jpg"])
    #expect(state.warnings.isEmpty)
  }

  @Test func doingItAgainChangesNothing() async throws {
    let asset = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: asset)
    try await editor.saveVersion(named: "dark", of: asset)
    let before = try folder.traces
    try await #expect(editor.saveVersion(named: "dark", of: asset).status == .unchanged)
    try await #expect(editor.useVersion(named: "dark", of: asset).status == .unchanged)
    try #expect(folder.traces == before)
    try await editor.apply(.named("mono"), to: asset)
    await #expect(throws: EditError.storage(.versionExists(asset.path, "dark"))) {
      try await editor.saveVersion(named: "dark", of: asset)
    }
    try await #expect(
      editor.saveVersion(named: "dark", of: asset, replacing: true).status == .edited)
  }

  @Test func theSameEditInAnotherQualityIsNoStepOfItsOwn() async throws {
    let asset = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: asset, quality: 60)
    try await editor.saveVersion(named: "small", of: asset)
    let small = folder.bytes("chart_edited.jpg")
    try await editor.apply(.named("noir"), to: asset)
    try await editor.useVersion(named: "small", of: asset)
    #expect(folder.bytes("chart_edited.jpg") == small)
    try await #expect(editor.history(of: asset).steps.count == 2)
  }

  @Test func aVersionWithoutItsRenderIsRenderedAgain() async throws {
    let asset = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: asset, quality: 70)
    let noir = folder.bytes("chart_edited.jpg")
    try await editor.saveVersion(named: "dark", of: asset)
    try await editor.apply(.named("mono"), to: asset)
    folder.remove("chart_edited-dark.jpg")
    try await #expect(
      editor.state(of: asset).warnings
        == ["The render chart_edited-dark.jpg of a version is missing."])
    try await editor.useVersion(named: "dark", of: asset)
    #expect(folder.bytes("chart_edited.jpg") == noir)
  }

  @Test func aRetouchedVersionIsLeftAlone() async throws {
    let asset = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: asset)
    try await editor.saveVersion(named: "dark", of: asset)
    try await editor.apply(.named("mono"), to: asset)
    try folder.add(ThirdParty.i1, as: "chart_edited-dark.jpg")
    let before = try folder.traces
    let changed = EditError.storage(
      .renderChanged(folder.path.appending("chart_edited-dark.jpg")))
    for dryRun in [true, false] {
      await #expect(throws: changed) {
        try await editor.useVersion(named: "dark", of: asset, dryRun: dryRun)
      }
      await #expect(throws: changed) {
        try await editor.removeVersion(named: "dark", of: asset, dryRun: dryRun)
      }
      await #expect(throws: changed) {
        try await editor.saveVersion(named: "dark", of: asset, replacing: true, dryRun: dryRun)
      }
      await #expect(throws: changed) {
        try await editor.revertAssetContentToOriginal(
          asset, droppingVersions: true, dryRun: dryRun)
      }
    }
    try #expect(folder.traces == before)
    try await #expect(editor.state(of: asset).warnings == [changed.description])
  }

  @Test(arguments: [true, false])
  func aRevertNamesTheVersionsThatWouldBeLost(dryRun: Bool) async throws {
    let asset = try folder.add("gradients/chart.png")
    let original = try folder.traces
    try await editor.apply(.named("noir"), to: asset)
    try await editor.saveVersion(named: "dark", of: asset)
    let before = try folder.traces
    let refusal = EditError.storage(.hasVersions(asset.path, ["dark"]))
    await #expect(throws: refusal) {
      try await editor.revertAssetContentToOriginal(asset, dryRun: dryRun)
    }
    #expect(refusal.description == "\(asset.path) has a saved version, dark.")
    #expect(refusal.hint?.contains("--versions") == true)
    try #expect(folder.traces == before)
    try await editor.revertAssetContentToOriginal(asset, droppingVersions: true)
    try #expect(folder.traces == original)
  }

  @Test func anEditWithNothingLeftKeepsTheVersions() async throws {
    let asset = try folder.add("gradients/chart.png")
    try await editor.adjust(asset) { edit throws(AdjustmentError) in
      try edit.set("exposure", to: "0.5")
    }
    try await editor.saveVersion(named: "bright", of: asset)
    let result = try await editor.adjust(asset) { $0.removeAdjustments() }
    #expect(result.status == .edited)
    try await #expect(editor.versions(of: asset).map(\.name) == ["bright"])
    try await #expect(editor.undo(asset).step == 1)
  }

  @Test func aDryRunWritesNothing() async throws {
    let asset = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: asset)
    try await editor.saveVersion(named: "dark", of: asset)
    try await editor.apply(.named("mono"), to: asset)
    let before = try folder.traces
    let saved = try await editor.saveVersion(named: "soft", of: asset, dryRun: true)
    #expect(saved.rendered == folder.path.appending("chart_edited-soft.jpg"))
    try await #expect(
      editor.useVersion(named: "dark", of: asset, dryRun: true).status == .edited)
    try await #expect(
      editor.removeVersion(named: "dark", of: asset, dryRun: true).status == .edited)
    try #expect(folder.traces == before)
  }

  @Test func photosWithoutAnEditOrWithAnotherProgramsSidecarHaveNothingToSave() async throws {
    let asset = try folder.add("beach.jpg")
    await #expect(throws: EditError.nothingToCopy(path: asset.path, reason: .noEdit)) {
      try await editor.saveVersion(named: "dark", of: asset)
    }
    await #expect(throws: EditError.storage(.versionMissing(asset.path, "dark", present: []))) {
      try await editor.useVersion(named: "dark", of: asset)
    }
    try folder.add("bad/apple.aae", as: "beach.jpg.aae")
    await #expect(
      throws: EditError.nothingToCopy(path: asset.path, reason: .anotherProgramsEdit)
    ) {
      try await editor.saveVersion(named: "dark", of: asset)
    }
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae"])
  }

  @Test func theRenderOfAVersionIsNotEdited() async throws {
    let asset = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: asset)
    // Nothing in a picture that another program made tells what it is a render of.
    try await ThirdParty.a.edit(asset, "cards", render: ThirdParty.i1)
    try await editor.saveVersion(named: "cards", of: asset)
    let render = Photo(path: folder.path.appending("beach_edited-cards.jpg"))
    let before = try folder.traces
    try await #expect(editor.apply(.named("noir"), to: render).status == .skipped)
    try await #expect(editor.undo(render).status == .skipped)
    try await #expect(editor.saveVersion(named: "x", of: render).status == .skipped)
    try await #expect(editor.useVersion(named: "x", of: render).status == .skipped)
    try #expect(folder.traces == before)
    await #expect(throws: EditError.destinationTaken(render.path, .belongsToThePhoto)) {
      try await editor.export(asset, to: render.path, as: .standard, replacing: true)
    }
  }

  @Test func anotherProgramsEditComesBackByItsVersion() async throws {
    let asset = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: asset)
    try await editor.saveVersion(named: "mine", of: asset)
    try await editor.revertAssetContentToOriginal(asset, droppingVersions: true)
    try await ThirdParty.a.edit(asset, "cards", render: ThirdParty.i1)
    try await editor.saveVersion(named: "theirs", of: asset)
    try await ThirdParty.a.edit(asset, "more cards", render: ThirdParty.i3)

    let problem = EditError.VersionProblem.presentNotSaved("com.example.a")
    let refusal = EditError.versionUnusable(path: asset.path, name: "theirs", problem)
    await #expect(throws: refusal) { try await editor.useVersion(named: "theirs", of: asset) }
    try await editor.saveVersion(named: "more", of: asset)
    try await editor.useVersion(named: "theirs", of: asset)
    try #expect(folder.bytes("beach_edited.jpg") == Fixtures.bytes(ThirdParty.i1))
    try await #expect(ThirdParty.a.input(asset).adjustmentData == ThirdParty.a.data("cards"))
    folder.remove("beach_edited-more.jpg")
    await #expect(
      throws: EditError.versionUnusable(path: asset.path, name: "more", .renderMissing)
    ) { try await editor.useVersion(named: "more", of: asset) }
  }

  @Test func aVersionOnOtherPixelsIsNotUsed() async throws {
    let asset = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: asset)
    try await editor.saveVersion(named: "dark", of: asset)
    try await ThirdParty.a.edit(asset, "cards", render: ThirdParty.i1)
    try await editor.apply(.named("mono"), to: asset)
    try await editor.saveVersion(named: "soft", of: asset)
    let before = try folder.traces
    let refusal = EditError.versionUnusable(path: asset.path, name: "dark", .otherBase)
    await #expect(throws: refusal) { try await editor.useVersion(named: "dark", of: asset) }
    #expect(refusal.hint != nil)
    try #expect(folder.traces == before)
    try await editor.apply(.named("sepia"), to: asset)
    folder.remove("beach_edited-soft.jpg")
    try await editor.useVersion(named: "soft", of: asset)
    try #expect(folder.traces["beach_edited.jpg"]?.sha256 == before["beach_edited.jpg"]?.sha256)
  }

  @Test func aSidecarOfAnotherPhotoKeepsItsVersions() async throws {
    let asset = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: asset)
    try await editor.saveVersion(named: "dark", of: asset)
    let other = try folder.add("rgb.tif", as: "other.tif")
    folder.put(try #require(folder.bytes("chart.png.aae")), as: "other.tif.aae")
    let before = try folder.traces
    await #expect(throws: EditError.self) {
      try await editor.removeVersion(named: "dark", of: other)
    }
    await #expect(throws: EditError.self) {
      try await editor.saveVersion(named: "x", of: other)
    }
    try #expect(folder.traces == before)
  }
}
