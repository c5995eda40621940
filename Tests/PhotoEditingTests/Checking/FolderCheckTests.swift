import Glibc
import PhotoEditing
import Synchronization
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct FolderCheckTests {
  private let folder = PhotoFolder()

  private func path(_ name: FilePath) -> FilePath { folder.path.appending(name) }

  /// Steps taken on the disk, counted by kind.
  private final class Steps: Sendable {
    private let counts = Mutex<[FileSystem.Operation.Kind: Int]>([:])

    var fileSystem: FileSystem {
      FileSystem { [self] step in
        counts.withLock { $0[step.kind, default: 0] += 1 }
        return nil
      }
    }

    subscript(kind: FileSystem.Operation.Kind) -> Int { counts.withLock { $0[kind] ?? 0 } }
  }

  @Test func photosWithoutARecordCostNothingButTheirNames() async throws {
    for number in 0..<2000 { folder.put([1], as: FilePath("photo-\(number).jpg")) }
    let steps = Steps()
    let checks = try await PhotoEditor.test(through: steps.fileSystem).checks(of: folder.path)
    #expect(checks.isEmpty)
    #expect(steps[.open] == 0)
    #expect(steps[.read] == 0)
    // The rules of the folder and of the folders above it.
    #expect(steps[.status] <= 50)
    #expect(steps[.list] <= 4)
  }

  @Test func eachFileOfAnEditIsReadAFewTimesHoweverManyPhotosThereAre() async throws {
    let edited = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await PhotoEditor.test().apply(.named("noir"), to: edited)
    for number in 0..<2000 { folder.put([1], as: FilePath("photo-\(number).jpg")) }
    let steps = Steps()
    let checks = try await PhotoEditor.test(through: steps.fileSystem).checks(of: folder.path)
    #expect(checks.map(\.path) == [edited.path])
    // Original, sidecar and render, once more the render for its metadata; then the render's header and
    // the sidecar that names it.
    #expect(steps[.open] <= 6)
  }

  @Test func photosComeInTheOrderOfTheirNamesAndOrphansAfterwards() async throws {
    let editor = PhotoEditor.test()
    for name in ["c.jpg", "a.jpg", "b.jpg"] as [FilePath] {
      _ = try await editor.apply(.named("noir"), to: folder.add("orientation/1.jpg", as: name))
    }
    folder.remove("b.jpg.aae")
    let checks = try await editor.checks(of: folder.path)
    #expect(checks.map(\.path) == [path("a.jpg"), path("c.jpg"), path("b_edited.jpg")])
    #expect(checks.map(\.isSound) == [true, true, false])
  }

  @Test func aRenderOfARenamedPhotoIsFoundInItsRecord() async throws {
    let editor = PhotoEditor.test()
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    // The picture says that it was made from beach.jpg, which has no record any more.
    rename(photo.path.string, path("shore.jpg").string)
    rename(path("beach.jpg.aae").string, path("shore.jpg.aae").string)
    let checks = try await editor.checks(of: folder.path)
    #expect(checks.map(\.path) == [path("shore.jpg")])
    #expect(checks.allSatisfy { $0.isSound })
  }

  @Test func anUnreadableRecordMakesNoOrphanOfItsRender() async throws {
    let editor = PhotoEditor.test()
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    folder.put([], as: "beach.jpg.aae")
    try await #expect(
      editor.checks(of: folder.path).flatMap(\.problems).map(\.code) == ["record-unreadable"])
  }

  @Test(arguments: ["IMG_1234.aae", "IMG_1234.jpg.aae"])
  func anotherProgramsSidecarNeedsNoPhotoOfItsName(name: FilePath) async throws {
    folder.put(try Fixtures.bytes("bad/apple.aae"), as: name)
    let checks = try await PhotoEditor.test().checks(of: folder.path)
    #expect(checks.flatMap(\.notes).map(\.kind) == [.foreignSidecar])
    #expect(checks.allSatisfy { $0.isSound })
  }

  @Test func foldersInsideAreCheckedOnRequest() async throws {
    let editor = PhotoEditor.test()
    let inner = PhotoFolder()
    let photo = try inner.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await editor.apply(.named("noir"), to: photo)
    let (moved, hidden) = (path("inner"), path(".hidden"))
    mkdir(hidden.string, 0o755)
    defer {
      rename(moved.string, inner.path.string)
      rmdir(hidden.string)
    }
    rename(inner.path.string, moved.string)
    try await #expect(editor.checks(of: folder.path) == [])
    let checks = try await editor.checks(of: folder.path, recursively: true)
    #expect(checks.map(\.path) == [moved.appending("beach.jpg")])
  }

  @Test func whatTheDiskRefusesIsReportedForThatPhotoAndTheOthersAreChecked() async throws {
    for name in ["a.jpg", "b.jpg"] as [FilePath] {
      let photo = try folder.add("orientation/1.jpg", as: name)
      _ = try await PhotoEditor.test().apply(.named("noir"), to: photo)
    }
    let fileSystem = FileSystem { step in
      step.kind == .read && step.path.lastComponent == "a.jpg" ? .failure(EIO) : nil
    }
    let checks = try await PhotoEditor.test(through: fileSystem).checks(of: folder.path)
    #expect(checks.map(\.path) == [path("a.jpg"), path("b.jpg")])
    #expect(checks.map { $0.problems.map(\.code) } == [["original-unreadable"], []])
  }

  @Test func aFolderThatCannotBeListedIsAnError() async throws {
    let fileSystem = FileSystem { $0.kind == .list ? .failure(EACCES) : nil }
    let error = await #expect(throws: EditError.self) {
      _ = try await PhotoEditor.test(through: fileSystem).checks(of: folder.path)
    }
    #expect(error?.code == "file-system")
  }

  @Test func aCancelledTaskEndsTheCheck() async throws {
    _ = try await PhotoEditor.test().apply(
      .named("noir"), to: folder.add("orientation/1.jpg", as: "beach.jpg"))
    let path = folder.path
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await PhotoEditor.test().checks(of: path)
    }
    await #expect(throws: EditError.cancelled(path: path)) { try await task.value }
  }

  @Test func hiddenFilesOfAPhotoThatIsNowhereGoToTheTrash() async throws {
    try folder.add("orientation/1.jpg", as: "beach.jpg")
    let key = try #require(HiddenFile.key(of: "sea.jpg")).string
    folder.put([], as: FilePath(key + ".claim"))
    folder.put([1], as: FilePath(key + ".render-0123456789abcdef"))
    let revert = PendingRevert(record: SHA256.digest(of: [1]), files: [], restores: nil)
    folder.put(revert.encoded(), as: FilePath(key + ".pending"))
    let found = try await PhotoEditor.test().checks(of: folder.path)
    #expect(
      found.flatMap(\.problems).map(\.kind)
        == Array(repeating: .leftover(canBeRemoved: true), count: 3))
    let fixed = try await PhotoEditor.test().checks(of: folder.path, fixing: true)
    #expect(fixed.count == 3 && fixed.allSatisfy { $0.isSound && $0.fixed.count == 1 })
    #expect(folder.names == [FolderTrash.name, "beach.jpg"])
    #expect(try FileSystem.real.names(in: path(FolderTrash.name).appending("leftovers")).count == 2)
  }

  @Test func aChangeOfAPhotoThatIsNowhereStays() async throws {
    let photo = try folder.add("orientation/1.jpg", as: "beach.jpg")
    _ = try await PhotoEditor.test().apply(.named("noir"), to: photo)
    // Its record is about another name than the hidden one.
    let pending = FilePath(try #require(HiddenFile.key(of: "sea.jpg")).string + ".pending")
    folder.put(try #require(folder.bytes("beach.jpg.aae")), as: pending)
    let names = folder.names
    let checks = try await PhotoEditor.test().checks(of: folder.path, fixing: true)
    #expect(checks.flatMap(\.problems).map(\.kind) == [.interrupted(canBeFinished: false)])
    #expect(folder.names == names)
  }
}
