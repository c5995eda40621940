import SafelightTestSupport
import Testing

@testable import SafelightFormats

/// Movies of which less is played. The boxes are read by the tests' own arithmetic.
@Suite struct MovieTrimTests {
  /// A number of four bytes.
  private func number(_ bytes: [UInt8], _ place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The contents of the boxes at a path, wherever they are.
  private func contents(_ path: [String], in bytes: [UInt8]) -> [[UInt8]] {
    guard let name = path.first else { return [bytes] }
    var found: [[UInt8]] = []
    var place = 0
    while place + 8 <= bytes.count {
      let size = number(bytes, place)
      guard size >= 8, place + size <= bytes.count else { break }
      if bytes[place + 4..<place + 8].elementsEqual(name.utf8) {
        found += contents(Array(path.dropFirst()), in: Array(bytes[place + 8..<place + size]))
      }
      place += size
    }
    return found
  }

  private func big(_ numbers: Int...) -> [UInt8] {
    numbers.flatMap { number in (0..<4).reversed().map { UInt8(number >> (8 * $0) & 0xFF) } }
  }

  /// A track of 30 bytes of samples, whose media has 300 units for a second and lasts three seconds.
  private func track(
    _ number: Int, _ kind: String, offset: Int, edits: [UInt8]?, entry: [UInt8] = []
  ) -> [UInt8] {
    let zeros = { [UInt8](repeating: 0, count: $0) }
    // Sound whose samples have one byte counts otherwise.
    let size = kind == "soun" ? 2 : 1
    let table =
      box("stsd", big(0, 1) + box("abcd", zeros(8) + entry))
      + box("stsz", big(0, size, 30 / size)) + box("stsc", big(0, 1, 1, 30 / size, 1))
      + box("stco", big(0, 1, offset))
    let handler = box("hdlr", big(0) + Array("mhlr\(kind)".utf8) + zeros(12))
    let media = box("mdhd", zeros(12) + big(300, 900, 0)) + handler
    let header = box("tkhd", big(7) + zeros(8) + big(number, 0, 1800) + zeros(60))
    let list = edits.map { box("edts", box("elst", $0)) } ?? []
    return box("trak", header + list + box("mdia", media + box("minf", box("stbl", table))))
  }

  /// A movie of three seconds at 600 units for a second: frames, sound without edits, and the mark of a still after 1.5 s.
  private func movie(videoEdits: [UInt8]? = nil, isFirst: Bool = false) -> [UInt8] {
    let type = box("ftyp", Array("qt  \0\0\0\0qt  ".utf8))
    let zeros = { [UInt8](repeating: 0, count: $0) }
    func description(_ start: Int) -> [UInt8] {
      let mark = big(0, 2, 900, 0xFFFF_FFFF, 0x10000, 10, 0, 0x10000)
      let key = Array("mdtacom.apple.quicktime.still-image-time".utf8)
      let still = track(3, "meta", offset: start + 60, edits: mark, entry: key)
      let marked = still.replacing(Array("abcd".utf8), with: Array("mebx".utf8))
      return box(
        "moov",
        box("mvhd", zeros(12) + big(600, 1800) + zeros(80))
          + track(1, "vide", offset: start, edits: videoEdits)
          + track(2, "soun", offset: start + 30, edits: nil) + marked + box("udta", [1, 2, 3]))
    }
    let media = (0..<90).map { UInt8($0) }
    if !isFirst { return type + box("mdat", media) + description(type.count + 8) }
    let length = description(0).count
    return type + description(type.count + length + 8) + box("mdat", media)
  }

  private func edits(_ bytes: [UInt8], _ track: Int) -> [[Int]] {
    let content = contents(["moov", "trak", "edts", "elst"], in: bytes)[track]
    #expect(content[0] == 0)
    return (0..<number(content, 4)).map { line in
      (0..<3).map { number(content, 8 + 12 * line + 4 * $0) }
    }
  }

  @Test(arguments: [false, true])
  func aPartIsPlayedByEditLists(isFirst: Bool) throws {
    let original = movie(isFirst: isFirst)
    let bytes = try #require(MovieTrim.bytes(of: original, from: 0.5, to: 2))
    // Half a second is 150 units of the media, 1.5 s are 900 of the movie.
    #expect(edits(bytes, 0) == [[900, 150, 0x10000]] && edits(bytes, 1) == [[900, 150, 0x10000]])
    // The still stays with its frame: a second after the new beginning.
    #expect(edits(bytes, 2) == [[600, 0xFFFF_FFFF, 0x10000], [10, 0, 0x10000]])
    let read = try #require(Movie(in: 0..<bytes.count) { bytes.bytes(at: $0, count: $1) })
    #expect(read.duration == 1.5 && read.stillImageTime == 1)
    let durations = contents(["moov", "trak", "tkhd"], in: bytes).map { number($0, 20) }
    #expect(durations == [900, 900, 610])
    // The samples are where the tables say, and all else is as it was.
    let places = contents(["moov", "trak", "mdia", "minf", "stbl", "stco"], in: bytes)
    #expect(places.map { bytes[number($0, 8)] } == [0, 30, 60])
    #expect(contents(["moov", "udta"], in: bytes) == [[1, 2, 3]])
  }

  @Test func soundThatIsLeftOutIsNotInTheFile() throws {
    let bytes = try #require(MovieTrim.bytes(of: movie(), isMuted: true))
    let read = try #require(Movie(in: 0..<bytes.count) { bytes.bytes(at: $0, count: $1) })
    #expect(!read.hasSound && read.tracks.count == 2 && read.duration == 3)
    #expect(read.stillImageTime == 1.5)
    let media = Array(UInt8(0)..<30) + Array(UInt8(60)..<90)
    #expect(contents(["mdat"], in: bytes) == [media])
    // Without another part the tracks keep their edits.
    #expect(contents(["moov", "trak", "edts", "elst"], in: bytes).count == 1)
  }

  /// Frames that begin after 0.3 s, and are shown from the 60th unit of their media on.
  @Test(arguments: [
    (0.1, 1.3, [[120, 0xFFFF_FFFF, 0x10000], [600, 60, 0x10000]]),
    (0.5, 1.0, [[300, 120, 0x10000]]),
    (0.5, 100, [[1500, 120, 0x10000]]),
  ])
  func editsThatAreThereAreFollowed(start: Double, end: Double, expected: [[Int]]) throws {
    let list = big(0, 2, 180, 0xFFFF_FFFF, 0x10000, 1620, 60, 0x10000)
    let original = movie(videoEdits: list)
    let bytes = try #require(MovieTrim.bytes(of: original, from: start, to: end))
    #expect(edits(bytes, 0) == expected)
  }

  @Test(arguments: [(2.0, 3.0, 0.0), (0.0, 1.0, 590.0 / 600)])
  func aStillThatIsTrimmedIsMarkedAtTheNearestEnd(
    start: Double, end: Double, expected: Double
  ) throws {
    let bytes = try #require(MovieTrim.bytes(of: movie(), from: start, to: end))
    let read = try #require(Movie(in: 0..<bytes.count) { bytes.bytes(at: $0, count: $1) })
    #expect(read.stillImageTime == expected && read.duration == end - start)
  }

  @Test func whatLeavesNothingIsRefused() {
    #expect(MovieTrim.bytes(of: movie(), from: 2, to: 2) == nil)
    #expect(MovieTrim.bytes(of: movie(), from: 3, to: 4) == nil)
    #expect(MovieTrim.bytes(of: movie(), from: -1) == nil)
    #expect(MovieTrim.bytes(of: movie(), from: .infinity) == nil)
    #expect(MovieTrim.bytes(of: Array("no movie".utf8), from: 1) == nil)
    var damaged = movie()
    for place in damaged.count - 400..<damaged.count - 200 { damaged[place] = 0xFF }
    _ = MovieTrim.bytes(of: damaged, from: 1)
  }
}
