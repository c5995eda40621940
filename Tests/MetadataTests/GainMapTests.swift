import Foundation
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightMetadata

@Suite struct GainMapTests {
  private static func map(_ data: Data) -> GainMap? { CarriedMetadata(original: data).gainMap }

  // MARK: - Numbers

  private static func random(_ generator: inout SeededGenerator) throws -> GainMapMeaning {
    let brighter = Bool.random(using: &generator)
    let headrooms = [0, Double.random(in: 0.1...8, using: &generator)]
    return try #require(
      GainMapMeaning(
        channels: (0..<(Bool.random(using: &generator) ? 3 : 1)).map { _ in
          let minimum = Double.random(in: -4...2, using: &generator)
          return GainMapMeaning.Channel(
            minimum: minimum, maximum: minimum + .random(in: 0...6, using: &generator),
            gamma: .random(in: 0.1...4, using: &generator),
            baseOffset: .random(in: -0.1...0.1, using: &generator),
            alternateOffset: .random(in: 0...1, using: &generator))
        }, baseHeadroom: headrooms[brighter ? 1 : 0], alternateHeadroom: headrooms[brighter ? 0 : 1]
      ))
  }

  private static func numbers(_ meaning: GainMapMeaning) -> [Double] {
    [meaning.baseHeadroom, meaning.alternateHeadroom]
      + meaning.channels.flatMap {
        [$0.minimum, $0.maximum, $0.gamma, $0.baseOffset, $0.alternateOffset]
      }
  }

  /// Both forms have all numbers to a millionth.
  @Test func whatIsWrittenIsRead() throws {
    var generator = SeededGenerator(seed: 21_496)
    for _ in 0..<200 {
      let meaning = try Self.random(&generator)
      let packet = try #require(XMPPacket(meaning.packet))
      for read in [GainMapMeaning(iso: meaning.iso), GainMapMeaning(packet)] {
        let read = try #require(read)
        #expect(read.channels.count == meaning.channels.count)
        #expect(
          zip(Self.numbers(read), Self.numbers(meaning)).allSatisfy { abs($0 - $1) <= 0.6e-6 })
      }
    }
  }

  /// The bytes that libultrahdr 1.4 writes for 1 to 59 times (its metadata has 5 stops and a little more).
  private static let published: [UInt8] = {
    let fractions: [Int] = [
      0, 1, 0x59F541, 0x100000, 0, 1, 0x59F541, 0x100000, 1, 1, 0, 1, 0, 1,
    ]
    var bytes: [UInt8] = [0, 0, 0, 0, 0x40]
    for number in fractions { bytes.append(uint32: number) }
    return bytes
  }()

  @Test func theBytesOfOtherWritersAreRead() throws {
    let meaning = try #require(GainMapMeaning(iso: Self.published))
    #expect(meaning.alternateHeadroom == Double(0x59F541) / Double(0x100000))
    #expect(meaning.baseHeadroom == 0 && meaning.isInBaseColors)
    #expect(
      meaning.channels == [
        .init(
          minimum: 0, maximum: meaning.alternateHeadroom, gamma: 1, baseOffset: 0,
          alternateOffset: 0)
      ])
    // What a newer writer adds.
    let longer: [UInt8] = [0, 0, 0, 1] + Self.published.dropFirst(4) + [1, 2, 3]
    #expect(GainMapMeaning(iso: longer) == meaning)
    // One denominator for all, 1,000: 0 to 2 stops, from -0.5 to 2, gamma 1.5, offsets 0.1 and -0.1.
    var common: [UInt8] = [0, 0, 0, 0, 0x08]
    for number in [1000, 0, 2000, -500, 2000, 1500, 100, -100] { common.append(uint32: number) }
    #expect(
      GainMapMeaning(iso: common)?.channels
        == [.init(minimum: -0.5, maximum: 2, gamma: 1.5, baseOffset: 0.1, alternateOffset: -0.1)])
    // A base for bright screens that has no more headroom contradicts itself.
    common[4] |= 0x04
    #expect(GainMapMeaning(iso: common) == nil)
  }

  @Test func damagedNumbersAreNoMap() throws {
    let bytes = Self.published
    for count in 0..<bytes.count { #expect(GainMapMeaning(iso: bytes[..<count]) == nil) }
    // A version that older readers cannot read, and three channels where there is one.
    #expect(GainMapMeaning(iso: [0, 1] + bytes.dropFirst(2)) == nil)
    #expect(GainMapMeaning(iso: bytes[..<4] + [0xC0] + bytes[5...]) == nil)
    for denominator in stride(from: 9, to: bytes.count, by: 8) {
      var changed = bytes
      changed.set(uint32: 0, at: denominator, .big)
      #expect(GainMapMeaning(iso: changed) == nil)
    }
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<2000 {
      var changed = bytes
      for _ in 0..<3 {
        changed[.random(in: 4..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      guard let read = GainMapMeaning(iso: changed) else { continue }
      #expect(Self.numbers(read).allSatisfy { $0.isFinite && abs($0) <= 1000 })
    }
  }

  @Test(
    arguments: [
      ("hdrgm:GainMapMax=\"nan\"", nil), ("hdrgm:GainMapMax=\"1e300\"", nil),
      ("hdrgm:GainMapMax=\"-1\"", nil), ("hdrgm:Gamma=\"0\" hdrgm:GainMapMax=\"1\"", nil),
      ("", nil), ("hdrgm:GainMapMax=\"2\"", 2),
      ("hdrgm:GainMapMax=\"2\" hdrgm:HDRCapacityMax=\"3/2\"", 1.5),
      ("hdrgm:GainMapMax=\"0\" hdrgm:HDRCapacityMax=\"0\"", nil),
    ] as [(String, Double?)])
  func propertiesNeedAGreatestGainAndAHeadroom(attributes: String, headroom: Double?) throws {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPPacket.Namespace.rdf)">
      <rdf:Description xmlns:hdrgm="\(XMPPacket.Namespace.hdrgm)" hdrgm:Version="1.0" \(attributes)/>
      </rdf:RDF></x:xmpmeta>
      """
    let packet = try #require(XMPPacket(Array(text.utf8)))
    #expect(GainMapMeaning(packet)?.alternateHeadroom == headroom)
  }

  /// Each branch of Apple's rule; the values at its limits were computed by hand.
  @Test(
    arguments: [
      (0.5, 0.0, 1.8), (0.5, 0.01, 1.6), (0.5, 1, 1.5), (1.00999999, 0.2693225146, 2.221395),
      (1.5, 0.0, 3), (1.5, 0.01, 2.3), (1.5, 8, nil),
    ] as [(Double, Double, Double?)])
  func appleMakerNotesSayTheHeadroom(headroom: Double, gain: Double, stops: Double?) throws {
    var notes = ExifFixture(little: false, size: 80, firstDirectory: 8)
    notes.put(Array("Apple iOS\0\0\u{1}MM".utf8), at: 0)
    func rational(_ number: Double) -> [UInt8] { notes.rational([(Int(number * 1e6), 1_000_000)]) }
    notes.directory(
      at: 14,
      [
        .init(33, 10, 1, rational(headroom), at: 60), .init(48, 10, 1, rational(gain), at: 68),
      ])
    var block = ExifFixture(little: true, size: 200)
    block.directory(
      at: 8,
      [.init(0x10F, 2, 6, Array("Apple\0".utf8), at: 60), .init(0x8769, 4, 1, block.long(70))])
    block.directory(at: 70, [.init(0x927C, 7, 80, notes.bytes, at: 100)])
    let exif = try #require(ExifBlock(block.bytes))
    let found = GainMapMeaning(apple: nil, exif)
    #expect(found.map { abs($0.alternateHeadroom - (stops ?? 0)) < 1e-5 } ?? (stops == nil))
  }

  // MARK: - Files

  @Test(
    arguments: [
      ("iso", .iso, 1, 60, 40), ("adobe", .adobe, 3, 60, 40), ("apple", .apple, 1, 60, 40),
    ] as [(String, GainMap.Convention, Int, Int, Int)])
  func fixturesHaveMaps(
    name: String, convention: GainMap.Convention, channels: Int, width: Int, height: Int
  ) throws {
    let data = try Data(contentsOf: Fixture.url("hdr/\(name).jpg"))
    let map = try #require(Self.map(data))
    #expect(map.convention == convention && map.channelCount == channels && map.headroom == 3)
    #expect(map.pixelWidth == width && map.pixelHeight == height && !map.isBaseBrighter)
    guard case .part(let part) = map.place else { throw TestFailure() }
    #expect(part.upperBound == data.count && data[part].starts(with: [0xFF, 0xD8]))
  }

  private struct TestFailure: Error {}

  /// Without its list, a file is read by the directory of GContainer; with neither, it has no map.
  @Test func theDirectoryFindsTheMapToo() throws {
    let data = try Data(contentsOf: Fixture.url("hdr/iso.jpg"))
    let map = try #require(Self.map(data))
    var other = data
    let list = try #require([UInt8](data).offset(of: "MPF\0", in: 0..<data.count))
    other[list] = UInt8(ascii: "X")
    #expect(Self.map(other) == map)
    // Lengths that lead out of the file, or to something else.
    let length = try #require([UInt8](data).offset(of: "Item:Length=\"1334", in: 0..<data.count))
    for wrong in ["9999", "-001", "1333", "0000"] {
      var damaged = other
      damaged.replaceSubrange(length + 13..<length + 17, with: wrong.utf8)
      #expect(Self.map(damaged) == nil)
    }
  }

  /// Damage anywhere in the two pictures' headers gives this map, another one, or none.
  @Test(arguments: ["iso", "adobe", "apple"])
  func damageNeverTraps(name: String) throws {
    let data = try Data(contentsOf: Fixture.url("hdr/\(name).jpg"))
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<Rounds.count(300, long: 10_000) {
      var damaged = data
      for _ in 0..<4 {
        damaged[.random(in: 0..<data.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) {
        damaged = damaged.prefix(.random(in: 0..<data.count, using: &generator))
      }
      guard let map = Self.map(damaged) else { continue }
      #expect((0...32).contains(map.headroom) && map.pixelWidth > 0 && map.pixelHeight > 0)
      guard case .part(let part) = map.place else { throw TestFailure() }
      #expect(part.upperBound <= damaged.count)
    }
  }

  @Test(
    .enabled(if: SharedData.isThere, SharedData.absence),
    arguments: [
      ("hdr/Ultra_HDR_Samples_Originals_02.jpg", .adobe, 1, 1020, 768, 2.039969),
      ("hdr/apple_gainmap_new.jpg", .apple, 1, 192, 256, 2.180397),
      ("hdr/seine_sdr_gainmap_srgb.jpg", .adobe, 3, 400, 300, 1.3),
      ("hdr/rgba_uhdr.jpg", .adobe, 1, 31, 32, 5.62238),
      ("hdr/seine_sdr_gainmap_srgb.avif", .iso, 3, 400, 300, 1.3),
    ] as [(String, GainMap.Convention, Int, Int, Int, Double)])
  func realFilesHaveMaps(
    file: String, convention: GainMap.Convention, channels: Int, width: Int, height: Int,
    headroom: Double
  ) throws {
    let map = try #require(Self.map(try SharedData.data(file)))
    #expect(map.convention == convention && map.channelCount == channels)
    #expect(map.pixelWidth == width && map.pixelHeight == height)
    #expect(abs(map.headroom - headroom) < 1e-5)
  }
}
