import Foundation
import Glibc
import SafelightAdjustments
import Testing

@testable import SafelightFiles
@testable import SafelightFormats
@testable import SafelightStorage

@Suite struct RefusalTests {
  @Test func aMissingPhotoAndADanglingLinkAreMissing() {
    let folder = PhotoFolder()
    let missing = folder.path.appending("missing.jpg")
    let link = folder.path.appending("link.jpg")
    _ = symlink("missing.jpg", link.string)
    #expect(
      storageError { _ = try PhotoFiles(missing).read(timeout: .zero) } == .originalMissing(missing)
    )
    #expect(
      storageError { _ = try PhotoFiles(link).read(timeout: .zero) } == .originalMissing(link))
  }

  @Test func foldersAndPipesAreNotPhotos() {
    let folder = PhotoFolder()
    let pipe = folder.path.appending("pipe")
    mkfifo(pipe.string, 0o600)
    #expect(
      storageError { _ = try PhotoFiles(folder.path).begin(timeout: .zero) }
        == .originalNotAFile(folder.path))
    #expect(
      storageError { _ = try PhotoFiles(pipe).begin(timeout: .zero) } == .originalNotAFile(pipe))
  }

  @Test func aPhotoWithoutPermissionToReadSaysSo() {
    let folder = PhotoFolder()
    let fileSystem = FileSystem { $0.kind == .open ? .failure(EACCES) : nil }
    let error = FileSystemError(.init(.open, folder.photo), errno: EACCES)
    #expect(
      storageError { try folder.edit("x", through: fileSystem) } == .originalUnreadable(error))
  }

  @Test(arguments: ["changed pixels....", "pixels of beacH.jpg"])
  func aChangedOriginalIsNotEditedButCanBeReverted(content: String) throws {
    let folder = PhotoFolder()
    try folder.edit("noir")
    folder.put(content, at: folder.photo)
    #expect(storageError { try folder.edit("x") } == .originalChanged(folder.photo))
    #expect(
      storageError { try folder.files.read(timeout: .zero).checkOriginal() }
        == .originalChanged(folder.photo))
    try folder.revert()
    #expect(folder.names == ["beach.jpg"])
    #expect(folder.text("beach.jpg") == content)
  }

  @Test func aSidecarOfAnotherPhotoIsRefused() throws {
    let folder = PhotoFolder()
    try folder.edit("noir")
    let dune = folder.path.appending("dune.jpg")
    folder.put("dune", at: dune)
    _ = rename(folder.photo.string + ".aae", dune.string + ".aae")
    #expect(
      storageError { try PhotoFiles(dune).read(timeout: .zero).checkOriginal() }
        == .recordBelongsToAnotherPhoto(record: dune.suffixed(".aae"), recorded: "beach.jpg"))
  }

  @Test func aPhotoRenamedTogetherWithItsSidecarGoesOn() throws {
    let folder = PhotoFolder()
    try folder.edit("noir")
    let dune = folder.path.appending("dune.jpg")
    _ = rename(folder.photo.string, dune.string)
    _ = rename(folder.photo.string + ".aae", dune.string + ".aae")
    let snapshot = try PhotoFiles(dune).read(timeout: .zero)
    try snapshot.checkOriginal()
    #expect(snapshot.render == folder.path.appending("beach_edited.jpg"))
    // A file is removed only under a name that the original gives it.
    let transaction = try PhotoFiles(dune).begin(timeout: .zero)
    _ = try transaction.revert()
    transaction.end()
    #expect(folder.names == ["beach_edited.jpg", "dune.jpg"])
  }

  @Test func aCopyOfPhotoAndSidecarLeavesTheFilesOfTheFirstAlone() throws {
    let folder = PhotoFolder()
    try folder.edit("A", by: "com.example.a")
    try folder.edit("B", base: .currentRender)
    let copy = folder.path.appending("copy.jpg")
    folder.put(folder.bytes(folder.photo)!, at: copy)
    folder.put(folder.bytes(folder.photo.suffixed(".aae"))!, at: copy.suffixed(".aae"))
    let transaction = try PhotoFiles(copy).begin(timeout: .zero)
    let render = try transaction.stageRender { try $0.write([1]) }
    _ = try transaction.commit("C", rendered: render)
    transaction.end()
    #expect(folder.text("beach_edited.jpg") == "render of B")
    #expect(folder.text("copy_base.jpg") == "render of A")
    let second = try PhotoFiles(copy).begin(timeout: .zero)
    _ = try second.revert()
    second.end()
    #expect(
      folder.names
        == ["beach.jpg", "beach.jpg.aae", "beach_base.jpg", "beach_edited.jpg", "copy.jpg"])
  }

  @Test func anOriginalThatChangesDuringTheEditIsNoticed() throws {
    let folder = PhotoFolder()
    let transaction = try folder.files.begin(timeout: .zero)
    let render = try transaction.stageRender { try $0.write([1]) }
    folder.put("changed", at: folder.photo)
    #expect(
      storageError {
        _ = try transaction.commit("x", rendered: render)
      } == .originalTouched(folder.photo))
    transaction.end()
    #expect(folder.names == ["beach.jpg"])
  }

  @Test(
    arguments: [
      ("", .empty), ("bplist00", .binaryPropertyList),
      ("x", .malformed(PropertyListError(line: 1, problem: .expected("<")))),
    ] as [(String, RecordError)])
  func aSidecarThatCannotBeReadIsLeftAsItIs(text: String, reason: RecordError) throws {
    let folder = PhotoFolder()
    let sidecar = folder.photo.suffixed(".aae")
    folder.put(text, at: sidecar)
    let expected = StorageError.recordUnreadable(sidecar, reason)
    #expect(storageError { try folder.edit("x") } == expected)
    #expect(storageError { try folder.revert() } == expected)
    #expect(storageError { _ = try folder.files.read(timeout: .zero) } == expected)
    #expect(folder.text("beach.jpg.aae") == text)
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae"])
  }

  @Test func aHugeSidecarIsRefusedBeforeItIsRead() throws {
    let folder = PhotoFolder()
    let sidecar = folder.photo.suffixed(".aae")
    folder.put("", at: sidecar)
    truncate(sidecar.string, 1 << 40)
    #expect(
      storageError { _ = try folder.files.read(timeout: .zero) }
        == .recordUnreadable(sidecar, .tooLarge(size: 1 << 40, limit: Record.maximumSize)))
  }

  @Test(arguments: [0, AdjustmentData.maximumSize + 1])
  func adjustmentDataOfNoOrTooGreatSizeIsRefused(size: Int) throws {
    let folder = PhotoFolder()
    let text = String(repeating: "x", count: size)
    let expected = StorageError.invalidAdjustmentDataSize(size, limit: AdjustmentData.maximumSize)
    #expect(storageError { try folder.edit(text) } == expected)
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func textThatXMLCannotCarryIsRefused() throws {
    let folder = PhotoFolder()
    #expect(storageError { try folder.edit("x", by: "a\u{1}") } == .unwritableText("a\u{1}"))
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func aRecordThatWouldBeTooLargeIsRefused() throws {
    let folder = PhotoFolder()
    let padding = String(repeating: "x", count: Record.maximumSize / 2)
    let sidecar =
      "<plist><dict><key>adjustmentFormatIdentifier</key><string>a</string>"
      + "<key>adjustmentFormatVersion</key><string>1</string><key>adjustmentData</key>"
      + "<data>aGVsbG8=</data><key>x</key><string>\(padding)</string></dict></plist>"
    folder.put(sidecar, at: folder.photo.suffixed(".aae"))
    guard case .recordTooLarge = storageError({ try folder.edit("noir") }) else {
      Issue.record("not refused")
      return
    }
    #expect(folder.names == ["beach.jpg", "beach.jpg.aae"])
  }

  @Test(arguments: [EROFS, EACCES])
  func aReadOnlyFolderCanBeReadAndIsNotWritten(reason: Int32) throws {
    let folder = PhotoFolder()
    try folder.edit("noir")
    let writing: Set<FileSystem.Operation.Kind> = [.create, .write, .rename, .unlink, .sync]
    let fileSystem = FileSystem { writing.contains($0.kind) ? .failure(reason) : nil }
    let files = PhotoFiles(folder.photo, fileSystem: fileSystem)
    try #expect(files.read(timeout: .zero).record?.adjustmentData == .test("noir"))
    guard case .fileSystem(let error) = storageError({ try folder.edit("x", through: fileSystem) })
    else {
      Issue.record("not refused")
      return
    }
    #expect(error.operation.kind == .create && error.errno == reason)
    guard case .fileSystem = storageError({ try folder.revert(through: fileSystem) }) else {
      Issue.record("not refused")
      return
    }
    try #expect(folder.files.read(timeout: .zero).record?.adjustmentData == .test("noir"))
  }

  @Test func aPendingChangeIsReadInAReadOnlyFolder() throws {
    let folder = PhotoFolder()
    try folder.edit("old")
    let render = folder.path.appending("beach_edited.jpg")
    let stuck = FileSystem { $0 == .init(.rename, render) ? .failure(EIO) : nil }
    #expect(try folder.edit("new", through: stuck).unfinished != nil)
    let readOnly = FileSystem {
      [.create, .write, .rename, .unlink].contains($0.kind) ? .failure(EROFS) : nil
    }
    let snapshot = try PhotoFiles(folder.photo, fileSystem: readOnly).read(timeout: .zero)
    #expect(snapshot.record?.adjustmentData == .test("new"))
    #expect(snapshot.render.flatMap { folder.bytes($0) } == Array("render of new".utf8))
  }
}
