import FoundationEssentials
import Glibc
import SafelightFormats

// The same numbers in the forms that files have for them.

extension GainMapMeaning {
  /// What begins the APP2 segments of ISO 21496-1.
  static let isoHeader = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

  private enum Flag {
    static let hasThreeChannels = 0x80
    static let isInBaseColors = 0x40
    /// Writers before the standard was finished: one denominator for all numbers, and a base for bright screens.
    static let hasOneDenominator = 0x08
    static let isBackward = 0x04
  }

  /// Reads the binary metadata of ISO 21496-1: versions, flags, and fractions of 32 bits each.
  ///
  /// - Parameter bytes: From the versions on. What a newer writer adds at the end is passed over.
  /// - Returns: `nil` for metadata of a newer version, damaged ones, and those without numbers.
  init?(iso bytes: some RandomAccessCollection<UInt8>) {
    let bytes = Array(bytes.prefix(256))
    guard bytes.uint16(at: 0) == 0, let flags = bytes.byte(at: 4).map(Int.init) else { return nil }
    var offset = 5
    func number() -> Int? {
      defer { offset += 4 }
      return bytes.uint32(at: offset)
    }
    let common: Int?
    if flags & Flag.hasOneDenominator != 0 {
      guard let number = number() else { return nil }
      common = number
    } else {
      common = nil
    }
    func fraction(isSigned: Bool) -> Double? {
      guard let above = number(), let below = common ?? number(), below > 0 else { return nil }
      return (isSigned ? Double(Int32(truncatingIfNeeded: above)) : Double(above)) / Double(below)
    }
    guard let base = fraction(isSigned: false), let alternate = fraction(isSigned: false),
      flags & Flag.isBackward == 0 || base > alternate
    else { return nil }
    var channels: [Channel] = []
    for _ in 0..<(flags & Flag.hasThreeChannels != 0 ? 3 : 1) {
      guard let minimum = fraction(isSigned: true), let maximum = fraction(isSigned: true),
        let gamma = fraction(isSigned: false), let baseOffset = fraction(isSigned: true),
        let alternateOffset = fraction(isSigned: true)
      else { return nil }
      channels.append(
        Channel(
          minimum: minimum, maximum: maximum, gamma: gamma, baseOffset: baseOffset,
          alternateOffset: alternateOffset))
    }
    self.init(
      channels: channels, baseHeadroom: base, alternateHeadroom: alternate,
      isInBaseColors: flags & Flag.isInBaseColors != 0)
  }

  /// The binary metadata of ISO 21496-1, in millionths.
  var iso: [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.append(
      UInt8(
        (channels.count == 3 ? Flag.hasThreeChannels : 0)
          | (isInBaseColors ? Flag.isInBaseColors : 0)))
    let numbers =
      [baseHeadroom, alternateHeadroom]
      + channels.flatMap {
        [$0.minimum, $0.maximum, $0.gamma, $0.baseOffset, $0.alternateOffset]
      }
    for number in numbers {
      bytes.append(uint32: Int((number * 1e6).rounded()))
      bytes.append(uint32: 1_000_000)
    }
    return bytes
  }

  /// Reads the `hdrgm` properties of a map's packet. Source: Adobe, "Gain map specification" 1.0, "XMP".
  ///
  /// - Returns: `nil` for a packet without a version or a greatest gain, and for numbers that cannot be.
  init?(_ packet: XMPPacket) {
    typealias Name = XMPPacket.Namespace
    guard packet.text(Name.hdrgm, "Version") != nil else { return nil }
    /// One number or three; one that is absent is as usual.
    func numbers(_ name: String, usual: Double?) -> [Double]? {
      let list = packet.texts(Name.hdrgm, name)
      guard list.isEmpty else {
        let numbers = list.compactMap { Double($0) }
        return numbers.count == list.count && [1, 3].contains(list.count) ? numbers : nil
      }
      guard packet.text(Name.hdrgm, name) != nil else { return usual.map { [$0] } }
      return packet.number(Name.hdrgm, name).map { [$0] }
    }
    guard let maximum = numbers("GainMapMax", usual: nil),
      let minimum = numbers("GainMapMin", usual: 0), let gamma = numbers("Gamma", usual: 1),
      let dark = numbers("OffsetSDR", usual: 1.0 / 64),
      let bright = numbers("OffsetHDR", usual: 1.0 / 64),
      let least = numbers("HDRCapacityMin", usual: 0)?.first,
      let most = numbers("HDRCapacityMax", usual: maximum.max())?.first
    else { return nil }
    let isBrighter = packet.text(Name.hdrgm, "BaseRenditionIsHDR")?.lowercased() == "true"
    let count = [maximum, minimum, gamma, dark, bright].map(\.count).max() ?? 1
    let channels = (0..<count).map { index in
      func channel(_ numbers: [Double]) -> Double { numbers[min(index, numbers.count - 1)] }
      return Channel(
        minimum: channel(minimum), maximum: channel(maximum), gamma: channel(gamma),
        baseOffset: channel(isBrighter ? bright : dark),
        alternateOffset: channel(isBrighter ? dark : bright))
    }
    self.init(
      channels: channels, baseHeadroom: isBrighter ? most : least,
      alternateHeadroom: isBrighter ? least : most)
  }

  /// A packet for the map's own file, with the `hdrgm` properties: single numbers as attributes, which is all that some
  /// readers find.
  var packet: [UInt8] {
    let isBrighter = baseHeadroom > alternateHeadroom
    let (dark, bright) = (
      channels.map { isBrighter ? $0.alternateOffset : $0.baseOffset },
      channels.map { isBrighter ? $0.baseOffset : $0.alternateOffset }
    )
    let properties: [(name: String, numbers: [Double])] = [
      ("GainMapMin", channels.map(\.minimum)), ("GainMapMax", channels.map(\.maximum)),
      ("Gamma", channels.map(\.gamma)), ("OffsetSDR", dark), ("OffsetHDR", bright),
      ("HDRCapacityMin", [min(baseHeadroom, alternateHeadroom)]),
      ("HDRCapacityMax", [max(baseHeadroom, alternateHeadroom)]),
    ]
    var (attributes, lists) = ("", "")
    for (name, numbers) in properties {
      let texts = numbers.map(Self.decimal)
      if Set(texts).count == 1 {
        attributes += "\n   hdrgm:\(name)=\"\(texts[0])\""
      } else {
        let items = texts.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        lists += "\n   <hdrgm:\(name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(name)>"
      }
    }
    return [UInt8](
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="\(XMPPacket.Namespace.rdf)">
        <rdf:Description rdf:about="" xmlns:hdrgm="\(XMPPacket.Namespace.hdrgm)"
         hdrgm:Version="1.0"\(attributes)
         hdrgm:BaseRenditionIsHDR="\(isBrighter ? "True" : "False")">\(lists)
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="r"?>
      """.utf8)
  }

  /// A number with up to six digits behind the point.
  private static func decimal(_ number: Double) -> String {
    let millionths = Int((abs(number) * 1e6).rounded())
    let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
    var digits = String(rest)
    digits = String(repeating: "0", count: 6 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return (number < 0 && millionths > 0 ? "-" : "") + String(whole)
      + (digits.isEmpty ? "" : "." + digits)
  }

  /// Apple's map, by the packet of the map or else by the maker notes of the photo.
  ///
  /// - Parameters:
  ///   - packet: The map's packet.
  ///   - exif: The photo's Exif.
  init?(apple packet: XMPPacket?, _ exif: ExifBlock?) {
    let factor = packet?.number(XMPPacket.Namespace.appleGainMap, "HDRGainMapHeadroom")
    guard let stops = factor.flatMap({ $0 > 1 ? log2($0) : nil }) ?? exif?.appleHeadroom else {
      return nil
    }
    self.init(appleHeadroom: stops)
  }
}

extension ExifBlock {
  /// Apple's maker notes: nothing but their makers' readers, and ExifTool, knows them.
  private var appleNotes: (bytes: [UInt8], directory: TIFFDirectory)? {
    guard let place = exif?[Tag.makerNote]?.value, bytes[place].has("Apple iOS\0") else {
      return nil
    }
    let notes = Array(bytes[place])
    return TIFFDirectory(notes, at: 14, .big).map { (notes, $0) }
  }

  /// Stops above white by the maker notes' tags 33 and 48; `nil` when they are not there or leave none.
  ///
  /// Source: Apple, "Applying Apple HDR effect to your photos".
  var appleHeadroom: Double? {
    guard make == "Apple", let (notes, directory) = appleNotes else { return nil }
    func fraction(_ tag: Int) -> Double? {
      guard let entry = directory[tag], entry.type == 10, entry.count > 0,
        let start = entry.value?.lowerBound, let above = notes.uint32(at: start),
        let below = notes.uint32(at: start + 4), below != 0
      else { return nil }
      return Double(Int32(truncatingIfNeeded: above)) / Double(Int32(truncatingIfNeeded: below))
    }
    guard let headroom = fraction(33), let gain = fraction(48) else { return nil }
    let stops =
      switch (headroom < 1, gain <= 0.01) {
      case (true, true): 1.8 - 20 * gain
      case (true, false): 1.601 - 0.101 * gain
      case (false, true): 3 - 70 * gain
      case (false, false): 2.303 - 0.303 * gain
      }
    return stops > 0 ? stops : nil
  }

  /// Whether the maker notes have an entry of Apple's that says more than one letter.
  func hasAppleNote(_ tag: Int) -> Bool {
    guard make == "Apple", let entry = appleNotes?.directory[tag] else { return false }
    return entry.count > 1
  }

  /// What joins the still of a Live Photo with its video, by the maker notes' tag 17; `nil` when there is none.
  var contentIdentifier: String? {
    guard make == "Apple", let (notes, directory) = appleNotes, let entry = directory[17],
      entry.type == 2, let value = entry.value, value.count <= 256
    else { return nil }
    let text = String(decoding: notes[value].prefix { $0 != 0 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
