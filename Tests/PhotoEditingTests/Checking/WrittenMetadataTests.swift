import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import SafelightFiles
@testable import SafelightMetadata
@testable import SafelightStorage

/// Ratings, keywords and places that exiftool writes into originals that have an edit.
@Suite(.enabled(if: ExifTool.isInstalled, "needs exiftool"))
struct WrittenMetadataTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  private static let fixtures = [
    "beach.jpg", "progressive.jpg", "exif-gps-makernote.jpg", "sixteen-bit.png", "rgb.tif",
    "lossy.webp", "photo.heic", "photo.avif",
  ]

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
    return bytes[try #require(CodedPicture(jpeg: bytes)).range]
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

  @Test func aTurnedPhotoIsAnotherPictureUntilItIsAccepted() async throws {
    let (photo, name) = try await edited("beach.jpg")
    try exiftool("-overwrite_original", "-Orientation#=6", on: name)
    let error = await #expect(throws: EditError.self) { try await editor.undo(photo) }
    #expect(error?.code == "original-changed")
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
