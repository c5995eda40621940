import Foundation
import Glibc
import PhotoEditing
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct RelinkTests {
  private let folder = PhotoFolder()
  private let archive = PhotoFolder()
  private let editor = PhotoEditor.test()

  private func path(_ name: FilePath) -> FilePath { folder.path.appending(name) }

  /// An edited photo that somebody renamed or moved, its edit left behind.
  private func moved(_ name: FilePath = "beach.jpg", to path: FilePath) async throws {
    let photo = try folder.add("orientation/1.jpg", as: name)
    _ = try await editor.apply(.named("noir"), to: photo)
    _ = photo.path.withCString { from in path.withCString { rename(from, $0) } }
  }

  private func errors(
    _ results: [Result<Relinking, RelinkError>]
  ) -> [RelinkError] {
    results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
  }

  @Test func aRenamedPhotoGetsItsEditBack() async throws {
    try await moved(to: path("shore.jpg"))
    let relinking = try #require(try await editor.relinkings([folder.path]).first).get()
    #expect(relinking.result.status == .relinked)
    #expect(relinking.former == path("beach.jpg"))
    #expect(relinking.photo == path("shore.jpg"))
    #expect(relinking.result.record == path("shore.jpg.aae"))
    #expect(relinking.result.rendered == path("shore_edited.jpg"))
    #expect(relinking.result.warnings.isEmpty)
    #expect(folder.names == ["shore.jpg", "shore.jpg.aae", "shore_edited.jpg"])
    let shore = Photo(path: path("shore.jpg"))
    try await #expect(editor.verify(shore).isSound)
    try await #expect(editor.apply(.named("noir"), to: shore).status == .unchanged)
    try await #expect(editor.relinkings([folder.path]).isEmpty)
  }

  @Test func aMovedPhotoIsFoundElsewhereByItsContent() async throws {
    try await moved(to: archive.path.appending("0001.jpg"))
    // Of the same length and other content, so only hashing tells.
    var other = try Fixtures.bytes("orientation/1.jpg")
    other[other.count - 3] ^= 1
    archive.put(other, as: "0000.jpg")
    try await #expect(
      errors(editor.relinkings([folder.path]))
        == [.originalNotFound(record: path("beach.jpg.aae"))])
    _ = try #require(
      try await editor.relinkings([folder.path], lookingIn: [archive.path]).first
    ).get()
    #expect(folder.names == [])
    #expect(archive.names == ["0000.jpg", "0001.jpg", "0001.jpg.aae", "0001_edited.jpg"])
  }

  @Test func eachFileOfAFittingSizeIsReadOnceAndNoOther() async throws {
    try await moved(to: path("shore.jpg"))
    try await moved("second.jpg", to: archive.path.appending("second.jpg"))
    folder.put([1, 2, 3], as: "small.jpg")
    let opened = Reports<FilePath>()
    let fileSystem = FileSystem { step in
      if step.kind == .open { opened.add(step.path) }
      return nil
    }
    _ = try await PhotoEditor.test(through: fileSystem)
      .relinkings([folder.path], lookingIn: [folder.path, folder.path], dryRun: true)
    let names = opened.all.compactMap(\.lastComponent)
    #expect(!names.contains("small.jpg"))
    // Once to hash it, and once or twice to look at the files around it.
    #expect(names.count { $0 == "shore.jpg" } <= 3)
  }

  @Test(arguments: ["beach.jpg", "link.jpg", "twin.jpg", "beach.jpg.aae"])
  func aPhotoIsNotMovedFromItself(name: FilePath) async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    #expect(symlink("beach.jpg", path("link.jpg").string) == 0)
    #expect(link(path("beach.jpg").string, path("twin.jpg").string) == 0)
    // It would wait for itself until it is busy.
    let result = try await editor.perform(.relink(from: path(name)), on: photo)
    #expect(result.status == .unchanged)
  }

  @Test func twoPhotosThatGiveEachOtherTheirEditsDoNotWaitForEachOther() async throws {
    for name in ["a.jpg", "b.jpg"] as [FilePath] {
      _ = try await editor.apply(.named("noir"), to: folder.add("orientation/1.jpg", as: name))
    }
    await withTaskGroup { group in
      for index in 0..<20 {
        group.addTask { [folder] in
          let names: [FilePath] = index % 2 == 0 ? ["a.jpg", "b.jpg"] : ["b.jpg", "a.jpg"]
          let paths = names.map(folder.path.appending)
          let result = try? await PhotoEditor.test().perform(
            .relink(from: paths[1]), on: Photo(path: paths[0]))
          // Otherwise they were busy.
          #expect(result?.status == .unchanged)
        }
      }
    }
  }

  @Test(arguments: ["beach.jpg", "beach.jpg.aae"])
  func aSingleRecordIsNamedByItselfOrByItsPhoto(name: FilePath) async throws {
    try await moved(to: path("shore.jpg"))
    try await #expect(editor.relinkings([path(name)]).count == 1)
    #expect(folder.names == ["shore.jpg", "shore.jpg.aae", "shore_edited.jpg"])
  }

  @Test func whatIsNotThereIsAnError() async throws {
    await #expect(throws: EditError.storage(.originalMissing(path("none.jpg")))) {
      _ = try await editor.relinkings([path("none.jpg")])
    }
  }

  @Test func anUnreadableRecordIsReportedAndTheOthersAreRelinked() async throws {
    try await moved(to: path("shore.jpg"))
    folder.put([], as: "gone.jpg.aae")
    let results = try await editor.relinkings([folder.path])
    #expect(results.count == 2)
    #expect(errors(results).map(\.code) == ["record-unreadable"])
    #expect(folder.names.contains("shore.jpg.aae"))
  }

  @Test func aPhotoOfAnyNameIsFound() async throws {
    let name = FilePath(bytes: [0x66, 0xFC, 0xFF, 0x2E, 0x6A, 0x70, 0x67])
    try await moved(to: path(name))
    let relinking = try #require(try await editor.relinkings([folder.path]).first).get()
    #expect(relinking.photo == path(name))
    try await #expect(editor.verify(Photo(path: path(name))).isSound)
  }

  @Test func aDryRunPromisesAPhotoToOneEditOnly() async throws {
    try await moved(to: path("a"))
    let other = try folder.add("orientation/1.jpg", as: "lake.jpg")
    _ = try await editor.apply(.named("sepia"), to: other)
    folder.remove("lake.jpg")
    func results(dryRun: Bool) async throws -> [String] {
      try await editor.relinkings([folder.path], dryRun: dryRun).map { result in
        switch result {
        case .success(let relinking): relinking.photo?.lastComponent?.string ?? ""
        case .failure(let error): error.code
        }
      }
    }
    let promised = try await results(dryRun: true)
    #expect(promised == ["a", "target-has-an-edit"])
    try await #expect(results(dryRun: false) == promised)
  }

  @Test func aBaseThatWasRenamedWithItsPhotoIsStillTheBase() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    try await ThirdParty.a.edit(photo, "theirs", render: ThirdParty.i2)
    try await editor.apply(.named("noir"), to: photo)
    for name in folder.names {
      rename(path(name).string, path(FilePath("shore" + name.string.dropFirst(5))).string)
    }
    let names: [FilePath] = ["shore.jpg", "shore.jpg.aae", "shore_base.jpg", "shore_edited.jpg"]
    let shore = Photo(path: path("shore.jpg"))
    try await #expect(editor.checks(of: folder.path).map(\.isSound) == [true])
    try await #expect(editor.state(of: shore).warnings == [])
    try await editor.apply(.named("sepia"), to: shore)
    try await editor.undo(shore)
    try await editor.redo(shore)
    try await #expect(editor.renderAgain(shore).status == .unchanged)
    try await #expect(editor.checks(of: folder.path).map(\.isSound) == [true])
    #expect(folder.names == names)
    try await #expect(editor.relinkings([folder.path]).isEmpty)
    let result = try await editor.revertAssetContentToOriginal(shore)
    #expect(result.warnings == [])
    #expect(folder.names == ["shore.jpg"])
  }

  // MARK: - Names that other photos have now

  private func exchange(_ one: FilePath, _ other: FilePath) {
    rename(path(one).string, path("x").string)
    rename(path(other).string, path(one).string)
    rename(path("x").string, path(other).string)
  }

  private func filter(of name: FilePath) async throws -> String? {
    try await editor.state(of: Photo(path: path(name))).edit?.stack?.filters.first?.name
  }

  @Test func anEditFollowsItsPhotoWhenAnotherTookTheName() async throws {
    try await moved(to: path("shore.jpg"))
    let other = try folder.add("orientation/6.jpg", as: "beach.jpg")
    let before = try folder.traces
    let promised = try await editor.relinkings([folder.path], dryRun: true)
    try #expect(folder.traces == before)
    let relinkings = try await editor.relinkings([folder.path])
    #expect(relinkings == promised)
    #expect(try relinkings.first?.get().photo == path("shore.jpg"))
    #expect(folder.names == ["beach.jpg", "shore.jpg", "shore.jpg.aae", "shore_edited.jpg"])
    try await #expect(editor.state(of: other).edit == nil)
    try await #expect(editor.verify(Photo(path: path("shore.jpg"))).isSound)
  }

  @Test func photosThatExchangedTheirNamesGetTheirEditsBack() async throws {
    let photos: [(FilePath, String, String)] = [
      ("a.jpg", "orientation/1.jpg", "noir"), ("b.jpg", "orientation/6.jpg", "sepia"),
    ]
    for (name, fixture, filter) in photos {
      try await editor.apply(.named(filter), to: folder.add(fixture, as: name))
    }
    try await editor.saveVersion(named: "kept", of: Photo(path: path("a.jpg")))
    exchange("a.jpg", "b.jpg")
    let before = try folder.traces
    let promised = try await editor.relinkings([folder.path], dryRun: true)
    try #expect(folder.traces == before)
    let relinkings = try await editor.relinkings([folder.path])
    #expect(relinkings == promised)
    #expect(try relinkings.map { try $0.get().photo } == [path("b.jpg"), path("a.jpg")])
    try await #expect(filter(of: "a.jpg") == "sepia")
    try await #expect(filter(of: "b.jpg") == "noir")
    try await #expect(editor.checks(of: folder.path).allSatisfy(\.isSound))
    #expect(
      folder.names == [
        "a.jpg", "a.jpg.aae", "a_edited.jpg", "b.jpg", "b.jpg.aae", "b_edited-kept.jpg",
        "b_edited.jpg",
      ])
  }

  @Test func photosRenamedInAChainGetTheirEditsBack() async throws {
    try await editor.apply(.named("noir"), to: folder.add("orientation/1.jpg", as: "a.jpg"))
    try await editor.apply(.named("sepia"), to: folder.add("orientation/6.jpg", as: "b.jpg"))
    rename(path("b.jpg").string, path("c.jpg").string)
    rename(path("a.jpg").string, path("b.jpg").string)
    let relinkings = try await editor.relinkings([folder.path])
    #expect(try relinkings.map { try $0.get().photo } == [path("b.jpg"), path("c.jpg")])
    try await #expect(filter(of: "b.jpg") == "noir")
    try await #expect(filter(of: "c.jpg") == "sepia")
    try await #expect(editor.checks(of: folder.path).allSatisfy(\.isSound))
  }

  @Test func exchangedPhotosStayWhenOneEditCannotMove() async throws {
    try await editor.apply(.named("noir"), to: folder.add("orientation/1.jpg", as: "a.jpg"))
    try await editor.apply(.named("sepia"), to: folder.add("orientation/6.jpg", as: "b.jpg"))
    exchange("a.jpg", "b.jpg")
    folder.put(try Fixtures.bytes("orientation/2.jpg"), as: "b_edited.jpg")
    let before = try folder.traces
    #expect(errors(try await editor.relinkings([folder.path])).count == 2)
    try #expect(folder.traces == before)
  }

  @Test func aPictureThatReplacedItsOriginalForGoodIsSaid() async throws {
    try await moved(to: archive.path.appending("0001.jpg"))
    let photo = try folder.add("orientation/6.jpg", as: "beach.jpg")
    try await #expect(
      errors(editor.relinkings([folder.path])) == [.failed(.storage(.originalChanged(photo.path)))])
    try await #expect(editor.acceptOriginal(of: photo).status == .relinked)
    try await #expect(editor.verify(photo).isSound)
  }

  @Test func anEditIsNotGivenToAnotherPictureWhileItsOwnIsThere() async throws {
    try await moved(to: archive.path.appending("0001.jpg"))
    let photo = try folder.add("orientation/6.jpg", as: "beach.jpg")
    let before = try folder.traces
    await #expect(
      throws: EditError.originalElsewhere(photo.path, found: archive.path.appending("0001.jpg"))
    ) {
      _ = try await editor.acceptOriginal(of: photo, lookingIn: [archive.path])
    }
    try #expect(folder.traces == before)
    try await #expect(
      editor.acceptOriginal(of: photo, lookingIn: [archive.path], takingFromOriginal: true).status
        == .relinked)
  }

  @Test func aRenderThatWasRenamedIsNoOrphan() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    try await editor.apply(.named("noir"), to: photo)
    rename(path("beach_edited.jpg").string, path("lake_edited.jpg").string)
    let checks = try await editor.checks(of: folder.path)
    #expect(checks.map(\.isSound) == [false, true])
    #expect(checks[1].notes == [PhotoProblem(.renderCopy(of: photo.path), path("lake_edited.jpg"))])
    let single = try await editor.verify(Photo(path: path("lake_edited.jpg")))
    #expect(single.notes == checks[1].notes)
  }

  @Test func aFolderThatMayNotBeListedKeepsNobodyElseFromMoving() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await PhotoEditor.test().apply(.named("noir"), to: photo)
    rename(photo.path.string, folder.path.appending("shore.jpg").string)
    let closed = folder.path.appending("private")
    mkdir(closed.string, 0o755)
    defer { rmdir(closed.string) }
    let fileSystem = FileSystem { step in
      step.path.removingLastComponent() == closed || step.kind == .list && step.path == closed
        ? .failure(EACCES) : nil
    }
    let results = try await PhotoEditor.test(through: fileSystem)
      .relinkings([folder.path], recursively: true, lookingIn: [folder.path])
    #expect(results.count == 2)
    #expect(try results.first?.get().photo == folder.path.appending("shore.jpg"))
    guard case .failure(.failed)? = results.last else {
      Issue.record("\(results)")
      return
    }
  }
}
