import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

@Suite struct VersionTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func filters(_ photo: Photo) async throws -> [String]? {
    try await editor.state(of: photo).edit?.stack?.filters.map(\.name)
  }

  @Test func aSavedVersionStaysWhileThePhotoIsEditedOnAndCanBeUsedAgain() async throws {
    let photo = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: photo, quality: 80)
    let noir = try #require(folder.bytes("beach_edited.jpg"))
    let saved = try await editor.saveVersion(named: "dark", of: photo)
    #expect(saved.status == .edited)
    #expect(saved.rendered == folder.path.appending("beach_edited-dark.jpg"))
    #expect(folder.bytes("beach_edited-dark.jpg") == noir)
    try await editor.apply(.named("sepia"), to: photo)
    let sepia = try #require(folder.bytes("beach_edited.jpg"))

    let used = try await editor.useVersion(named: "DARK", of: photo)
    #expect(used.status == .edited)
    #expect(used.rendered == folder.path.appending("beach_edited.jpg"))
    #expect(folder.bytes("beach_edited.jpg") == noir)
    try await #expect(filters(photo) == ["noir"])
    try await #expect(editor.history(of: photo).present == 3)
    try await editor.undo(photo)
    #expect(folder.bytes("beach_edited.jpg") == sepia)
    #expect(folder.bytes("beach_edited-dark.jpg") == noir)
  }

  @Test func versionsSayWhatTheyAre() async throws {
    let photo = try folder.add("gradients/chart.png")
    try await #expect(editor.versions(of: photo).isEmpty)
    try await editor.apply(.named("noir"), to: photo)
    try await editor.saveVersion(named: "dark", of: photo)
    try await editor.apply(.named("sepia"), to: photo)
    try await editor.saveVersion(named: "brown", of: photo)
    let versions = try await editor.versions(of: photo)
    #expect(versions.map(\.name) == ["dark", "brown"])
    #expect(versions.map(\.isPresent) == [false, true])
    #expect(versions[0].stack?.filters.map(\.name) == ["noir"])
    #expect(versions[0].editor == "org.safelight.edit" && versions[0].date == .test)
    #expect(versions[0].renderSize == PixelSize(width: 124, height: 84))
    #expect(versions[0].rendered == folder.path.appending("chart_edited-dark.jpg"))
    let state = try await editor.state(of: photo)
    #expect(state.versions.map(\.name) == ["dark", "brown"])
    #expect(
      state.resources.filter { $0.type == .alternatePhoto }.map(\.originalFilename)
        == ["chart_edited-dark.jpg", "chart_edited-brown.jpg"])
    #expect(state.warnings.isEmpty)
  }

  @Test func theSameEditInAnotherQualityIsNoStepOfItsOwn() async throws {
    let photo = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: photo, quality: 60)
    try await editor.saveVersion(named: "small", of: photo)
    let small = folder.bytes("chart_edited.jpg")
    try await editor.apply(.named("noir"), to: photo)
    try await editor.useVersion(named: "small", of: photo)
    #expect(folder.bytes("chart_edited.jpg") == small)
    try await #expect(editor.history(of: photo).steps.count == 2)
  }

  @Test func aVersionWithoutItsRenderIsRenderedAgain() async throws {
    let photo = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: photo, quality: 70)
    let noir = folder.bytes("chart_edited.jpg")
    try await editor.saveVersion(named: "dark", of: photo)
    try await editor.apply(.named("mono"), to: photo)
    folder.remove("chart_edited-dark.jpg")
    try await #expect(
      editor.state(of: photo).warnings
        == ["The render chart_edited-dark.jpg of a version is missing."])
    try await editor.useVersion(named: "dark", of: photo)
    #expect(folder.bytes("chart_edited.jpg") == noir)
  }

  @Test func aVersionIsSavedAlsoWithoutTheRenderAndADryRunSaysSo() async throws {
    let photo = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: photo)
    folder.remove("chart_edited.jpg")
    let before = try folder.traces
    let planned = try await editor.saveVersion(named: "dark", of: photo, dryRun: true)
    try #expect(folder.traces == before)
    let saved = try await editor.saveVersion(named: "dark", of: photo)
    // What there is then is known only then.
    #expect(planned.status == saved.status && planned.rendered == saved.rendered)
    #expect(planned.record == saved.record && planned.edit == saved.edit)
    #expect(folder.bytes("chart_edited.jpg") == folder.bytes("chart_edited-dark.jpg"))
  }

  @Test func aRetouchedVersionIsLeftAlone() async throws {
    let photo = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: photo)
    try await editor.saveVersion(named: "dark", of: photo)
    try await editor.apply(.named("mono"), to: photo)
    try folder.add(ThirdParty.i1, as: "chart_edited-dark.jpg")
    let before = try folder.traces
    let changed = EditError.storage(
      .renderChanged(folder.path.appending("chart_edited-dark.jpg")))
    for dryRun in [true, false] {
      await #expect(throws: changed) {
        try await editor.useVersion(named: "dark", of: photo, dryRun: dryRun)
      }
      await #expect(throws: changed) {
        try await editor.removeVersion(named: "dark", of: photo, dryRun: dryRun)
      }
      await #expect(throws: changed) {
        try await editor.saveVersion(named: "dark", of: photo, replacing: true, dryRun: dryRun)
      }
      await #expect(throws: changed) {
        try await editor.revertAssetContentToOriginal(
          photo, droppingVersions: true, dryRun: dryRun)
      }
    }
    try #expect(folder.traces == before)
    try await #expect(editor.state(of: photo).warnings == [changed.description])
  }

  @Test func anEditWithNothingLeftKeepsTheVersions() async throws {
    let photo = try folder.add("gradients/chart.png")
    try await editor.adjust(photo) { edit throws(AdjustmentError) in
      try edit.set("exposure", to: "0.5")
    }
    try await editor.saveVersion(named: "bright", of: photo)
    let result = try await editor.adjust(photo) { $0.removeAdjustments() }
    #expect(result.status == .edited)
    try await #expect(editor.versions(of: photo).map(\.name) == ["bright"])
    try await #expect(editor.undo(photo).step == 1)
  }

  @Test func photosWithoutAnEditOrWithAnotherProgramsSidecarHaveNothingToSave() async throws {
    let photo = try folder.add("beach.jpg")
    await #expect(throws: EditError.nothingToCopy(path: photo.path, reason: .noEdit)) {
      try await editor.saveVersion(named: "dark", of: photo)
    }
    await #expect(throws: EditError.storage(.versionMissing(photo.path, "dark", present: []))) {
      try await editor.useVersion(named: "dark", of: photo)
    }
    try folder.add("bad/apple.aae", as: "beach.jpg.aae")
    await #expect(
      throws: EditError.nothingToCopy(path: photo.path, reason: .anotherProgramsEdit)
    ) {
      try await editor.saveVersion(named: "dark", of: photo)
    }
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae"])
  }

  @Test func theRenderOfAVersionIsNotEdited() async throws {
    let photo = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: photo)
    // Nothing in a picture that another program made tells what it is a render of.
    try await ThirdParty.a.edit(photo, "cards", render: ThirdParty.i1)
    try await editor.saveVersion(named: "cards", of: photo)
    let render = Photo(path: folder.path.appending("beach_edited-cards.jpg"))
    let before = try folder.traces
    try await #expect(editor.apply(.named("noir"), to: render).status == .skipped)
    try await #expect(editor.undo(render).status == .skipped)
    try await #expect(editor.saveVersion(named: "x", of: render).status == .skipped)
    try await #expect(editor.useVersion(named: "x", of: render).status == .skipped)
    try #expect(folder.traces == before)
    await #expect(throws: EditError.destinationTaken(render.path, .belongsToThePhoto)) {
      try await editor.export(photo, to: render.path, as: .standard, existing: .replaced)
    }
  }

  @Test func anotherProgramsEditComesBackByItsVersion() async throws {
    let photo = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: photo)
    try await editor.saveVersion(named: "mine", of: photo)
    try await editor.revertAssetContentToOriginal(photo, droppingVersions: true)
    try await ThirdParty.a.edit(photo, "cards", render: ThirdParty.i1)
    try await editor.saveVersion(named: "theirs", of: photo)
    try await ThirdParty.a.edit(photo, "more cards", render: ThirdParty.i3)

    let problem = EditError.VersionProblem.presentNotSaved("com.example.a")
    let refusal = EditError.versionUnusable(path: photo.path, name: "theirs", problem)
    await #expect(throws: refusal) { try await editor.useVersion(named: "theirs", of: photo) }
    try await editor.saveVersion(named: "more", of: photo)
    try await editor.useVersion(named: "theirs", of: photo)
    try #expect(folder.bytes("beach_edited.jpg") == Fixtures.bytes(ThirdParty.i1))
    try await #expect(ThirdParty.a.input(photo).adjustmentData == ThirdParty.a.data("cards"))
    folder.remove("beach_edited-more.jpg")
    await #expect(
      throws: EditError.versionUnusable(path: photo.path, name: "more", .renderMissing)
    ) { try await editor.useVersion(named: "more", of: photo) }
  }

  @Test func aVersionOnOtherPixelsIsNotUsed() async throws {
    let photo = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: photo)
    try await editor.saveVersion(named: "dark", of: photo)
    try await ThirdParty.a.edit(photo, "cards", render: ThirdParty.i1)
    try await editor.apply(.named("mono"), to: photo)
    try await editor.saveVersion(named: "soft", of: photo)
    let before = try folder.traces
    let refusal = EditError.versionUnusable(path: photo.path, name: "dark", .otherBase)
    await #expect(throws: refusal) { try await editor.useVersion(named: "dark", of: photo) }
    #expect(refusal.code == "version-unusable")
    try #expect(folder.traces == before)
    try await editor.apply(.named("sepia"), to: photo)
    folder.remove("beach_edited-soft.jpg")
    try await editor.useVersion(named: "soft", of: photo)
    try #expect(folder.traces["beach_edited.jpg"]?.sha256 == before["beach_edited.jpg"]?.sha256)
  }

  @Test func aSidecarOfAnotherPhotoKeepsItsVersions() async throws {
    let photo = try folder.add("gradients/chart.png")
    try await editor.apply(.named("noir"), to: photo)
    try await editor.saveVersion(named: "dark", of: photo)
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
