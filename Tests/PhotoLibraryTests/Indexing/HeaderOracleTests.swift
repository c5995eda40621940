import Foundation
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightTestSupport
import Testing

/// The header reader and the decoders read the same facts from every photo.
@Suite struct HeaderOracleTests {
  private static let photos: [URL] = {
    let folders = [Fixture.folder, SharedData.folder].compactMap { $0 }
    let endings: Set = ["jpg", "jpeg", "png", "webp", "heic", "avif", "tif"]
    return folders.flatMap { folder in
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
        .compactMap { $0 as? URL }.filter { endings.contains($0.pathExtension.lowercased()) } ?? []
    }
  }()

  @Test func agreesWithTheDecodersOnEveryPhoto() throws {
    var compared = 0
    let renderer = Renderer()
    for photo in Self.photos {
      guard let file = try? FileSystem.real.openForReading(FilePath(photo.path)) else { continue }
      let size = Int(try FileSystem.real.status(of: file).size)
      guard
        let facts = try? renderer.open(PhotoSource(file, name: photo.lastPathComponent)).facts,
        let header = PhotoHeader(PhotoBytes(file, size: size))
      else { continue }
      compared += 1
      let name = Comment(rawValue: photo.path)
      #expect(
        [header.width, header.height] == [facts.pixelWidth, facts.pixelHeight], name)
      #expect(header.orientation == facts.orientation, name)
      #expect(header.captureDate == facts.creationDate, name)
      #expect(header.camera == facts.camera, name)
      #expect(header.latitude == facts.location?.latitude, name)
      #expect(header.renderOf == facts.derivedFrom?.fileName, name)
    }
    #expect(compared >= 10)
  }
}
