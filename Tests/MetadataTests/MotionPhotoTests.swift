import Foundation
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightMetadata

/// Videos that are put behind renders.
@Suite struct MotionPhotoTests {
  private let video: [UInt8] = {
    var movie = SampleMovie()
    movie.isQuickTime = false
    return movie.bytes
  }()

  /// A JPEG as renders are: an XMP packet, a profile, and a gain map or none behind it.
  private func render(mapLength: Int? = nil) throws -> [UInt8] {
    let original = PhotoBytes(try Data(contentsOf: Fixture.url("beach.jpg")))
    let map = try mapLength.map { length in
      let meaning = try #require(
        GainMapMeaning(
          channels: [
            GainMapMeaning.Channel(
              minimum: 0, maximum: 2, gamma: 1, baseOffset: 0, alternateOffset: 0)
          ], baseHeadroom: 0, alternateHeadroom: 2))
      return AttachedGainMap(
        coded: [0xFF, 0xD8] + [UInt8](repeating: 0, count: length) + [0xFF, 0xD9], meaning: meaning)
    }
    let picture = try #require(CodedPicture(jpeg: original))
    let header = CarriedMetadata(original: original).header(
      size: picture.size, baked: 1, profile: nil,
      derivedFrom: OriginalReference(fileName: "beach.jpg", sha256: "00"), with: map)
    var bytes: [UInt8] = []
    var splicer = JPEGSplicer(
      header: header.bytes, further: header.further, trailer: header.trailer
    ) { bytes += $0 }
    try ([0xFF, 0xD8] + [UInt8](original[picture.range])).withUnsafeBytes {
      try splicer.write($0)
    }
    try splicer.finish()
    return bytes
  }

  private func list(_ file: [UInt8]) throws -> MultiPictureIndex {
    let walk = try #require(JPEGSegments(PhotoBytes(Data(file))))
    let segment = try #require(
      walk.segments.first {
        $0.marker == 0xE2 && file[$0.payload].starts(with: Array("MPF\0".utf8))
      })
    return try #require(
      MultiPictureIndex(Array(file[segment.payload]), at: segment.payload.lowerBound))
  }

  @Test(arguments: [nil, 0.8])
  func theVideoIsFoundWhereItIsPut(time: Double?) throws {
    let still = try render()
    let file = try #require(
      MotionPhoto.bytes(of: still, with: video, mime: "video/mp4", stillImageTime: time))
    #expect(Array(file.suffix(video.count)) == video)
    let bytes = PhotoBytes(Data(file))
    let found = try #require(ContainedVideo(in: bytes))
    #expect(found.movie.range == file.count - video.count..<file.count)
    #expect(found.stillImageTime == time)
    #expect(PhotoHeader(bytes)?.signs.contains(.motionPhoto) == true)
    // The picture and what else its packet says stay.
    let picture = try #require(CodedPicture(jpeg: bytes))
    let before = PhotoBytes(Data(still))
    #expect(
      Array(file[picture.range]) == Array(still[try #require(CodedPicture(jpeg: before)).range]))
    #expect(XMPPacket.derivedFrom(inJPEG: Data(file))?.fileName == "beach.jpg")
  }

  /// The list of pictures still leads to the map, and says how long the first picture has become.
  @Test func aGainMapStaysInItsPlace() throws {
    let still = try render(mapLength: 300)
    let map = try list(still).images[1]
    let file = try #require(
      MotionPhoto.bytes(of: still, with: video, mime: "video/mp4", stillImageTime: nil))
    let moved = try list(file).images
    #expect(moved.count == 2 && moved[0].count == moved[1].lowerBound)
    #expect(Array(file[moved[1]]) == Array(still[map]))
    #expect(moved[1].upperBound == file.count - video.count)
    #expect(
      ContainedVideo(in: PhotoBytes(Data(file)))?.movie.range.lowerBound == moved[1].upperBound)
    // By the directory in the packet, too.
    let places = try #require(CarriedMetadata(original: PhotoBytes(Data(file))).xmp)
      .furtherPictures(ofFile: file.count)
    #expect(places == [moved[1], moved[1].upperBound..<file.count])
  }

  @Test func whatIsNoJPEGHasNoPlaceForIt() {
    let none = MotionPhoto.bytes(
      of: Array("none".utf8), with: video, mime: "video/mp4", stillImageTime: 0)
    #expect(none == nil)
  }
}
