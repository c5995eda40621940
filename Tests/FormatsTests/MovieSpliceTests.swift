import SafelightTestSupport
import Testing

@testable import SafelightFormats

/// The frames of one movie in another.
@Suite struct MovieSpliceTests {
  /// A movie whose tracks have samples in chunks, which stand in turns.
  private struct Sample {
    var tracks: [Track]
    var isLong = false
    var extra: [UInt8] = []
    var reference = 1

    struct Track {
      var number: Int
      var kind: String
      var chunks: [[[UInt8]]]
      var equal = 0
    }

    var bytes: [UInt8] {
      let type = box("ftyp", Array("qt  ".utf8) + big(0) + Array("qt  ".utf8))
      var media: [UInt8] = []
      var offsets = tracks.map { _ in [Int]() }
      for chunk in 0..<(tracks.map(\.chunks.count).max() ?? 0) {
        for (index, track) in tracks.enumerated() where chunk < track.chunks.count {
          offsets[index].append(type.count + 8 + media.count)
          media += track.chunks[chunk].flatMap { $0 }
        }
      }
      let header = box("mvhd", [UInt8](repeating: 0, count: 12) + big(600) + big(900) + zeros(80))
      let content = zip(tracks, offsets).flatMap { track($0, $1) }
      return type + box("mdat", media) + box("moov", header + content + box("udta", [1, 2, 3]))
        + extra
    }

    private func track(_ track: Track, _ offsets: [Int]) -> [UInt8] {
      let samples = track.chunks.flatMap { $0 }
      let sizes =
        big(0) + big(track.equal) + big(samples.count)
        + (track.equal > 0 ? [] : samples.flatMap { big($0.count) })
      let runs = track.chunks.enumerated().flatMap { big($0 + 1) + big($1.count) + big(1) }
      let places = offsets.flatMap { isLong ? big(0) + big($0) : big($0) }
      let table =
        box("stts", big(0) + big(1) + big(samples.count) + big(20))
        + box("stsz", sizes) + box("stsc", big(0) + big(track.chunks.count) + runs)
        + box(isLong ? "co64" : "stco", big(0) + big(offsets.count) + places)
      let data = box("dinf", box("dref", big(0) + big(1) + box("url ", big(reference))))
      let handler = box("hdlr", big(0) + Array("mhlr\(track.kind)".utf8) + zeros(12))
      let times = box("mdhd", zeros(12) + big(600) + big(900) + big(0))
      let media = box("mdia", times + handler + box("minf", data + box("stbl", table)))
      let tkhd = box("tkhd", big(7) + zeros(8) + big(track.number) + zeros(68))
      let extras = track.kind == "vide" ? box("tref", [9]) + box("meta", [8]) : box("edts", [7])
      return box("trak", tkhd + extras + media)
    }
  }

  /// The samples of each track, chunk by chunk, read by arithmetic of the test's own.
  private func samples(_ bytes: [UInt8]) -> [(kind: String, number: Int, chunks: [[UInt8]])] {
    bytes.withUnsafeBytes { data in
      func list(_ box: ISOMediaBox) -> [ISOMediaBox] { ISOMediaBox.list(data, box.content) }
      func find(_ path: [StaticString], in box: ISOMediaBox) -> ISOMediaBox? {
        path.reduce(box as ISOMediaBox?) { box, name in
          box.flatMap { list($0).first { $0.type == ISOMediaBox.type(name) } }
        }
      }
      let movie = ISOMediaBox.list(data, 0..<data.count).first {
        $0.type == ISOMediaBox.type("moov")
      }!
      return list(movie).filter { $0.type == ISOMediaBox.type("trak") }.map { track in
        let handler = find(["mdia", "hdlr"], in: track)!.content.lowerBound
        let kind = String(decoding: data[handler + 8..<handler + 12], as: UTF8.self)
        let number = data.uint32(at: find(["tkhd"], in: track)!.content.lowerBound + 12)!
        let table = find(["mdia", "minf", "stbl"], in: track)!
        let long = find(["co64"], in: table)
        let places = (long ?? find(["stco"], in: table)!).content.lowerBound
        let runs = find(["stsc"], in: table)!.content.lowerBound
        let sizes = find(["stsz"], in: table)!.content.lowerBound
        let equal = data.uint32(at: sizes + 4)!
        var sample = 0
        let chunks = (0..<data.uint32(at: places + 4)!).map { chunk -> [UInt8] in
          let offset =
            long == nil
            ? data.uint32(at: places + 8 + 4 * chunk)! : data.uint32(at: places + 12 + 8 * chunk)!
          let count = data.uint32(at: runs + 12 + 12 * chunk)!
          var length = 0
          for _ in 0..<count {
            length += equal > 0 ? equal : data.uint32(at: sizes + 12 + 4 * sample)!
            sample += 1
          }
          return Array(data[offset..<offset + length])
        }
        return (kind, number, chunks)
      }
    }
  }

  private let frames = Sample.Track(
    number: 4, kind: "vide", chunks: [[[1, 2, 3], [4]], [[5, 6]]])
  private let sound = Sample.Track(
    number: 5, kind: "soun", chunks: [[[10, 11], [12, 13]], [[14, 15]], [[16, 17]]], equal: 2)
  private let marks = Sample.Track(number: 7, kind: "meta", chunks: [[[20]], [[21, 22]]])
  private let others = Sample.Track(
    number: 1, kind: "vide", chunks: [[[31, 32, 33, 34]], [[35], [36, 37]], [[38]]])

  @Test(arguments: [false, true])
  func allButTheFramesStaysByteForByte(isLong: Bool) throws {
    var original = Sample(tracks: [sound, frames, marks])
    original.isLong = isLong
    original.extra = box("uuid", [1, 2, 3])
    let rendered = Sample(tracks: [others])
    let bytes = try #require(MovieSplice.bytes(of: original.bytes, withVideoOf: rendered.bytes))
    let found = samples(bytes)
    #expect(found.map(\.kind) == ["soun", "vide", "meta"] && found.map(\.number) == [5, 4, 7])
    for (track, expected) in zip(found, [sound, others, marks]) {
      #expect(track.chunks == expected.chunks.map { $0.flatMap { $0 } })
    }
    // Tables of time, edits, references and metadata are those of the tracks they came with.
    func contains(_ part: [UInt8]) -> Bool {
      bytes.indices.contains { bytes[$0...].starts(with: part) }
    }
    #expect(contains(box("tref", [9])) && contains(box("meta", [8])) && contains(box("edts", [7])))
    #expect(contains(box("udta", [1, 2, 3])) && bytes.suffix(11) == box("uuid", [1, 2, 3])[...])
    let movie = try #require(Movie(in: 0..<bytes.count) { bytes.bytes(at: $0, count: $1) })
    #expect(movie.duration == 1.5 && movie.video?.sampleCount == 4)
  }

  @Test func whatCannotBeFollowedIsRefused() {
    let rendered = Sample(tracks: [others]).bytes
    func isRefused(_ change: (inout Sample) -> Void) -> Bool {
      var sample = Sample(tracks: [frames, sound])
      change(&sample)
      return MovieSplice.bytes(of: sample.bytes, withVideoOf: rendered) == nil
    }
    #expect(!isRefused { _ in })
    // Samples in another file, in fragments, in old sound of one-byte samples; and no frames at all.
    #expect(isRefused { $0.reference = 0 })
    #expect(isRefused { $0.extra = box("moof", [0, 0]) })
    #expect(isRefused { $0.tracks[1].equal = 1 })
    #expect(isRefused { $0.tracks.removeFirst() })
    #expect(MovieSplice.bytes(of: Sample(tracks: [frames]).bytes, withVideoOf: []) == nil)
  }

  /// Wherever a movie is cut, and whatever a byte or a number of it becomes, nothing traps, and no more samples come out
  /// than both movies have.
  @Test func damagedMoviesAreJoinedOrRefused() {
    let rendered = Sample(tracks: [others]).bytes
    let bytes = Sample(tracks: [frames, sound, marks]).bytes
    func join(_ changed: [UInt8]) {
      for (first, second) in [(changed, rendered), (rendered, changed)] {
        let result = MovieSplice.bytes(of: first, withVideoOf: second)
        #expect((result?.count ?? 0) <= 3 * (first.count + second.count))
      }
    }
    for end in stride(from: 0, to: bytes.count, by: 5) { join(Array(bytes[..<end])) }
    for place in bytes.indices {
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var changed = bytes
        changed[place] = value
        join(changed)
        for next in place..<min(place + 8, bytes.count) { changed[next] = value }
        join(changed)
      }
    }
  }
}

/// Frames that the movie says to be turned.
@Suite struct MovieTurnTests {
  private func movie(_ bytes: [UInt8]) -> Movie? {
    Movie(in: 0..<bytes.count) { bytes.bytes(at: $0, count: $1) }
  }

  @Test(arguments: [false, true], 0..<4)
  func turnsAreAddedToThoseOfTheMovie(isTurned: Bool, turns: Int) throws {
    var sample = SampleMovie()
    sample.isTurned = isTurned
    sample.contentIdentifier = "A"
    let bytes = sample.bytes
    let turned = try #require(MovieTurn.bytes(of: bytes, byQuarterTurns: turns))
    let found = try #require(movie(turned)?.video)
    #expect(found.quarterTurns == (turns + (isTurned ? 1 : 0)) % 4)
    // Only the matrix is another one: 36 bytes.
    #expect(turned.count == bytes.count)
    let changed = bytes.indices.filter { bytes[$0] != turned[$0] }
    if let first = changed.first, let last = changed.last { #expect(last - first < 36) }
    #expect(movie(turned)?.contentIdentifier == "A")
    let back = try #require(MovieTurn.bytes(of: turned, byQuarterTurns: 4 - turns))
    #expect(movie(back)?.video?.quarterTurns == (isTurned ? 1 : 0))
  }

  @Test func framesThatAreMirroredOrNoneAreLeft() throws {
    let bytes = SampleMovie().bytes
    #expect(MovieTurn.bytes(of: Array(bytes.prefix(40)), byQuarterTurns: 1) == nil)
    let header = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("tkhd".utf8)) })
    var mirrored = bytes
    mirrored.set(uint32: 0xFFFF_0000, at: header + 4 + 40, .big)
    #expect(MovieTurn.bytes(of: mirrored, byQuarterTurns: 1) == nil)
  }
}

private func big(_ number: Int) -> [UInt8] {
  (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
