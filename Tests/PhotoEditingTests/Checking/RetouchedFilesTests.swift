import Glibc
import PhotoEditing
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Renders that somebody retouched, kept from before or gave another name, beside their photo.
@Suite struct RetouchedFilesTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()
  private let render: FilePath = "beach_edited.jpg"
  private let record: FilePath = "beach.jpg.aae"

  private func path(_ name: FilePath) -> FilePath { folder.path.appending(name) }

  private func edited(_ name: FilePath = "beach.jpg") async throws -> Photo {
    let photo = try folder.add("orientation/1.jpg", as: name)
    _ = try await editor.apply(.named("noir"), to: photo)
    return photo
  }

  /// Renames all files whose names begin so.
  private func rename(all stem: String, to other: String) {
    for name in folder.names where name.string.hasPrefix(stem) {
      Glibc.rename(
        path(name).string, path(FilePath(other + name.string.dropFirst(stem.count))).string)
    }
  }

  private func retouch(_ name: FilePath) throws {
    folder.put(try #require(folder.bytes(name)) + [0], as: name)
  }

  private func problems() async throws -> [PhotoProblem] {
    try await editor.checks(of: folder.path).flatMap { $0.problems + $0.notes }
  }

  // MARK: Renamed with their photo

  @Test(arguments: ["_edited.jpg", "_edited-warm.jpg"])
  func aRetouchedFileThatWasRenamedWithItsPhotoIsThePhotosChangedRender(
    suffix: String
  ) async throws {
    _ = try await editor.saveVersion(named: "warm", of: edited())
    try retouch(FilePath("beach" + suffix))
    rename(all: "beach", to: "shore")
    let photo = Photo(path: path("shore.jpg"))
    let before = try folder.traces
    let changed = PhotoProblem(.renderChanged, path(FilePath("shore" + suffix)))
    #expect(try await problems() == [changed])
    #expect(try await editor.state(of: photo).warnings == [changed.description])
    #expect(try PhotoEditing.PhotoFolder(folder.path).photos == [photo.path])
    if suffix == "_edited.jpg" {
      await #expect(throws: EditError.self) { try await editor.renderAgain(photo) }
      await #expect(throws: EditError.self) { try await editor.undo(photo) }
    } else {
      #expect(try await editor.renderAgain(photo).status == .unchanged)
    }
    try #expect(folder.traces == before)
    // Relinking writes the new names and leaves the retouch.
    let relinked = try await editor.relinkings([folder.path]).map { try $0.get() }
    #expect(relinked.map(\.result.status) == [.relinked] && relinked[0].result.warnings.isEmpty)
    #expect(folder.names == before.keys.sorted(by: <))
    #expect(try await problems() == [changed])
    #expect(try folder.text("shore.jpg.aae").contains("shore\(suffix)"))
    #expect(try await editor.relinkings([folder.path]).isEmpty)
  }

  @Test func aRetouchedRenderIsFoundWhenTheSidecarStayedBehind() async throws {
    _ = try await edited()
    try retouch(render)
    rename(all: "beach", to: "shore")
    Glibc.rename(path("shore.jpg.aae").string, path(record).string)
    let relinked = try await editor.relinkings([folder.path]).map { try $0.get() }
    #expect(relinked.map(\.photo) == [path("shore.jpg")])
    #expect(try await problems() == [PhotoProblem(.renderChanged, path("shore_edited.jpg"))])
  }

  @Test func whatIsMissingIsToldByTheNameThatItWouldHaveNow() async throws {
    _ = try await editor.saveVersion(named: "warm", of: edited())
    rename(all: "beach", to: "shore")
    folder.remove("shore_edited.jpg")
    folder.remove("shore_edited-warm.jpg")
    #expect(
      try await problems() == [
        PhotoProblem(.renderMissing, path("shore_edited.jpg")),
        PhotoProblem(.versionMissing("warm"), path("shore_edited-warm.jpg")),
      ])
    let warnings = try await editor.state(of: Photo(path: path("shore.jpg"))).warnings
    #expect(warnings.count == 2 && warnings.allSatisfy { $0.contains("shore_edited") })
  }

  // MARK: Beside a photo that was undone

  /// A photo whose edit was undone, with the render that it had.
  private func undone() async throws -> Photo {
    let photo = try await edited()
    let kept = try #require(folder.bytes(render))
    _ = try await editor.undo(photo)
    #expect(folder.bytes(render) == nil)
    folder.put(kept, as: render)
    return photo
  }

  @Test func theRenderOfAnUndoneEditGoesToTheTrash() async throws {
    let photo = try await undone()
    let problem = PhotoProblem(.earlierRender(of: photo.path), path(render))
    #expect(try await problems() == [problem])
    #expect(try await editor.state(of: photo).warnings == [problem.description])
    let fixed = try await editor.checks(of: folder.path, fixing: true)
    #expect(fixed.flatMap(\.fixed) == [problem])
    #expect(folder.names == [FolderTrash.name, "beach.jpg", record])
    #expect(path(FolderTrash.name).appending("beach.jpg").appending(render).contents != nil)
  }

  @Test(arguments: ["redo", "apply", "revert", "undo"])
  func theNextChangeTakesThePlaceOfTheRenderOfAnUndoneEdit(change: String) async throws {
    let photo = try await undone()
    switch change {
    case "redo": _ = try await editor.redo(photo)
    case "apply": _ = try await editor.apply(.named("fade"), to: photo)
    case "revert": _ = try await editor.revertAssetContentToOriginal(photo)
    default:
      _ = try await editor.redo(photo)
      _ = try await editor.undo(photo)
    }
    switch change {
    case "revert": #expect(folder.names == ["beach.jpg"])
    case "undo": #expect(folder.names == ["beach.jpg", record])
    default: #expect(folder.names == ["beach.jpg", record, render])
    }
    #expect(try await problems().isEmpty)
  }

  @Test func aRetouchedRenderOfAnUndoneEditStays() async throws {
    let photo = try await undone()
    try retouch(render)
    let retouched = folder.bytes(render)
    _ = try await editor.checks(of: folder.path, fixing: true)
    _ = try await editor.redo(photo)
    _ = try await editor.revertAssetContentToOriginal(photo)
    #expect(folder.names == ["beach.jpg", render] && folder.bytes(render) == retouched)
  }

  @Test func aRenderOfAnUnknownEditBesideAnUndonePhotoIsKeptInTheTrash() async throws {
    let photo = try await undone()
    let undone = try #require(folder.bytes(record))
    _ = try await editor.apply(.named("fade"), to: photo)
    folder.put(undone, as: record)
    #expect(try await problems() == [PhotoProblem(.notSynced(isNewer: true), path(render))])
    let result = try await editor.redo(photo)
    #expect(result.warnings.count == 1)
    #expect(folder.names == [FolderTrash.name, "beach.jpg", record, render])
    #expect(try await problems().isEmpty)
  }

  @Test func aRenderThatARenamedPhotoLeftBehindCanBePutAway() async throws {
    _ = try await edited()
    rename(all: "beach.jpg", to: "shore.jpg")
    let photo = Photo(path: path("shore.jpg"))
    #expect(try await problems().isEmpty)
    _ = try await editor.apply(.named("fade"), to: photo)
    #expect(try await problems() == [PhotoProblem(.earlierRender(of: photo.path), path(render))])
    // Another photo of that name may have made it.
    try folder.add("orientation/1.jpg", as: "beach.jpg")
    #expect(try await problems() == [PhotoProblem(.renderCopy(of: photo.path), path(render))])
  }

  // MARK: Photos with one stem

  @Test func aRenderThatATwinTookOverStaysTheTwins() async throws {
    let photo = try await edited()
    let old = try #require(folder.bytes(record))
    _ = try await editor.undo(photo)
    let twin = try folder.add("rgb.tif", as: "beach.tif")
    _ = try await editor.apply(.named("fade"), to: twin)
    let theirs = folder.bytes(render)
    #expect(theirs != nil)
    // The photo's record from before comes by a sync, and names the same file.
    folder.put(old, as: record)
    #expect(try await problems() == [PhotoProblem(.renderOfTwin("beach.tif"), path(render))])
    #expect(try await editor.renderAgain(photo).rendered == path("beach.jpg_edited.jpg"))
    #expect(try await problems().isEmpty)
    folder.put(old, as: record)
    _ = try await editor.revertAssetContentToOriginal(photo)
    #expect(folder.bytes(render) == theirs)
    #expect(try await editor.verify(twin).isSound)
  }

  @Test func aPhotoCopiedWithItsSidecarDoesNotTakeTheRenderOfTheFirst() async throws {
    let photo = try await edited()
    let theirs = folder.bytes(render)
    let copy = try folder.add("orientation/1.jpg", as: "beach.jpeg")
    folder.put(try #require(folder.bytes(record)), as: "beach.jpeg.aae")
    _ = try await editor.undo(copy)
    #expect(try await problems().isEmpty)
    #expect(try await editor.redo(copy).rendered == path("beach.jpeg_edited.jpg"))
    _ = try await editor.undo(copy)
    _ = try await editor.revertAssetContentToOriginal(copy)
    #expect(folder.bytes(render) == theirs)
    #expect(try await editor.verify(photo).isSound)
  }
}
