import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Two machines edited one photo, and a sync put the record of one of them aside.
@Suite struct ConflictingEditsTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()
  private let record: FilePath = "beach.jpg.aae"
  private let render: FilePath = "beach_edited.jpg"
  private let copy: FilePath = "beach.jpg.sync-conflict-20240101-120000-ABCDEFG.aae"
  private let copiedRender: FilePath = "beach_edited.sync-conflict-20240101-120000-ABCDEFG.jpg"
  private let version = "sync-conflict-20240101-120000-ABCDEFG"

  private func path(_ name: FilePath) -> FilePath { folder.path.appending(name) }

  /// A photo with a common edit; the other machine made two more, this one another.
  private func conflict() async throws -> Photo {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    let common = [record, render].compactMap(folder.bytes)
    _ = try await editor.apply(.named("chrome"), to: photo)
    _ = try await editor.apply(.named("fade"), to: photo)
    folder.put(try #require(folder.bytes(record)), as: copy)
    folder.put(try #require(folder.bytes(render)), as: copiedRender)
    folder.put(common[0], as: record)
    folder.put(common[1], as: render)
    _ = try await editor.apply(.named("silvertone"), to: photo)
    return photo
  }

  private func filters(_ stack: EditStack?) -> [String] { stack?.filters.map(\.name) ?? [] }

  private func check() async throws -> [PhotoCheck] { try await editor.checks(of: folder.path) }

  private func fix() async throws -> [PhotoCheck] {
    try await editor.checks(of: folder.path, fixing: true)
  }

  @Test func aCheckSaysWhichEditOfWhichPhotoItIs() async throws {
    _ = try await conflict()
    let problems = try await check().flatMap(\.problems)
    #expect(problems.map(\.code) == ["conflict-copy", "conflict-copy"])
    guard case .conflictCopy(let conflict)? = problems.first?.kind else {
      Issue.record("no conflict")
      return
    }
    #expect(conflict.photo == path("beach.jpg") && filters(conflict.stack) == ["fade"])
    #expect(!conflict.isContained && !conflict.isRender && conflict.isBesideRecord)
    #expect(problems[0].description.contains("another machine's edit of \(path("beach.jpg"))"))
    #expect(try PhotoEditing.PhotoFolder(folder.path).photos == [path("beach.jpg")])
    // What is not contained stays.
    _ = try await fix()
    #expect(folder.bytes(copy) != nil && folder.bytes(copiedRender) != nil)
  }

  @Test func anEditIsMergedAlsoWhenTheCopyCannotBePutAway() async throws {
    let photo = try await conflict()
    folder.put([1], as: FolderTrash.name)
    let result = try await editor.mergeConflictingEdits(of: photo)
    #expect(result.versions == [version] && result.warnings.count == 1)
    #expect(result.warnings.first?.contains("\(FolderTrash.name) could not be opened") == true)
    #expect(folder.bytes(copy) != nil)
    try await #expect(editor.state(of: photo).versions.map(\.name) == [version])
  }

  @Test func theHistoryShowsTheOtherMachinesSteps() async throws {
    let photo = try await conflict()
    let edits = try await editor.conflictingEdits(of: photo)
    #expect(edits.count == 1)
    #expect(edits.first?.commonStep == 1 && edits.first?.versionName == version)
    #expect(edits.first?.steps.map { filters($0.stack) } == [["chrome"], ["fade"]])
  }

  @Test func mergingKeepsTheOtherEditAsAVersionAndPutsTheCopiesAway() async throws {
    let photo = try await conflict()
    let present = folder.bytes(render)
    let theirs = folder.bytes(copiedRender)
    let plan = try await editor.mergeConflictingEdits(of: photo, dryRun: true)
    #expect(plan.versions == [version] && folder.bytes(copy) != nil)
    let result = try await editor.mergeConflictingEdits(of: photo)
    #expect(result.status == .edited && result.versions == [version])
    #expect(folder.bytes(render) == present)
    #expect(folder.bytes(FilePath("beach_edited-\(version).jpg")) == theirs)
    let trash = path(FolderTrash.name).appending("beach.jpg")
    #expect(trash.appending(copy).contents != nil && trash.appending(copiedRender).contents != nil)
    #expect(folder.bytes(copy) == nil && folder.bytes(copiedRender) == nil)
    #expect(try await check().allSatisfy { $0.isSound && $0.notes.isEmpty })
    let versions = try await editor.versions(of: photo)
    #expect(versions.map { filters($0.stack) } == [["fade"]])
    // The edit between the common one and the newest is kept with the version.
    #expect(try folder.text(record).components(separatedBy: "<key>history</key>").count == 3)
    let used = try await editor.useVersion(named: version, of: photo)
    #expect(used.status == .edited && folder.bytes(render) == theirs)
    #expect(try await editor.mergeConflictingEdits(of: photo).status == .unchanged)
  }

  @Test func aCopiesEditIsKeptUnderANameWithoutItsRender() async throws {
    let photo = try await conflict()
    let theirs = folder.bytes(copiedRender)
    folder.remove(copiedRender)
    _ = try await editor.saveVersion(named: "laptop", of: photo, from: path(copy))
    #expect(folder.bytes("beach_edited-laptop.jpg") == theirs)
    #expect(folder.bytes(copy) != nil)
    // A render that comes late is known.
    folder.put(try #require(theirs), as: copiedRender)
    let render = try await editor.verify(Photo(path: path(copiedRender)))
    #expect(render.problems.map(\.canBeFixed) == [true])
    await #expect(throws: EditError.notAConflictCopy(path("beach.jpg.aae"), photo: photo.path)) {
      try await editor.saveVersion(named: "no", of: photo, from: path("beach.jpg.aae"))
    }
  }

  @Test func aCopyThatTheHistoryHasIsPutAway() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    folder.put(try #require(folder.bytes(record)), as: "beach.jpg (conflicted copy 2024-01-01).aae")
    folder.put(try #require(folder.bytes(render)), as: "beach_edited (conflicted copy).jpg")
    _ = try await editor.apply(.named("chrome"), to: photo)
    #expect(try await check().flatMap(\.problems).map(\.canBeFixed) == [true, true])
    let fixed = try await fix()
    #expect(fixed.flatMap(\.fixed).map(\.code) == ["conflict-copy", "conflict-copy"])
    #expect(folder.names == [FolderTrash.name, "beach.jpg", record, render])
    #expect(try await check().allSatisfy { $0.isSound })
  }

  @Test(arguments: ["another photo's", "no record"])
  func aNameAloneMakesNoConflict(content: String) async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    if content == "no record" {
      folder.put(Array("no record".utf8), as: copy)
    } else {
      let other = try folder.add("orientation/2.jpg", as: "sea.jpg")
      _ = try await editor.apply(.named("noir"), to: other)
      folder.put(try #require(folder.bytes("sea.jpg.aae")), as: copy)
    }
    #expect(try await editor.conflictingEdits(of: photo).isEmpty)
    #expect(try await check().flatMap(\.problems).allSatisfy { $0.code != "conflict-copy" })
    _ = try await fix()
    #expect(folder.bytes(copy) != nil)
  }

  @Test func aSidecarThatIsStillBeingWrittenIsANote() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    folder.put(Array("<?xml".utf8), as: "~beach.jpg.aae")
    folder.put(Array("<?xml".utf8), as: ".syncthing.beach.jpg.aae.tmp")
    let checks = try await check()
    #expect(checks.allSatisfy { $0.isSound })
    #expect(checks.flatMap(\.notes).map(\.code) == ["not-synced-yet"])
  }

  @Test func relinkPassesOverACopy() async throws {
    _ = try await conflict()
    #expect(try await editor.relinkings([folder.path]).isEmpty)
  }

  @Test(arguments: ["present", "earlier"])
  func aVersionThatOnlyTheCopyHasIsKeptUnderItsName(edit: String) async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    let common = [record, render].compactMap(folder.bytes)
    _ = try await editor.saveVersion(named: "print", of: photo)
    let kept = try #require(folder.bytes("beach_edited-print.jpg"))
    if edit == "earlier" { _ = try await editor.undo(photo) }
    folder.put(try #require(folder.bytes(record)), as: copy)
    folder.remove("beach_edited-print.jpg")
    folder.put(common[0], as: record)
    folder.put(common[1], as: render)
    let conflicts = try await editor.conflictingEdits(of: photo)
    #expect(conflicts.map(\.versionNames) == [["print"]] && !conflicts[0].isContained)
    _ = try await fix()
    #expect(folder.bytes(copy) != nil)
    let result = try await editor.mergeConflictingEdits(of: photo)
    #expect(result.versions == ["print"] && folder.bytes("beach_edited-print.jpg") == kept)
    // The same copy has nothing new any more.
    folder.put(
      try #require(path(FolderTrash.name).appending("beach.jpg").appending(copy).contents), as: copy
    )
    #expect(try await editor.conflictingEdits(of: photo).map(\.isContained) == [true])
  }

  @Test func theNewestEditOfACopyKeepsTheNameOfItsVersion() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    let common = [record, render].compactMap(folder.bytes)
    _ = try await editor.apply(.named("fade"), to: photo)
    _ = try await editor.saveVersion(named: "print", of: photo)
    folder.put(try #require(folder.bytes(record)), as: copy)
    folder.remove("beach_edited-print.jpg")
    folder.put(common[0], as: record)
    folder.put(common[1], as: render)
    _ = try await editor.apply(.named("chrome"), to: photo)
    #expect(try await editor.mergeConflictingEdits(of: photo).versions == ["print"])
    #expect(try await editor.versions(of: photo).map { filters($0.stack) } == [["fade"]])
  }

  @Test func anEditThatIsSavedUnderAnotherNameElsewhereKeepsBothNames() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    let common = try #require(folder.bytes(record))
    _ = try await editor.saveVersion(named: "print", of: photo)
    folder.put(try #require(folder.bytes(record)), as: copy)
    folder.remove("beach_edited-print.jpg")
    folder.put(common, as: record)
    _ = try await editor.saveVersion(named: "web", of: photo)
    #expect(try await editor.mergeConflictingEdits(of: photo).versions == ["print"])
    #expect(try await editor.versions(of: photo).map(\.name).sorted() == ["print", "web"])
  }

  @Test func aPictureNamedLikeAVersionIsNoConflictCopy() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    let picture: FilePath = "beach_edited-LAPTOP.jpg"
    folder.put(try #require(folder.bytes(render)), as: picture)
    _ = try await fix()
    #expect(folder.bytes(picture) != nil)
    // A copy of the record with this name shows that a sync gave it.
    folder.put(try #require(folder.bytes(record)), as: "beach.jpg-LAPTOP.aae")
    let fixed = try await fix().flatMap(\.fixed)
    #expect(Set(fixed.map(\.code)) == ["conflict-copy"])
  }

  @Test func theSameCopyHasNothingNewAfterItWasMerged() async throws {
    let photo = try await conflict()
    let delivered = try #require(folder.bytes(copy))
    _ = try await editor.mergeConflictingEdits(of: photo)
    let kept = try await editor.versions(of: photo)
    #expect(kept.map { $0.earlierEdits.map { filters($0) } } == [[["chrome"]]])
    folder.put(delivered, as: copy)
    #expect(try await editor.conflictingEdits(of: photo).map(\.isContained) == [true])
    #expect(try await editor.mergeConflictingEdits(of: photo).versions.isEmpty)
    #expect(try await editor.versions(of: photo) == kept)
  }

  @Test func anotherMachinesUndoneEditIsNoVersion() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    let common = [record, render].compactMap(folder.bytes)
    _ = try await editor.undo(photo)
    folder.put(try #require(folder.bytes(record)), as: copy)
    folder.put(common[0], as: record)
    folder.put(common[1], as: render)
    await #expect(
      throws: EditError.nothingToCopy(path: path(copy), reason: .noEdit)
    ) {
      try await editor.saveVersion(named: "laptop", of: photo, from: path(copy))
    }
    #expect(try await editor.mergeConflictingEdits(of: photo).versions.isEmpty)
  }

  @Test(arguments: [" for print", " copy", "-LAPTOP"])
  func peoplesCopiesOfARenderStay(word: String) async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    let picture = FilePath("beach_edited\(word).jpg")
    folder.put(try #require(folder.bytes(render)), as: picture)
    let note = PhotoProblem(.renderCopy(of: photo.path), path(picture))
    #expect(try await fix().flatMap { $0.problems + $0.notes } == [note])
    #expect(folder.bytes(picture) != nil)
  }

  @Test func aRetouchedCopyIsNoOtherMachinesRender() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    let picture: FilePath = "beach_edited (1).jpg"
    folder.put(try #require(folder.bytes(render)) + [0], as: picture)
    #expect(try await fix().flatMap(\.problems).map(\.code) == ["orphan-render"])
    folder.put(try #require(folder.bytes(render)), as: picture)
    #expect(try await fix().flatMap(\.fixed).map(\.code) == ["conflict-copy"])
  }
}
