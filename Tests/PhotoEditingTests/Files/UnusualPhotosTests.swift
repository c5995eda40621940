import Foundation
import PhotoEditing
import Testing

@testable import SafelightFiles

/// Valid files that decoders refuse, or show as something else than the photo.
@Suite struct UnusualPhotosTests {
  private let folder = PhotoFolder()
  private let editor = PhotoEditor.test()

  // MARK: - HEIC

  /// libheif 1.15 refuses the whole file. Newer phones write such items.
  @Test func aPhotoWithMetadataForNoItemIsOpened() async throws {
    let photo = try folder.add("photo.heic")
    var bytes = try Data(Fixtures.bytes("photo.heic"))
    let reference = try #require(bytes.range(of: Data("cdsc".utf8)))
    // The Exif block describes item 1; there is no item 99.
    bytes[reference.upperBound + 5] = 99
    folder.put(Array(bytes), as: photo.name)

    let result = try await editor.apply(.named("noir"), to: photo)
    #expect(result.status == .edited)
    let state = try await editor.state(of: photo)
    #expect(state.edit?.renderSize == PixelSize(width: 240, height: 160))
    #expect(state.original.camera == "Safelight Procedural")
  }

  // MARK: - TIFF

  /// A directory of a TIFF to be made, its pixels uncompressed and of one color.
  private struct Directory {
    var size = (width: 24, height: 16)
    var samples: [UInt8] = [200, 100, 50]
    var tags: [Int: [Int]] = [:]
    var texts: [Int: String] = [:]
    var children: [Directory] = []
  }

  /// A TIFF whose directories stand behind all pixels, as many programs write it.
  private func tiff(_ pages: [Directory]) -> Data {
    var bytes: [UInt8] = Array("II*\0".utf8) + [0, 0, 0, 0]
    func little(_ number: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    func add(_ directory: Directory) -> Int {
      let children = directory.children.map(add)
      let (width, height) = directory.size
      let pixels = bytes.count
      bytes += (0..<width * height).flatMap { _ in directory.samples }
      let count = bytes.count - pixels
      var tags: [Int: [Int]] = [
        256: [width], 257: [height], 258: directory.samples.map { _ in 8 }, 259: [1], 262: [2],
        273: [pixels], 277: [directory.samples.count], 278: [height], 279: [count],
      ]
      tags.merge(directory.tags) { $1 }
      if !children.isEmpty { tags[330] = children }
      var entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = tags.map { tag, numbers in
        let type = [273, 279, 330].contains(tag) ? 4 : tag == 50_706 ? 1 : 3
        let width = [1: 1, 3: 2, 4: 4][type]!
        return (tag, type, numbers.count, numbers.flatMap { little($0, width) })
      }
      entries += directory.texts.map { ($0, 2, $1.utf8.count + 1, Array($1.utf8) + [0]) }
      for index in entries.indices where entries[index].value.count > 4 {
        let place = bytes.count
        bytes += entries[index].value
        entries[index].value = little(place, 4)
      }
      let offset = bytes.count
      bytes += little(entries.count, 2)
      for entry in entries.sorted(by: { $0.tag < $1.tag }) {
        bytes += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, 4)
        bytes += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      }
      bytes += [0, 0, 0, 0]
      return offset
    }
    var link = 4
    for page in pages {
      let offset = add(page)
      bytes.replaceSubrange(link..<link + 4, with: little(offset, 4))
      link = bytes.count - 4
    }
    return Data(bytes)
  }

  private func add(_ data: Data, as name: FilePath) -> Photo {
    folder.put(Array(data), as: name)
    return Photo(path: folder.path.appending(name))
  }

  private func refusal(of photo: Photo) async -> RenderError? {
    do {
      try await editor.apply(.named("noir"), to: photo)
    } catch {
      if case .render(_, let reason) = error as? EditError { return reason }
    }
    return nil
  }

  private func expectRefusal(
    _ kind: String, of data: Data, _ name: FilePath = "photo", advice: String,
    at place: SourceLocation = #_sourceLocation
  ) async throws {
    let photo = add(data, as: name)
    let error = await refusal(of: photo)
    #expect(error?.code == "unsupported-format", sourceLocation: place)
    guard case .unsupportedFormat(kind, _) = error else {
      Issue.record("\(error as Any)", sourceLocation: place)
      return
    }
    #expect(error?.recoverySuggestion?.contains(advice) == true, sourceLocation: place)
    #expect(folder.names == [name], sourceLocation: place)
  }

  @Test func aMosaicIsNoPicture() async throws {
    // More pixels than are read to recognize a file, so that the directory is far behind.
    let mosaic = Directory(
      size: (100, 80), samples: [7], tags: [262: [32_803], 50_706: [1, 4, 0, 0]],
      texts: [271: "NIKON", 272: "D750"])
    try await expectRefusal(
      "a camera raw file", of: tiff([mosaic]), advice: "exiftool -b -JpgFromRaw")
    let error = await refusal(of: Photo(path: folder.path.appending("photo")))
    #expect(error?.description.contains("taken with a NIKON D750") == true)
  }

  @Test(arguments: [32_803, 34_892]) func aThumbnailBeforeRawPixelsIsNotThePhoto(
    meaning: Int
  ) async throws {
    // Some raw files say nothing else of the kind: neither a version nor that it is a thumbnail.
    let raw = Directory(size: (90, 60), samples: [1, 2, 3], tags: [262: [meaning]])
    let file = tiff([Directory(children: [raw])])
    try await expectRefusal("a camera raw file", of: file, advice: "darktable")
  }

  @Test(arguments: [34_713, 32_767, 65_535, 52_546]) func aCamerasCompressionMakesARawFile(
    method: Int
  ) async throws {
    let raw = Directory(samples: [1], tags: [259: [method]])
    try await expectRefusal(
      "a camera raw file", of: tiff([Directory(), raw]), advice: "RawTherapee")
  }

  @Test func theFirstPageThatIsNoThumbnailIsThePhoto() async throws {
    let thumbnail = Directory(size: (6, 4), samples: [0, 0, 0], tags: [254: [1], 274: [6]])
    let file = tiff([thumbnail, Directory(size: (40, 30), tags: [274: [1]])])
    let photo = add(file, as: "scan.tif")
    let result = try await editor.apply(.named("noir"), to: photo)
    #expect(result.ownWarnings.isEmpty)
    let state = try await editor.state(of: photo)
    #expect(state.edit?.renderSize == PixelSize(width: 40, height: 30))

    // The picture that was edited is the large one: a change of it is noticed.
    let other = tiff([thumbnail, Directory(size: (40, 30), samples: [9, 9, 9], tags: [274: [1]])])
    _ = add(other, as: "scan.tif")
    await #expect(throws: EditError.self) {
      try await editor.apply(.named("vivid-warm"), to: photo)
    }
  }

  @Test func aPictureBelowAThumbnailIsThePhoto() async throws {
    let full = Directory(size: (40, 30), samples: [10, 20, 30])
    let file = tiff([Directory(size: (6, 4), tags: [254: [1]], children: [full])])
    let photo = add(file, as: "scan.tif")
    _ = try await editor.apply(.named("noir"), to: photo)
    let state = try await editor.state(of: photo)
    #expect(state.edit?.renderSize == PixelSize(width: 40, height: 30))
  }

  @Test(
    arguments: [
      (
        [258: [24, 24, 24], 339: [3, 3, 3]], "a TIFF of 24-bit floating-point samples",
        "ImageMagick"
      ),
      ([258: [12, 12, 12]], "a TIFF of 12-bit samples", "ImageMagick"),
      ([262: [6], 530: [3, 1]], "a TIFF of subsampled colors (YCbCr)", "gm convert"),
      ([259: [34_712]], "a TIFF compressed as JPEG 2000", "JPEG, PNG or TIFF"),
      ([258: [8, 8, 16]], "a TIFF of channels of different widths", "8 or 16 bits"),
    ] as [([Int: [Int]], String, String)])
  func samplesThatNoDecoderReadsAreNamed(
    tags: [Int: [Int]], kind: String, advice: String
  ) async throws {
    try await expectRefusal(kind, of: tiff([Directory(tags: tags)]), advice: advice)
  }

  // MARK: - JPEG

  private func jpeg(_ change: (inout Data, _ frame: Int) -> Void) throws -> Data {
    var bytes = Data(try Fixtures.bytes("profiles/p3.jpg"))
    let frame = try #require(bytes.range(of: Data([0xFF, 0xC0, 0])))
    change(&bytes, frame.lowerBound)
    return bytes
  }

  @Test func jpegsOfOtherKindsAreNamed() async throws {
    let kinds: [(kind: String, advice: String, change: (inout Data, Int) -> Void)] = [
      ("a JPEG of more than 8 bits a channel", "ffmpeg", { $0[$1 + 4] = 12 }),
      ("a lossless JPEG", "ffmpeg", { $0[$1 + 1] = 0xC3 }),
      ("a hierarchical JPEG", "program that made it", { $0[$1 + 1] = 0xC5 }),
      (
        "a JPEG whose height stands behind its pixels (DNL)", "program that made it",
        { bytes, frame in
          let height = Data(bytes[(frame + 5)..<(frame + 7)])
          bytes.replaceSubrange((frame + 5)..<(frame + 7), with: [0, 0])
          bytes.insert(contentsOf: Data([0xFF, 0xDC, 0, 4]) + height, at: bytes.count - 2)
        }
      ),
    ]
    for (kind, advice, change) in kinds {
      try await expectRefusal(kind, of: jpeg(change), advice: advice)
    }
  }

  @Test func aJPEGWithoutAHeightIsDamaged() async throws {
    let file = try jpeg { $0.replaceSubrange(($1 + 5)..<($1 + 7), with: [0, 0]) }
    let error = await refusal(of: add(file, as: "photo"))
    #expect(error?.code == "damaged" || error?.code == "too-many-pixels")
  }

  // MARK: - Folders

  @Test func aFolderTellsRawFilesFromPhotos() throws {
    let mosaic = Directory(size: (100, 80), samples: [7], tags: [262: [32_803]])
    _ = add(tiff([mosaic]), as: "IMG_1.DNG")
    _ = add(tiff([Directory(size: (6, 4), tags: [254: [1]]), Directory()]), as: "scan.tif")
    _ = add(Data("P6\n1 1\n255\n...".utf8), as: "a.ppm")
    let listed = try PhotoEditing.PhotoFolder(folder.path)
    #expect(listed.photos.map(\.lastComponent) == ["scan.tif"])
    #expect(listed.unsupported == ["a camera raw file": 1, "a PNM picture": 1])
  }
}
