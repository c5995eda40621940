import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

/// What an editor is handed, by PhotoKit's contract.
@Suite struct ContentEditingInputTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  @Test(arguments: 1...8)
  func anUneditedPhotoIsHandedOutAsItIs(orientation: Int) async throws {
    let photo = try folder.add("orientation/\(orientation).jpg")
    let input = try await editor.contentEditingInput(
      for: photo,
      options: .init { _ in
        Issue.record("There is no edit to ask about.")
        return true
      })

    #expect(input.adjustmentData == nil)
    #expect(input.fullSizeImagePath == photo.path)
    #expect(input.fullSizeImageURL == photo.path.fileURL)
    #expect(input.contentType == "public.jpeg")
    #expect(input.fullSizeImageOrientation == Int32(orientation))
    // The card is 96 by 64 upright; its pixels are not turned for the editor.
    let stored = orientation < 5 ? PixelSize(width: 96, height: 64) : .init(width: 64, height: 96)
    #expect(input.pixelSize == stored)
    try #expect(folder.bytes(photo.name) == Fixtures.bytes("orientation/\(orientation).jpg"))
  }

  @Test(arguments: [
    ("gradients/chart.png", "public.png"), ("rgb.tif", "public.tiff"),
    ("lossy.webp", "org.webmproject.webp"), ("photo.heic", "public.heic"),
    ("photo.avif", "public.avif"),
  ])
  func theContentTypeIsTheOriginals(fixture: String, type: String) async throws {
    let input = try await editor.contentEditingInput(for: folder.add(fixture))
    #expect(input.contentType == type)
  }

  @Test func anEditorThatReadsTheEditGetsTheOriginalAndTheEdit() async throws {
    let photo = try folder.add("orientation/6.jpg")
    try await ThirdParty.a.edit(photo, "warmer", render: ThirdParty.i1)
    let input = try await ThirdParty.a.input(photo)

    #expect(input.adjustmentData == ThirdParty.a.data("warmer"))
    #expect(input.fullSizeImagePath == photo.path)
    #expect(input.fullSizeImageOrientation == 6)
  }

  @Test(arguments: [false, nil])
  func anEditorThatCannotReadTheEditGetsItsRender(answer: Bool?) async throws {
    let photo = try folder.add("orientation/6.jpg")
    try await ThirdParty.a.edit(photo, "warmer", render: ThirdParty.i1)
    let options = ContentEditingInputRequestOptions()
    if let answer { options.canHandleAdjustmentData = { _ in answer } }
    let input = try await editor.contentEditingInput(for: photo, options: options)

    #expect(input.adjustmentData == nil)
    #expect(input.fullSizeImagePath == folder.path.appending("6_edited.jpg"))
    #expect(input.fullSizeImageOrientation == 1)
    #expect(input.pixelSize == PixelSize(width: 96, height: 64))
    try #expect(folder.bytes("6_edited.jpg") == Fixtures.bytes(ThirdParty.i1))
  }

  @Test(arguments: [("1.9", true), ("1.10", true), ("1.11", false), ("2", false), ("1", true)])
  func versionsCompareAsDottedIntegers(stored: String, isRead: Bool) async throws {
    let photo = try folder.add("beach.jpg")
    let first = try await ThirdParty.a.input(photo)
    _ = try await editor.commit(
      ThirdParty.a.output(
        for: first, ThirdParty.a.data("x", version: stored), render: ThirdParty.i1))

    let newest = try #require(FormatVersion("1.10"))
    let input = try await editor.contentEditingInput(
      for: photo,
      options: .init { data in
        data.formatIdentifier == "com.example.a"
          && FormatVersion(data.formatVersion).map { $0 <= newest } == true
      })
    #expect((input.adjustmentData != nil) == isRead)
  }

  @Test func timeAndPlaceAreTheOriginalsWhateverTheEditStartsFrom() async throws {
    let photo = try folder.add("exif-gps-makernote.jpg")
    for _ in 1...2 {
      let input = try await editor.contentEditingInput(for: photo)
      // 12:34:56.078 at two hours east of Greenwich.
      let date = try #require(input.creationDate)
      #expect(abs(date.timeIntervalSince1970 - 1_717_238_096.078) < 0.001)
      let location = try #require(input.location)
      #expect(abs(location.latitude - -33.8569) < 1e-6)
      #expect(abs(location.longitude - -71.619767) < 1e-6)
      #expect(location.altitude == -2.5)
      try await ThirdParty.a.edit(photo, "no metadata in the render", render: ThirdParty.i1)
    }
  }

  @Test func aPhotoThatDoesNotSayHasNoTimeAndPlace() async throws {
    let input = try await editor.contentEditingInput(for: folder.add("progressive.jpg"))
    #expect(input.creationDate == nil)
    #expect(input.location == nil)
  }

  @Test(arguments: 1...8)
  func theDisplayImageIsUprightAndWithinItsSize(orientation: Int) async throws {
    let photo = try folder.add("orientation/\(orientation).jpg")
    let data = try await editor.contentEditingInput(for: photo).displaySizeImage(longestSide: 48)
    folder.put(Array(data), as: "display.jpg")
    let picture = try Picture(folder.path.appending("display.jpg"), as: .jpeg)

    #expect(picture.width == 48 && picture.height == 32)
    // Red top left, green top right, blue bottom left, yellow bottom right.
    #expect(picture.pixel(3, 3).isNear([220, 30, 30]))
    #expect(picture.pixel(44, 3).isNear([29, 161, 51]))
    #expect(picture.pixel(3, 28).isNear([28, 57, 211]))
    #expect(picture.pixel(44, 28).isNear([239, 210, 20]))
  }

  @Test func theDisplayImageShowsWhatTheEditStartsFrom() async throws {
    let photo = try folder.add("beach.jpg")
    try await ThirdParty.a.edit(photo, "cards", render: ThirdParty.i1)
    let own = try await ThirdParty.a.input(photo).displaySizeImage(longestSide: 96)
    let other = try await ThirdParty.b.input(photo).displaySizeImage(longestSide: 96)
    folder.put(Array(own), as: "own.jpg")
    folder.put(Array(other), as: "other.jpg")
    // The beach is 1200 by 800 like the card's 96 by 64, and has no red corner.
    try #expect(
      !Picture(folder.path.appending("own.jpg"), as: .jpeg).pixel(3, 3).isNear([255, 0, 0]))
    try #expect(
      Picture(folder.path.appending("other.jpg"), as: .jpeg).pixel(3, 3).isNear([255, 0, 0]))
  }

  @Test func theDisplayImageKeepsToItsEditorsLimits() async throws {
    var configuration = PhotoEditor.Configuration()
    configuration.allowsDamage = true
    let input = try await PhotoEditor(configuration)
      .contentEditingInput(for: folder.add("bad/truncated.jpg"))
    let data = try await input.displaySizeImage(longestSide: 32)
    #expect(data.starts(with: [0xFF, 0xD8]))
  }

  @Test func theFolderOfAnOutputGoesWithItsLastCopy() async throws {
    let input = try await editor.contentEditingInput(for: folder.add("beach.jpg"))
    var output: ContentEditingOutput? = ContentEditingOutput(contentEditingInput: input)
    var copy = output
    let url = try #require(output?.renderedContentURL)
    try Data("pixels".utf8).write(to: url)
    output = nil
    #expect(FileManager.default.fileExists(atPath: url.path))
    copy = nil
    #expect(copy == nil)
    #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
  }

  @Test func whatIsNoPhotoIsRefused() async throws {
    let missing = Photo(path: folder.path.appending("missing.jpg"))
    await #expect(throws: EditError.storage(.originalMissing(missing.path))) {
      try await editor.contentEditingInput(for: missing)
    }
    await #expect(throws: EditError.storage(.originalNotAFile(folder.path))) {
      try await editor.contentEditingInput(for: Photo(path: folder.path))
    }
    let text = try folder.add("bad/text.jpg")
    await #expect(throws: EditError.render(path: text.path, .notAPicture)) {
      try await editor.contentEditingInput(for: text)
    }
  }
}

extension [UInt8] {
  /// Whether JPEG could have made these codes of others.
  func isNear(_ codes: [UInt8]) -> Bool {
    count == codes.count && zip(self, codes).allSatisfy { abs(Int($0) - Int($1)) < 40 }
  }
}
