import SafelightFiles
import SafelightMetadata
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

/// What a decoder attached to its pictures outlives them.
@Suite(.enabled(if: SharedData.isThere, SharedData.absence))
struct AttachmentTests {
  /// The decoder of HEIC gives attachments that end with its picture. Other memory is taken meanwhile, so that they would be
  /// seen to change.
  @Test(arguments: ["formats/IMG_5195.HEIC", "formats/IMG_1034.heic", "formats/example.heic"])
  func picturesInMemoryHaveAttachmentsOfTheirOwn(name: String) throws {
    let bytes = try SharedData.bytes(name)
    var kept: Image?
    var before: [Image.Attachment: [UInt8]] = [:]
    do {
      let decoded = try Image.open(try Source(bytes), as: .heif)
      for attachment in Image.Attachment.allCases {
        before[attachment] = decoded.attachment(attachment)
      }
      kept = try decoded.inMemory()
    }
    let others = (0..<200).map { [UInt8](repeating: UInt8($0), count: 536) }
    let image = try #require(kept)
    for (attachment, bytes) in before {
      #expect(image.attachment(attachment) == bytes, "\(attachment)")
    }
    #expect(others.count == 200)
  }
}
