import SafelightTestSupport
import Testing

@testable import SafelightFormats

@Suite struct MovieTests {
  private func movie(_ bytes: [UInt8], from start: Int = 0) -> Movie? {
    Movie(in: start..<bytes.count) { bytes.bytes(at: $0, count: $1) }
  }

  @Test(arguments: [true, false])
  func boxesSayWhatTheMovieIs(isQuickTime: Bool) throws {
    var sample = SampleMovie()
    sample.isQuickTime = isQuickTime
    sample.contentIdentifier = "A1B2C3D4-0001-4A00-8B00-000000009001"
    sample.stillImageTime = 800
    sample.isTurned = true
    let bytes = sample.bytes
    let found = try #require(movie(bytes))
    #expect(found.range == 0..<bytes.count && found.duration == 1.5 && found.hasSound)
    #expect(found.contentIdentifier == sample.contentIdentifier && found.stillImageTime == 0.8)
    #expect(found.video?.coding == "avc1" && found.video?.sampleCount == 45)
    #expect(found.size?.width == 360 && found.size?.height == 480)
    #expect(found.tracks.map(\.kind) == [.video, .sound, .metadata])
  }

  /// What follows a movie in a photo's file is not the movie's.
  @Test func theMovieEndsWithItsLastBox() throws {
    var sample = SampleMovie()
    sample.hasSound = false
    let (before, bytes) = ([UInt8](repeating: 1, count: 100), sample.bytes)
    let file =
      before + bytes + [0, 0, 0, 20] + Array("sefd".utf8) + [UInt8](repeating: 0, count: 12)
    let found = try #require(movie(file, from: 100))
    #expect(found.range == 100..<100 + bytes.count && !found.hasSound)
    #expect(found.contentIdentifier == nil && found.stillImageTime == nil)
  }

  /// Wherever a file is cut, and whatever a byte of it becomes, reading ends within its bytes.
  @Test func damagedMoviesAreReadAsFarAsTheyGo() {
    var sample = SampleMovie()
    sample.contentIdentifier = "A"
    sample.stillImageTime = 100
    let bytes = sample.bytes
    for end in stride(from: 0, to: bytes.count, by: 3) {
      #expect(movie(Array(bytes[..<end])) == nil)
    }
    for place in bytes.indices {
      var changed = bytes
      changed[place] = 0xFF
      if let found = movie(changed) { #expect(found.range.upperBound <= bytes.count) }
    }
  }
}
