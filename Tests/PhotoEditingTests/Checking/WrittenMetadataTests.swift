import Foundation
import PhotoEditing
import SafelightTestSupport
import Synchronization
import Testing

@testable import SafelightFiles
@testable import SafelightMetadata
@testable import SafelightStorage

/// Ratings, keywords and places that exiftool writes into originals that have an edit.
@Suite(.enabled(if: ExifTool.isInstalled, "needs exiftool"))
struct WrittenMetadataTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  /// One of each kind of file, and all when tests are long.
  private static let fixtures =
    ["progressive.jpg", "sixteen-bit.png", "rgb.tif", "lossy.webp", "photo.heic"]
    + (Rounds.areLong ? ["beach.jpg", "exif-gps-makernote.jpg", "photo.avif"] : [])

  @discardableResult
  private func exiftool(_ arguments: String..., on name: FilePath) throws -> String {
    let process = try FinishedProcess(
      ["exiftool", "-q", "-q"] + arguments + [folder.path.appending(name).string])
    #expect(process.status == 0)
    return process.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func edited(_ fixture: String) async throws -> (photo: Photo, name: FilePath) {
    let photo = try folder.add(fixture)
    let name = try #require(photo.path.lastComponent)
    try await editor.apply(.named("noir"), to: photo)
    return (photo, name)
  }

  private func write(into name: FilePath) throws {
    try exiftool(
      "-overwrite_original", "-Rating=5", "-XMP:Title=hello there", "-GPSLatitude=12",
      "-GPSLatitudeRef=N", on: name)
  }

  private func coded(_ name: FilePath) throws -> Data {
    let bytes = Data(try #require(folder.bytes(name)))
    return bytes[try #require(CodedPicture(jpeg: PhotoBytes(bytes))).range]
  }

  @Test(arguments: fixtures)
  func theEditGoesOnAndTheRenderGetsThem(fixture: String) async throws {
    let (photo, name) = try await edited(fixture)
    let render = try #require(folder.names.first { $0.string.hasSuffix("_edited.jpg") })
    let (picture, recorded) = (try coded(render), try Sidecar(folder, name.suffixed(".aae")).text)
    try write(into: name)
    let original = folder.bytes(name)

    let check = try await editor.verify(photo)
    #expect(check.isSound)
    #expect(check.notes == [PhotoProblem(.metadataWritten, photo.path)])
    try await #expect(editor.state(of: photo).warnings.contains { $0.contains("metadata") })

    try await #expect(editor.renderAgain(photo).status == .rendered)
    try #expect(coded(render) == picture)
    try #expect(exiftool("-s3", "-Rating", "-Title", on: render) == "5\nhello there")
    try #expect(Sidecar(folder, name.suffixed(".aae")).text == recorded)
    try await #expect(editor.verify(photo).notes.isEmpty)
    try await #expect(editor.renderAgain(photo).status == .unchanged)

    try exiftool("-overwrite_original", "-Rating=2", on: name)
    try await #expect(editor.apply(.named("noir"), to: photo).status == .edited)
    try #expect(coded(render) == picture)
    try #expect(exiftool("-s3", "-Rating", on: render) == "2")
    try exiftool("-overwrite_original", "-Rating=1", on: name)
    try await #expect(editor.undo(photo).status == .edited)
    try await #expect(editor.redo(photo).status == .edited)
    try #expect(exiftool("-s3", "-Rating", on: render) == "1")
    #expect(folder.bytes(name) != original)
  }

  @Test func whereNothingWasRenderedThereIsNothingToSay() async throws {
    let (photo, name) = try await edited("beach.jpg")
    try await editor.undo(photo)
    try write(into: name)
    let check = try await editor.verify(photo)
    #expect(check.isSound && check.notes.isEmpty)
    try await #expect(!editor.state(of: photo).warnings.contains { $0.contains("metadata") })
  }

  @Test func aPhotoThatWasMovedAndRatedIsFoundByItsRecord() async throws {
    let (photo, name) = try await edited("beach.jpg")
    try write(into: name)
    try FileManager.default.moveItem(
      atPath: photo.path.string, toPath: folder.path.appending("shore.jpg").string)
    try FileManager.default.moveItem(
      atPath: folder.path.appending(name.suffixed(".aae")).string,
      toPath: folder.path.appending("shore.jpg.aae").string)
    try await editor.relink([folder.path.appending("shore.jpg.aae")]) { _, result in
      #expect((try? result.get())?.result.status == .relinked)
    }
    #expect(folder.names == ["shore.jpg", "shore.jpg.aae", "shore_edited.jpg"])
  }

  @Test func aPhotoThatWasMovedAwayAndRatedIsFoundByItsPicture() async throws {
    let (photo, name) = try await edited("beach.jpg")
    try write(into: name)
    let archive = folder.path.appending("archive")
    try FileManager.default.createDirectory(
      atPath: archive.string, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: archive.string) }
    for moved: FilePath in ["beach.jpg", "shore.jpg"] {
      try FileManager.default.moveItem(
        atPath: photo.path.string, toPath: archive.appending(moved).string)
      let found = Found()
      try await editor.relink([folder.path], lookingIn: [archive], dryRun: true) { _, result in
        found.photos.withLock { $0.append((try? result.get())?.photo) }
      }
      #expect(found.photos.withLock { $0 } == [archive.appending(moved)])
      try FileManager.default.moveItem(
        atPath: archive.appending(moved).string, toPath: photo.path.string)
    }
  }

  private final class Found: Sendable {
    let photos = Mutex<[FilePath?]>([])
  }

  @Test func versionsGetThePresentMetadataToo() async throws {
    let (photo, name) = try await edited("exif-gps-makernote.jpg")
    try await editor.saveVersion(named: "dark", of: photo)
    try await editor.apply(.named("sepia"), to: photo)
    try await editor.saveVersion(named: "brown", of: photo)
    let (dark, brown): (FilePath, FilePath) = (
      "exif-gps-makernote_edited-dark.jpg", "exif-gps-makernote_edited-brown.jpg"
    )
    let picture = try coded(dark)
    #expect(try !exiftool("-s3", "-GPSLatitude", on: dark).isEmpty)
    try exiftool("-overwrite_original", "-gps:all=", on: name)

    try await #expect(editor.useVersion(named: "dark", of: photo).status == .edited)
    let render: FilePath = "exif-gps-makernote_edited.jpg"
    #expect(try exiftool("-s3", "-GPSLatitude", on: render).isEmpty)
    let check = try await editor.verify(photo)
    #expect(check.isSound)
    #expect(
      check.notes == [
        PhotoProblem(.metadataOutdated, folder.path.appending(dark)),
        PhotoProblem(.metadataOutdated, folder.path.appending(brown)),
      ])

    try await #expect(editor.renderAgain(photo).status == .rendered)
    for version in [dark, brown] {
      #expect(try exiftool("-s3", "-GPSLatitude", on: version).isEmpty)
    }
    #expect(try coded(dark) == picture)
    try await #expect(editor.verify(photo).notes.isEmpty)
    try await #expect(editor.renderAgain(photo).status == .unchanged)
    try await #expect(editor.useVersion(named: "brown", of: photo).status == .edited)
    #expect(folder.bytes(render) == folder.bytes(brown))

    // The version that is the present edit keeps the same bytes.
    try exiftool("-overwrite_original", "-Rating=4", on: name)
    try await #expect(editor.renderAgain(photo).status == .rendered)
    #expect(folder.bytes(render) == folder.bytes(brown))
    #expect(try exiftool("-s3", "-Rating", on: dark) == "4")
  }

  @Test func theEditTurnsWithThePhoto() async throws {
    let photo = try folder.add("beach.jpg")
    func crop(_ area: CropArea) async throws { try await editor.crop(photo, to: area) }
    try await editor.apply(.named("noir"), to: photo)
    try await crop(.shares(x: 0, y: 0, width: 0.5, height: 0.25))
    try await editor.saveVersion(named: "corner", of: photo)
    try await crop(.shares(x: 0.5, y: 0, width: 0.5, height: 0.5))
    let size = try #require(try await editor.state(of: photo).edit?.renderSize)
    try exiftool("-overwrite_original", "-Orientation#=6", on: "beach.jpg")

    let check = try await editor.verify(photo)
    #expect(check.isSound)
    #expect(check.notes == [PhotoProblem(.originalTurned, photo.path)])
    let unturned = try await editor.state(of: photo)
    #expect(unturned.warnings.contains { $0.contains("turned") })
    let before = try folder.traces
    try await #expect(editor.undo(photo, dryRun: true).status == .edited)
    try await #expect(editor.acceptOriginal(of: photo, dryRun: true).status == .relinked)
    await #expect(throws: EditError.self) { try await editor.saveVersion(named: "x", of: photo) }
    try #expect(folder.traces == before)

    try await #expect(editor.renderAgain(photo).status == .rendered)
    let state = try await editor.state(of: photo)
    #expect(state.edit?.renderSize == PixelSize(width: size.height, height: size.width))
    // Places are known before the render is turned.
    #expect(state.placeMapping != nil && state.placeMapping == unturned.placeMapping)
    let turned = try #require(try state.edit?.stack?.adjustment(Adjustments.Crop.self))
    #expect([turned.x, turned.y, turned.width, turned.height] == [0.5, 0.5, 0.5, 0.5])
    try await #expect(editor.verify(photo).notes.isEmpty)
    try await #expect(editor.renderAgain(photo).status == .unchanged)

    // History and versions turned with it.
    try await editor.undo(photo)
    let undone = try await editor.state(of: photo)
    let corner = try #require(try undone.edit?.stack?.adjustment(Adjustments.Crop.self))
    #expect([corner.x, corner.y, corner.width, corner.height] == [0.75, 0, 0.25, 0.5])
    let version = try #require(undone.versions.first)
    #expect(version.renderSize == undone.edit?.renderSize && version.isPresent)
    try await editor.redo(photo)
    try await #expect(editor.state(of: photo).edit?.renderSize == state.edit?.renderSize)
    try await editor.useVersion(named: "corner", of: photo)
    #expect(folder.bytes("beach_edited.jpg") == folder.bytes("beach_edited-corner.jpg"))
    try await editor.undo(photo, steps: 10)
    try await #expect(editor.verify(photo).isSound)
  }

  @Test func everyChangeTurnsTheEditWithThePhoto() async throws {
    let photo = try folder.add("beach.jpg")
    try await editor.apply(.named("noir"), to: photo)
    try await editor.crop(photo, to: .shares(x: 0, y: 0, width: 0.5, height: 0.25))
    try await editor.crop(photo, to: .shares(x: 0, y: 0, width: 0.25, height: 0.5))
    try exiftool("-overwrite_original", "-Orientation#=8", on: "beach.jpg")
    try await #expect(editor.undo(photo).status == .edited)
    let crop = try #require(
      try await editor.state(of: photo).edit?.stack?.adjustment(Adjustments.Crop.self))
    #expect([crop.x, crop.y, crop.width, crop.height] == [0, 0.5, 0.25, 0.5])
    try await #expect(editor.verify(photo).notes.isEmpty)
    try await editor.redo(photo)
    try exiftool("-overwrite_original", "-Orientation#=1", on: "beach.jpg")
    let export = folder.path.appending("web.jpg")
    try await editor.export(photo, to: export, as: .standard)
    let size = try await editor.state(of: Photo(path: export)).original
    let whole = try await editor.state(of: photo).original
    #expect(size.pixelWidth == whole.pixelWidth / 4)
    try await #expect(editor.apply(.named("noir"), to: photo).status == .edited)
    let present = try #require(
      try await editor.state(of: photo).edit?.stack?.adjustment(Adjustments.Crop.self))
    #expect([present.x, present.y, present.width, present.height] == [0, 0, 0.25, 0.5])
  }

  @Test func geometryInAFilterDoesNotTurnUntilThePhotoIsAccepted() async throws {
    let photo = try folder.add("beach.jpg")
    let stack = try EditStack(
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: EditStack.formatVersion,
        data: Data(
          #"""
          {"adjustments":[{"id":"filter","version":1,"name":"narrow","title":"Narrow",
          "filterVersion":1,"steps":[{"id":"crop","version":1,"width":0.5}]}]}
          """#.utf8)))
    try await editor.adjust(photo) { $0 = stack }
    try exiftool("-overwrite_original", "-Orientation#=6", on: "beach.jpg")
    let error = await #expect(throws: EditError.self) { try await editor.undo(photo) }
    #expect(error?.code == "original-changed")
    try await #expect(
      editor.verify(photo).problems == [PhotoProblem(.originalChanged, photo.path)])
    // The edit itself can still be copied and saved.
    try await #expect(!editor.edit(of: photo).isEmpty)

    let before = try folder.traces
    try await #expect(editor.acceptOriginal(of: photo, dryRun: true).status == .relinked)
    try #expect(folder.traces == before)
    try await #expect(editor.acceptOriginal(of: photo).status == .relinked)
    try await #expect(editor.verify(photo).isSound)
    try await #expect(editor.acceptOriginal(of: photo).status == .unchanged)
    try await #expect(editor.undo(photo).status == .edited)
  }

  @Test func anUneditedPhotoHasNothingToAccept() async throws {
    let photo = try folder.add("beach.jpg")
    try await #expect(editor.acceptOriginal(of: photo).status == .unchanged)
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func aRetouchedRenderIsNotReplaced() async throws {
    let (photo, name) = try await edited("beach.jpg")
    try write(into: name)
    folder.put(Array("retouched".utf8), as: "beach_edited.jpg")
    await #expect(throws: EditError.self) { try await editor.renderAgain(photo) }
    await #expect(throws: EditError.self) { try await editor.apply(.named("noir"), to: photo) }
    #expect(folder.bytes("beach_edited.jpg") == Array("retouched".utf8))
  }
}
