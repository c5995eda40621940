import Foundation
import Glibc
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// What interrupted programs leave behind is found, and put right on request only.
@Suite struct VerifyFixTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func path(_ name: FilePath) -> FilePath { folder.path.appending(name) }

  /// The name of a hidden file of a photo.
  private func hidden(_ kind: String, of photo: FilePath = "beach.jpg") throws -> FilePath {
    FilePath(try #require(HiddenFile.key(of: photo)).string + "." + kind)
  }

  /// A photo whose edit was decided and not carried out, because the program died then.
  private func interrupted() async throws -> Photo {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    let fileSystem = FileSystem { step in
      step.kind == .rename && !step.path.string.hasSuffix(".pending") ? .failure(EIO) : nil
    }
    _ = try await PhotoEditor.test(through: fileSystem).apply(.named("noir"), to: photo)
    return photo
  }

  @Test func anInterruptedChangeIsFoundAndFinished() async throws {
    let photo = try await interrupted()
    let before = try folder.traces
    let problem = PhotoProblem(.interrupted(canBeFinished: true), try path(hidden("pending")))
    let check = try await editor.verify(photo)
    #expect(check.problems == [problem])
    #expect(problem.canBeFixed)
    try #expect(folder.traces == before)

    let fixed = try await editor.verify(photo, fixing: true)
    #expect(fixed.isSound)
    #expect(fixed.fixed == [problem])
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"])
    try await #expect(editor.verify(photo).isSound)
  }

  @Test func whatStandsInTheWayOfFinishingIsSaid() async throws {
    let photo = try await interrupted()
    folder.put(try Fixtures.bytes("orientation/2.jpg"), as: "beach_edited.jpg")
    let before = try folder.traces
    let check = try await editor.verify(photo, fixing: true)
    #expect(check.problems.map(\.code) == ["interrupted", "render-changed"])
    #expect(check.fixed.isEmpty)
    try #expect(folder.traces == before)
  }

  @Test func aFolderThatHasTheNameOfAClaimIsFound() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    let claim = try path(hidden("claim"))
    mkdir(claim.string, 0o755)
    defer { rmdir(claim.string) }
    let problem = PhotoProblem(.failed(.storage(.hiddenNameTaken(claim))), photo.path)
    try await #expect(editor.verify(photo).problems == [problem])
    try await #expect(editor.checks(of: folder.path).map(\.problems) == [[problem]])
  }

  @Test func aLeftoverIsFoundAndRemoved() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    let render = try hidden("render")
    folder.put([1, 2, 3], as: render)
    folder.put([], as: try hidden("claim"))
    let problems = [render, try hidden("claim")].map {
      PhotoProblem(.leftover(canBeRemoved: true), path($0))
    }
    try await #expect(editor.verify(photo).problems == problems)
    #expect(
      problems[0].description == "\(path(render)) was left behind by a program that died.")
    let fixed = try await editor.verify(photo, fixing: true)
    #expect(fixed.isSound)
    #expect(fixed.fixed == problems)
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func aPhotoThatIsBeingEditedIsNotTouched() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    let transaction = try PhotoFiles(photo.path).begin(timeout: .zero)
    defer { transaction.end() }
    _ = try transaction.stageReportedRender { try $0.write([1, 2, 3]) }
    let before = try folder.traces
    let impatient = PhotoEditor.test(lockTimeout: .zero)
    let checks = try await impatient.checks(of: folder.path, fixing: true)
    #expect(checks.map(\.path) == [photo.path])
    #expect(checks.flatMap(\.problems).map(\.code) == ["busy"])
    try #expect(folder.traces == before)
  }

  @Test func nothingElseIsChanged() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    folder.put(try Fixtures.bytes("orientation/2.jpg"), as: "beach_edited.jpg")
    folder.put(try Fixtures.bytes("bad/apple.aae"), as: "other.jpg.aae")
    let before = try folder.traces
    _ = try await editor.checks(of: folder.path, fixing: true)
    try #expect(folder.traces == before)
  }

  @Test func aFolderFindsThePhotosOfHiddenFilesByTheirNames() async throws {
    _ = try await interrupted()
    try folder.add("orientation/2.jpg", as: "shore.jpg")
    folder.put([1], as: try hidden("base", of: "shore.jpg"))
    folder.put([1], as: try hidden("record", of: "shore.jpg"))
    let found = try await editor.checks(of: folder.path)
    #expect(found.map(\.path).sorted(by: <) == [path("beach.jpg"), path("shore.jpg")])
    #expect(Set(found.flatMap(\.problems).map(\.code)) == ["interrupted", "leftover"])

    let fixed = try await editor.checks(of: folder.path, fixing: true)
    #expect(fixed.flatMap(\.fixed).count == 3)
    #expect(fixed.flatMap(\.problems).isEmpty)
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg", "shore.jpg"])
  }

  @Test func aDecidedChangeStaysWithoutItsPhotoAndOtherHiddenFilesGoToTheTrash() async throws {
    _ = try await interrupted()
    folder.remove("beach.jpg")
    let before = folder.names
    let stray = try hidden("render", of: "gone.jpg")
    folder.put([1], as: stray)
    let checks = try await editor.checks(of: folder.path, fixing: true)
    let problems = checks.flatMap(\.problems)
    #expect(Set(problems.map(\.code)) == ["original-missing", "interrupted"])
    #expect(problems.allSatisfy { !$0.canBeFixed })
    #expect(checks.flatMap(\.fixed).map(\.file) == [path(stray)])
    #expect(folder.names == ([FolderTrash.name] + before).sorted(by: <))
  }

  @Test func theClaimOfAPhotoThatIsGoneIsRemovedWhenNobodyHasIt() async throws {
    let claim = try hidden("claim", of: "gone.jpg")
    folder.put([], as: claim)
    let holder = try #require(
      try FileSystem.real.lockExclusively(FileSystem.real.openReadOnly(path(claim))))
    try await #expect(editor.checks(of: folder.path, fixing: true).isEmpty)
    holder.unlock()
    try await #expect(
      editor.checks(of: folder.path).flatMap(\.problems)
        == [PhotoProblem(.leftover(canBeRemoved: true), path(claim))])
    try await #expect(editor.checks(of: folder.path, fixing: true).flatMap(\.problems) == [])
    #expect(folder.names == [])
  }

  @Test func anExportsFileIsRemovedWhenItsProgramIsGone() async throws {
    // No process has this number; that of one that has ended may be given to another while the test waits.
    let dead = FilePath(".safelight-export-\(Int32.max)-1")
    let living = FilePath(".safelight-export-\(getpid())-100000")
    folder.put([1], as: dead)
    folder.put([1], as: living)
    try await #expect(
      editor.checks(of: folder.path).flatMap(\.problems)
        == [PhotoProblem(.leftover(canBeRemoved: true), path(dead))])
    try await #expect(editor.checks(of: folder.path, fixing: true).flatMap(\.problems) == [])
    #expect(folder.names == [living])
  }
}
