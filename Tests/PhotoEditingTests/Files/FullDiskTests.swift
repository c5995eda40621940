import Foundation
import Glibc
import PhotoEditing
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct FullDiskTests {
  private let folder = PhotoFolder()

  /// What the disk refuses.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let kinds: Set<FileSystem.Operation.Kind>
    let errno: Int32
    let code: String
    let reason: String
    var testDescription: String { "\(code), \(reason)" }

    static let all = [
      Refusal(
        kinds: [.create, .rename, .unlink], errno: EACCES, code: "file-system",
        reason: "the folder may not be written"),
      Refusal(
        kinds: [.create, .rename, .unlink], errno: EROFS, code: "file-system",
        reason: "the disk is read-only"),
      Refusal(kinds: [.write], errno: ENOSPC, code: "disk-full", reason: "the disk is full"),
      Refusal(kinds: [.sync], errno: ENOSPC, code: "disk-full", reason: "the disk is full"),
      Refusal(
        kinds: [.write], errno: EDQUOT, code: "disk-full", reason: "the disk quota is used up"),
      Refusal(
        kinds: [.write], errno: EIO, code: "file-system", reason: "the disk reported an error"),
    ]

    var fileSystem: FileSystem {
      FileSystem { kinds.contains($0.kind) ? .failure(errno) : nil }
    }
  }

  @Test(arguments: Refusal.all, [false, true])
  func aDiskThatRefusesLeavesTheOldEdit(refusal: Refusal, isEdited: Bool) async throws {
    let photo = try folder.add("rgb.tif")
    if isEdited { _ = try await PhotoEditor.test().apply(.named("mono"), to: photo) }
    let before = try folder.traces
    let editor = PhotoEditor.test(through: refusal.fileSystem)
    let error = await #expect(throws: EditError.self) {
      try await editor.apply(.named("noir"), to: photo)
    }
    // Whatever hidden file it was, the message begins with the photo.
    #expect(error?.description.hasPrefix("\(photo.path): ") == true, "\(error?.description ?? "")")
    #expect(error?.description.hasSuffix(": \(refusal.reason).") == true)
    #expect(error?.code == refusal.code)

    // A folder that may not be written cannot be cleaned up either, and needs not be.
    try await #expect(
      PhotoEditor.test().state(of: photo).edit?.stack?.filters.map(\.name)
        == (isEdited ? ["mono"] : nil))
    if !refusal.kinds.contains(.unlink) { try #expect(folder.traces == before) }
  }

  @Test(arguments: Refusal.all)
  func anExportToADiskThatRefusesLeavesNothing(refusal: Refusal) async throws {
    let photo = try folder.add("rgb.tif")
    let before = try folder.traces
    let error = await #expect(throws: EditError.self) {
      try await PhotoEditor.test(through: refusal.fileSystem)
        .export(
          photo, to: folder.path.appending("out.png"), as: RenderOutput(format: .png))
    }
    #expect(error?.description.hasPrefix("\(photo.path): ") == true)
    #expect(error?.code == refusal.code)
    if !refusal.kinds.contains(.unlink) { try #expect(folder.traces == before) }
  }

  @Test(.enabled(if: SmallDisk.isPossible, SmallDisk.absence))
  func aRealDiskThatFillsUpLeavesThePhotoAlone() async throws {
    // Room for the photo, 195 kB, and not for its render at quality 100.
    let disk = try SmallDisk(kilobytes: 300)
    let photo = Photo(path: disk.path.appending("beach.jpg"))
    try Data(Fixtures.bytes("beach.jpg")).write(to: photo.path.fileURL)
    let error = await #expect(throws: EditError.self) {
      try await PhotoEditor.test().apply(.named("vivid"), to: photo, quality: 100)
    }
    #expect(error?.code == "disk-full")
    #expect(disk.names == ["beach.jpg"])
    try #expect(Data(contentsOf: photo.path.fileURL) == Data(Fixtures.bytes("beach.jpg")))
  }

  @Test(.enabled(if: SmallDisk.isPossible, SmallDisk.absence))
  func aRevertMakesItsOwnRoomOnAFullDisk() async throws {
    let disk = try SmallDisk(kilobytes: 1000)
    let photo = Photo(path: disk.path.appending("beach.jpg"))
    try Data(Fixtures.bytes("beach.jpg")).write(to: photo.path.fileURL)
    let editor = PhotoEditor.test()
    _ = try await editor.apply(.named("vivid"), to: photo)
    disk.fillUp()
    try await #expect(editor.revertAssetContentToOriginal(photo).status == .reverted)
    #expect(disk.names == ["beach.jpg", "fill"])
  }

  /// Without room even then, the edit stands, and its render can be made again.
  @Test func aRevertThatFailsNeverthelessLeavesTheEdit() async throws {
    let photo = try folder.add("rgb.tif")
    let editor = PhotoEditor.test()
    _ = try await editor.apply(.named("mono"), to: photo)
    let full = PhotoEditor.test(through: FileSystem { $0.kind == .write ? .failure(ENOSPC) : nil })
    await #expect(throws: EditError.self) { try await full.revertAssetContentToOriginal(photo) }
    try await #expect(editor.state(of: photo).edit?.stack?.filters.map(\.name) == ["mono"])
    try await #expect(editor.renderAgain(photo).status == .rendered)
    try await #expect(editor.revertAssetContentToOriginal(photo).status == .reverted)
  }

  @Test(.enabled(if: SmallDisk.isPossible, SmallDisk.absence))
  func aRealReadOnlyDiskCanBeLookedAtAndExportedFrom() async throws {
    let disk = try SmallDisk(kilobytes: 2000)
    let photo = Photo(path: disk.path.appending("rgb.tif"))
    try Data(Fixtures.bytes("rgb.tif")).write(to: photo.path.fileURL)
    let editor = PhotoEditor.test()
    _ = try await editor.apply(.named("noir"), to: photo)
    disk.makeReadOnly()
    let before = disk.names

    let error = await #expect(throws: EditError.self) {
      try await editor.apply(.named("mono"), to: photo)
    }
    #expect(error?.description.hasSuffix(": the disk is read-only.") == true)
    await #expect(throws: EditError.self) { try await editor.revertAssetContentToOriginal(photo) }
    // A dry run promises nothing there.
    let promise = await #expect(throws: EditError.self) {
      try await editor.apply(.named("mono"), to: photo, dryRun: true)
    }
    #expect(promise?.description == error?.description)
    await #expect(throws: EditError.self) {
      try await editor.revertAssetContentToOriginal(photo, dryRun: true)
    }
    await #expect(throws: EditError.self) {
      try await editor.export(
        photo, to: disk.path.appending("out.png"), as: RenderOutput(format: .png), dryRun: true)
    }
    try await #expect(editor.apply(.named("noir"), to: photo, dryRun: true).status == .unchanged)
    try await #expect(editor.apply(.named("noir"), to: photo).status == .unchanged)
    try await #expect(editor.state(of: photo).warnings.isEmpty)
    let export = try await editor.export(
      photo, to: folder.path.appending("out.png"), as: RenderOutput(format: .png))
    #expect(export.status == .rendered)
    #expect(disk.names == before)
  }
}

/// A disk in memory of a given size, mounted as long as the value lives. Only root may do this.
private final class SmallDisk {
  static let isPossible: Bool = (try? SmallDisk(kilobytes: 100)) != nil
  static let absence: Comment = "Only root may mount a small disk; the pretended ones are tried."

  let path: FilePath

  struct NotAllowed: Error {}

  init(kilobytes: Int) throws {
    let folder = NSTemporaryDirectory() + "/safelight-disk-\(UUID().uuidString)"
    #expect(mkdir(folder, 0o755) == 0)
    path = FilePath(folder)
    guard mount("tmpfs", folder, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
      rmdir(folder)
      throw NotAllowed()
    }
  }

  deinit {
    // Lazily: a file of the test may still be open.
    umount2(path.string, Int32(MNT_DETACH))
    rmdir(path.string)
  }

  var names: [FilePath] { (try? FileSystem.real.names(in: path).sorted()) ?? [] }

  /// Leaves no block free.
  func fillUp() {
    let block = [UInt8](repeating: 1, count: 4096)
    let descriptor = open(path.appending("fill").string, O_WRONLY | O_CREAT, 0o644)
    while write(descriptor, block, block.count) > 0 {}
    close(descriptor)
  }

  func makeReadOnly() {
    let flags = UInt(MS_REMOUNT | MS_RDONLY)
    #expect(mount("tmpfs", path.string, "tmpfs", flags, nil) == 0)
  }
}

extension Sequence<FilePath> {
  fileprivate func sorted() -> [FilePath] { sorted { $0.string < $1.string } }
}
