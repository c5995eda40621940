import Foundation
import Testing

@testable import PhotoEditing
@testable import SafelightFiles
@testable import SafelightStorage

/// Plans are made of what is known of a photo: no test here touches a file.
@Suite struct EditPlanTests {
  private let standard = RenderOutput.standard

  private func stack(saturation: Double) throws -> EditStack {
    var adjustment = Adjustments.Saturation()
    adjustment.amount = saturation
    return try EditStack([adjustment])
  }

  @Test func theFirstEditStartsFromTheOriginal() throws {
    let plan = try OpenEdit(PretendedFiles()).plan(for: stack(saturation: 0.5), output: standard)
    let new = try #require(plan.newEdit)
    #expect(new.start == EditStart(pixels: .original, path: "/photos/beach.jpg"))
    #expect(new.history == .edit)
    #expect(plan.report.status == .edited)
    #expect(plan.report.rendered == "/photos/beach_edited.jpg")
    #expect(plan.report.record == "/photos/beach.jpg.aae")
  }

  @Test func anEmptyEditOfAnUneditedPhotoIsNoEdit() throws {
    let plan = try OpenEdit(PretendedFiles()).plan(for: EditStack(), output: standard)
    #expect(plan.reason == .noEdit)
    #expect(plan.report == EditResult(status: .unchanged))
  }

  @Test func theSameEditInTheSameQualityIsUnchanged() throws {
    let edit = try stack(saturation: 0.5)
    let open = OpenEdit(PretendedFiles.edited(edit))
    try #expect(open.plan(for: edit, output: standard).reason == .sameEdit)
    let better = try open.plan(for: edit, output: RenderOutput(format: .jpeg, quality: 99))
    #expect(better.newEdit?.history == .renderAgain)
    try #expect(open.plan(for: stack(saturation: 0.6), output: standard).newEdit?.history == .edit)
  }

  /// A record without a number follows its original.
  @Test(
    arguments: [
      ("s-9 with jpeg quality of the original", "s-9", nil, RenderOutput.standard),
      ("s-9 with jpeg quality 95", "s-9", 95, RenderOutput(format: .jpeg, following: .chroma)),
      (
        "s-9 with jpeg quality 40", "s-9", 40,
        RenderOutput(format: .jpeg, quality: 40, following: .chroma)
      ),
      ("sketch", "sketch", nil, .standard),
      ("sketch with jpeg quality 101", "sketch with jpeg quality 101", nil, .standard),
    ] as [(String, String, Int?, RenderOutput)])
  func aRecordSaysHowItsRenderIsEncoded(
    text: String, version: String, quality: Int?, output: RenderOutput
  ) {
    let description = RendererDescription(text)
    #expect(description.version == version && description.quality == quality)
    #expect(description.output == output)
    #expect(RendererDescription(output).output == output)
    if text.hasPrefix("s-") { #expect(description.text == text) }
  }

  @Test func theSameEditWithoutItsRenderIsRenderedAgain() throws {
    let edit = try stack(saturation: 0.5)
    var files = PretendedFiles.edited(edit)
    files.paths = [:]
    let plan = try OpenEdit(files).plan(for: edit, output: standard)
    #expect(plan.newEdit?.history == .renderAgain)
  }

  @Test func anEditWithNothingLeftKeepsItsHistory() throws {
    let plan = try OpenEdit(PretendedFiles.edited(stack(saturation: 0.5)))
      .plan(for: EditStack(), output: standard)
    #expect(plan.newEdit?.data == EditStack().adjustmentData)
    #expect(plan.newEdit?.history == .edit)
    #expect(plan.report.status == .edited)
  }

  @Test func aChangeIsAskedForOnceAllFilesAreAsRecorded() throws {
    var files = try PretendedFiles.edited(stack(saturation: 0.5))
    files.changed = [.render]
    let open = OpenEdit(files)
    #expect(throws: StorageError.renderChanged("/photos/beach_edited.jpg")) {
      try open.planToChange(quality: 90) { _ in Issue.record("asked for a change") }
    }
    files.changed = []
    files.isOriginalChanged = true
    #expect(throws: StorageError.originalChanged("/photos/beach.jpg")) {
      try OpenEdit(files).planToChange(quality: 90) { _ in Issue.record("asked for a change") }
    }
  }

  @Test func undoGoesBackByStepsAndRedoOn() throws {
    let first = try stack(saturation: 0.1)
    let second = try stack(saturation: 0.2)
    let third = try stack(saturation: 0.3)
    let open = OpenEdit(PretendedFiles.edited(first, second, undone: [third]))

    let undo = try open.planToGo(to: .back(1), quality: nil)
    #expect(undo.newEdit?.data == first.adjustmentData)
    #expect(undo.newEdit?.history == .undo(steps: 1))
    #expect(undo.newEdit?.editorBundleIdentifier == "org.example")
    #expect(undo.report.step == 1)
    let start = try open.planToGo(to: .back(9), quality: nil)
    #expect(start.newEdit?.data == EditStack().adjustmentData)
    #expect(start.newEdit?.history == .undo(steps: 2))
    #expect(start.report.step == 0)
    let redo = try open.planToGo(to: .back(-1), quality: 50)
    #expect(redo.newEdit?.data == third.adjustmentData)
    #expect(redo.newEdit?.history == .redo(steps: 1))
    guard case .rendered(_, let output)? = redo.newEdit?.render else {
      Issue.record("redo renders nothing")
      return
    }
    #expect(output.quality == 50)
    try #expect(open.planToGo(to: .step(2), quality: nil).reason == .sameStep)
    #expect(
      throws: EditError.stepUnavailable(path: "/photos/beach.jpg", .missing(4, last: 3))
    ) {
      try open.planToGo(to: .step(4), quality: nil)
    }
  }

  @Test func aVersionIsCopiedAsLongAsItsRenderIsThere() throws {
    let record = try PretendedFiles.record(stack(saturation: 0.1))
    let version = RecordedVersion("warm", keeping: record, render: try #require(record.render))
    let present = try PretendedFiles.record(stack(saturation: 0.2), versions: [version])
    let path: FilePath = "/photos/beach_edited-warm.jpg"
    var files = PretendedFiles(
      record: present, paths: [.render: "/photos/beach_edited.jpg", .version("warm"): path])
    guard
      case .copied(let copy)? = try OpenEdit(files).planToUseVersion(named: "WARM").newEdit?.render
    else {
      Issue.record("the render is not copied")
      return
    }
    #expect(copy.path == path && copy.digest == version.render.file.sha256)
    files.paths[.version("warm")] = nil
    guard
      case .rendered(let stack, _)? =
        try OpenEdit(files).planToUseVersion(named: "warm").newEdit?.render
    else {
      Issue.record("the version is not rendered")
      return
    }
    #expect(stack.adjustmentData == version.adjustmentData)
    #expect(throws: StorageError.versionMissing(files.originalPath, "cold", present: ["warm"])) {
      try OpenEdit(files).planToUseVersion(named: "cold")
    }
  }

  @Test func versionsKeepAPhotoFromBeingReverted() throws {
    let record = try PretendedFiles.record(stack(saturation: 0.1))
    let version = RecordedVersion("warm", keeping: record, render: try #require(record.render))
    let files = try PretendedFiles(
      record: PretendedFiles.record(stack(saturation: 0.2), versions: [version]))
    #expect(throws: StorageError.hasVersions(files.originalPath, ["warm"])) {
      try OpenEdit(files).planToRevert()
    }
    let plan = try OpenEdit(files).planToRevert(droppingVersions: true)
    #expect(plan.report.status == .reverted)
  }

  @Test func anotherRenderersRenderIsMadeAgainInItsQuality() throws {
    let edit = try stack(saturation: 0.5)
    let old = PretendedFiles.record(edit, renderer: "safelight-0 with jpeg quality 77")
    let plan = try OpenEdit(
      PretendedFiles(record: old, paths: [.render: "/photos/beach_edited.jpg"])
    ).planToRenderAgain()
    #expect(plan.report.status == .rendered)
    #expect(plan.newEdit?.date == .test && plan.newEdit?.history == .renderAgain)
    guard case .rendered(_, let output)? = plan.newEdit?.render else {
      Issue.record("nothing is rendered")
      return
    }
    #expect(output.quality == 77)
    try #expect(OpenEdit(PretendedFiles.edited(edit)).planToRenderAgain().reason == .sameEdit)
    try #expect(OpenEdit(PretendedFiles()).planToRenderAgain().reason == .noEdit)
  }

  @Test func relinkingMovesTheEditThatThePhotoHadElsewhere() throws {
    var files = PretendedFiles()
    let former: FilePath = "/old/shore.jpg"
    try #expect(OpenEdit(files).planToRelink(from: former, to: "beach.jpg").reason == .noEdit)
    files.move = EditMove(.hasAnEdit)
    #expect(
      throws: EditError.targetHasAnEdit(record: "/old/shore.jpg.aae", target: "beach.jpg")
    ) {
      try OpenEdit(files).planToRelink(from: former, to: "beach.jpg")
    }
    files.move = EditMove(.moved)
    files.move.isRenderMissing = true
    let plan = try OpenEdit(files).planToRelink(from: former, to: "beach.jpg")
    guard case .move = plan.change else {
      Issue.record("\(plan.change)")
      return
    }
    #expect(plan.report.status == .relinked && plan.report.record == "beach.jpg.aae")
    #expect(
      plan.report.warnings == ["Its render is missing and has to be rendered again."])
  }

  @Test func anEditGoesToTheOneFreePhotoOrTheOneNearby() throws {
    let orphan = Orphan(photo: "a/beach.jpg", folder: "/a", sought: nil, place: .empty)
    func candidate(
      _ path: FilePath, isFree: Bool = true, hasRecord: Bool = false, isNear: Bool = false
    ) -> Orphan.Candidate {
      Orphan.Candidate(
        path: path, isFree: isFree, isLeft: false, hasRecord: hasRecord, isNear: isNear)
    }
    let near = candidate("a/shore.jpg", isNear: true)
    let far = candidate("b/shore.jpg")
    let taken = candidate("c/shore.jpg", isFree: false, hasRecord: true)
    try #expect(orphan.target(among: [far, taken]) == far.path)
    try #expect(orphan.target(among: [far, near]) == near.path)
    try #expect(
      orphan.target(among: [candidate("d/shore.jpg", hasRecord: true), near]) == "d/shore.jpg")
    // An edit that is about another photo makes room.
    let left = Orphan.Candidate(
      path: "f/shore.jpg", isFree: false, isLeft: true, hasRecord: true, isNear: false)
    try #expect(orphan.target(among: [left, taken]) == left.path)
    try #expect(orphan.target(among: [left, far]) == far.path)
    #expect(throws: RelinkError.originalNotFound(record: "a/beach.jpg.aae")) {
      try orphan.target(among: [])
    }
    #expect(
      throws: RelinkError.failed(
        .targetHasAnEdit(record: "a/beach.jpg.aae", target: taken.path))
    ) {
      try orphan.target(among: [taken])
    }
    #expect(
      throws: RelinkError.ambiguous(
        record: "a/beach.jpg.aae", candidates: [far.path, "e/shore.jpg"])
    ) {
      try orphan.target(among: [far, candidate("e/shore.jpg")])
    }
  }
}
