import Foundation
import PhotoEditing
import SafelightDarkroom
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightFiles

/// A photo that is open for editing.
@Suite(.serialized) struct EditSessionTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()
  private let screen = PixelSize(width: 300, height: 300)

  private func edit(_ settings: [String: String]) throws -> EditStack {
    var edit = EditStack()
    for (option, value) in settings.sorted(by: <) { try edit.set(option, to: value) }
    return edit
  }

  /// An editor that decodes in a process of its own, or in this one.
  private func editor(apart: Bool, _ change: (inout PhotoDarkroom) -> Void = { _ in })
    -> PhotoEditor
  {
    var configuration = PhotoEditor.Configuration()
    configuration.now = { .test }
    configuration.darkroom.place = apart ? .ownProcess : .inProcess
    change(&configuration.darkroom)
    return PhotoEditor(configuration)
  }

  /// The pixels of a preview.
  private func picture(_ preview: EditPreview) throws -> Picture {
    let name: FilePath = "preview.jpg"
    let other = PhotoFolder()
    other.put(Array(preview.jpegData), as: name)
    return try Picture(other.path.appending(name), as: .jpeg)
  }

  @Test(arguments: [true, false])
  func previewsShowTheEditAndWriteNothing(apart: Bool) async throws {
    let photo = try folder.add("beach.jpg")
    let before = try folder.traces
    let session = try await EditSession(photo, fitting: screen, editor: editor(apart: apart))
    #expect(session.pixelSize == PixelSize(width: 1200, height: 800))
    #expect(session.currentEdit.isEmpty)
    let plain = try await session.preview(of: session.currentEdit, countingCodes: true)
    #expect((plain.width, plain.height) == (300, 200))
    #expect(plain.histogram?.pixelCount == 300 * 200)
    let noir = try await session.preview(of: EditStack([Filter.named("noir").applied()]))
    #expect(noir.histogram == nil)
    // Black and white: the codes of each pixel are equal.
    let codes = try picture(noir)
    #expect((codes.width, codes.height) == (300, 200))
    for place in stride(from: 0, to: codes.pixels.count, by: 3)
    where codes.pixels[place] != codes.pixels[place + 2] {
      Issue.record("A pixel of noir has a color.")
      break
    }
    await session.close()
    try #expect(folder.traces == before)
  }

  @Test func bothPlacesGiveTheSameBytes() async throws {
    let photo = try folder.add("orientation/6.jpg")
    let edits = [
      try edit(["exposure": "0.5", "clarity": "30"]), try edit(["straighten": "3"]), EditStack(),
    ]
    var results: [[Data]] = []
    for apart in [true, false] {
      let session = try await EditSession(photo, fitting: screen, editor: editor(apart: apart))
      var pictures: [Data] = []
      for edit in edits {
        pictures.append(try await session.draft(of: edit).jpegData)
        pictures.append(try await session.preview(of: edit).jpegData)
        pictures.append(
          try await session.tile(of: edit, NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.5))
            .jpegData)
      }
      results.append(pictures)
      await session.close()
    }
    #expect(results[0] == results[1])
  }

  /// A tile has the pixels of the render, but for what its JPEG loses.
  @Test func aTileIsAPartOfTheRender() async throws {
    let photo = try folder.add("beach.jpg")
    let edit = try edit(["exposure": "0.3", "clarity": "40", "sharpen": "60", "straighten": "2"])
    let session = try await EditSession(photo, fitting: screen, editor: editor)
    let input = try await editor.contentEditingInput(for: photo)
    let whole = try await input.displayImage(applying: edit)
    let tile = try await session.tile(
      of: edit, NormalizedRect(x: 0.5, y: 0.25, width: 0.25, height: 0.5))
    let codes = try picture(tile)
    let left = Int((0.5 * Double(whole.width)).rounded())
    let top = Int((0.25 * Double(whole.height)).rounded())
    var sum = 0
    for y in 0..<codes.height {
      for x in 0..<(codes.width * 3) {
        let expected = whole.pixels[((top + y) * whole.width + left) * 3 + x]
        sum += abs(Int(codes.pixels[y * codes.width * 3 + x]) - Int(expected))
      }
    }
    #expect(codes.width == Int((0.25 * Double(whole.width)).rounded()))
    #expect(Double(sum) / Double(codes.pixels.count) < 2)
    await session.close()
  }

  @Test func anEmptyTileIsRefused() async throws {
    let session = try await EditSession(
      folder.add("beach.jpg"), fitting: screen, editor: editor)
    let nothing = NormalizedRect(x: 2, y: 2, width: 1, height: 1)
    let error = await #expect(throws: EditError.self) {
      try await session.tile(of: EditStack(), nothing)
    }
    #expect(error?.code == "render-failed")
    await session.close()
  }

  // MARK: - The camera's picture

  @Test(arguments: [true, false])
  func theThumbnailIsThereBeforeAnythingElse(apart: Bool) async throws {
    let session = try await EditSession(
      folder.add("beach.jpg"), fitting: screen, editor: editor(apart: apart))
    let embedded = try #require(session.embeddedPreview)
    #expect(embedded.width < 200 && embedded.width > embedded.height)
    let codes = try picture(embedded)
    #expect((codes.width, codes.height) == (embedded.width, embedded.height))
    await session.close()
  }

  /// A camera's picture for the screen lies behind the photo, and a list before it says where.
  @Test func theLargestPictureBehindThePhotoIsTaken() async throws {
    let input = try await editor.contentEditingInput(for: folder.add("beach.jpg"))
    let large = try Array(
      await input.displayImage(fitting: PixelSize(width: 600, height: 400)).jpegData())
    let other = try Array(
      await input.displayImage(fitting: PixelSize(width: 300, height: 200)).jpegData())
    func add(_ name: FilePath, shift: Int = 0, kind: [UInt8] = [0, 1, 0, 2]) throws -> Photo {
      folder.put(
        try Fixtures.bytes("beach.jpg").withPictures([other, large], shift: shift, kind: kind),
        as: name)
      return Photo(path: folder.path.appending(name))
    }
    func width(_ photo: Photo) async throws -> Int? {
      let session = try await EditSession(photo, fitting: screen, editor: editor)
      defer { Task { await session.close() } }
      return session.embeddedPreview?.width
    }
    let thumbnail = try await width(Photo(path: folder.path.appending("beach.jpg")))
    #expect(try await width(add("whole.jpg")) == 600)
    // A list that leads elsewhere, or beyond the end, leaves the thumbnail.
    #expect(try await width(add("astray.jpg", shift: 5)) == thumbnail)
    #expect(try await width(add("beyond.jpg", shift: 1 << 30)) == thumbnail)
    // So does one of other kinds of pictures.
    #expect(try await width(add("depth.jpg", kind: [0, 2, 0, 2])) == thumbnail)
  }

  @Test func aPhotoThatLiesOnItsSideHasNone() async throws {
    let session = try await EditSession(
      folder.add("orientation/6.jpg"), fitting: screen, editor: editor)
    #expect(session.embeddedPreview == nil)
    await session.close()
  }

  // MARK: - Committing

  @Test func aCommitIsTheOrdinaryCommit() async throws {
    let edit = try edit(["exposure": "0.4", "crop-width": "0.5", "vignette": "-30"])
    let ordinary = PhotoFolder()
    let other = try ordinary.add("beach.jpg")
    try await editor.adjust(other) { stack throws(AdjustmentError) in stack = edit }

    let photo = try folder.add("beach.jpg")
    let session = try await EditSession(photo, fitting: screen, editor: editor)
    _ = try await session.preview(of: edit)
    let result = try await session.commit(edit)
    #expect(result.status == .edited)
    #expect(session.currentEdit == edit)
    for name: FilePath in ["beach.jpg", "beach.jpg.aae", "beach_edited.jpg"] {
      #expect(folder.bytes(name) == ordinary.bytes(name), "\(name)")
    }
    // The same again, and another one on top, which is no conflict.
    #expect(try await session.commit(edit).status == .unchanged)
    #expect(try await session.commit(EditStack([Filter.named("noir").applied()])).status == .edited)
    await session.close()
  }

  @Test func aStaleCommitIsRefusedUntilTheSessionIsReloaded() async throws {
    let photo = try folder.add("beach.jpg")
    let session = try await EditSession(photo, fitting: screen, editor: editor)
    let others = try edit(["contrast": "20"])
    try await PhotoEditor.test().adjust(photo) { stack throws(AdjustmentError) in stack = others }
    let before = try folder.traces
    let mine = try edit(["exposure": "1"])
    await #expect(throws: EditError.inputOutdated(photo.path)) { try await session.commit(mine) }
    try #expect(folder.traces == before)
    // Previews go on, of the pixels that the session has.
    _ = try await session.preview(of: mine)
    try await session.reload()
    // The text that the record has of it is not compared.
    #expect(session.currentEdit.entries == others.entries)
    #expect(try await session.commit(mine).status == .edited)
    await session.close()
  }

  @Test func aSessionGoesOnFromAnotherProgramsRender() async throws {
    let photo = try folder.add("beach.jpg")
    try await ThirdParty.a.edit(photo, "by another program", render: ThirdParty.i2)
    let session = try await EditSession(photo, fitting: screen, editor: editor)
    #expect(session.currentEdit.isEmpty)
    let edit = try edit(["exposure": "0.5"])
    _ = try await session.preview(of: edit)
    #expect(try await session.commit(edit).status == .edited)
    #expect(folder.names.contains("beach_base.jpg"))
    _ = try await session.preview(of: edit)
    #expect(try await session.commit(EditStack()).status == .edited)
    await session.close()
  }

  // MARK: - When things go wrong

  @Test func aCrashCostsOnePicture() async throws {
    let session = try await EditSession(
      folder.add("beach.jpg"), fitting: screen, editor: editor(apart: true))
    let before = try await session.preview(of: EditStack())
    let process = session.decoder.processIdentifier
    let error = #expect(throws: RenderError.self) { try session.decoder.perform(.crash) }
    #expect(error?.code == "worker-crashed")
    #expect(try await session.preview(of: EditStack()) == before)
    #expect(session.decoder.processIdentifier != process)
    await session.close()
  }

  @Test func memoryAndTimeAreBounded() async throws {
    let session = try await EditSession(
      folder.add("beach.jpg"), fitting: screen,
      editor: editor(apart: true) { darkroom in
        darkroom.memoryLimit = 512
        darkroom.timeLimit = .seconds(4)
      })
    let before = try await session.preview(of: EditStack())
    let full = #expect(throws: RenderError.self) { try session.decoder.perform(.fill(1 << 30)) }
    #expect(full?.code == "worker-crashed")
    let late = #expect(throws: RenderError.self) { try session.decoder.perform(.hang) }
    #expect(late == .tookTooLong(seconds: 4))
    #expect(try await session.preview(of: EditStack()) == before)
    await session.close()
  }

  @Test(arguments: [true, false])
  func aClosedSessionMakesNoPictures(apart: Bool) async throws {
    let photo = try folder.add("beach.jpg")
    let session = try await EditSession(photo, fitting: screen, editor: editor(apart: apart))
    _ = try await session.preview(of: EditStack())
    await session.close()
    await session.close()
    await #expect(throws: CancellationError.self) { try await session.preview(of: EditStack()) }
    #expect(session.decoder.processIdentifier == nil)
    // Nothing stays locked.
    #expect(try await editor.apply(Filter.named("noir").applied(), to: photo).status == .edited)
  }

  @Test func aDamagedPhotoIsReportedAsOne() async throws {
    let whole = try Fixtures.bytes("beach.jpg")
    folder.put(Array(whole.prefix(whole.count / 2)), as: "cut.jpg")
    folder.put(Array("no picture".utf8), as: "text.jpg")
    let session = try await EditSession(
      Photo(path: folder.path.appending("cut.jpg")), fitting: screen, editor: editor)
    let error = await #expect(throws: EditError.self) { try await session.preview(of: EditStack()) }
    #expect(error?.code == "damaged")
    await session.close()
    let text = await #expect(throws: EditError.self) {
      try await EditSession(
        Photo(path: folder.path.appending("text.jpg")), fitting: screen, editor: editor)
    }
    #expect(text?.code == "not-a-picture")
    await #expect(throws: EditError.self) {
      try await EditSession(
        folder.add("beach.jpg"), fitting: PixelSize(width: 0, height: 10), editor: editor)
    }
  }
}

extension [UInt8] {
  /// A JPEG with pictures behind it, and the segment that lists them: CIPA DC-007, little-endian.
  ///
  /// - Parameters:
  ///   - shift: How far from the truth the offsets of the pictures are.
  ///   - kind: The type of the pictures, highest byte first.
  fileprivate func withPictures(_ pictures: [[UInt8]], shift: Int, kind: [UInt8]) -> [UInt8] {
    func number(_ value: Int, bytes: Int = 4) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let listed = 1 + pictures.count
    // The header, one entry of the directory, its end, and the list.
    let header = [UInt8]("II".utf8) + [42, 0] + number(8)
    let directory =
      number(1, bytes: 2) + number(0xB002, bytes: 2) + number(7, bytes: 2) + number(16 * listed)
      + number(26) + number(0)
    let segmentLength = 2 + 4 + header.count + directory.count + 16 * listed
    let whole = count + 2 + segmentLength
    // Offsets count from the header, which begins after SOI, the marker, the length and the name.
    var place = whole - 2 - 4 - 4 + shift
    var list = number(0x2003_0000) + number(count) + number(0) + number(0)
    for picture in pictures {
      list += kind.reversed() + number(picture.count) + number(place) + number(0)
      place += picture.count
    }
    let segment =
      [0xFF, 0xE2, UInt8(segmentLength >> 8), UInt8(segmentLength & 0xFF)] + [UInt8]("MPF".utf8)
      + [0] + header + directory + list
    return Array(prefix(2)) + segment + Array(dropFirst(2)) + pictures.flatMap(\.self)
  }
}
