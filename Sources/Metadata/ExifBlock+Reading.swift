import FoundationEssentials

extension ExifBlock {
  /// How the stored pixels are turned, 1 to 8; anything else in the file counts as 1.
  package var orientation: Int {
    guard let value = integer(main[Tag.orientation]), (1...8).contains(value) else { return 1 }
    return value
  }

  /// Maker of the camera; nil when absent or empty.
  package var make: String? { text(main[0x10F]) }

  /// Model of the camera; nil when absent or empty.
  package var model: String? { text(main[0x110]) }

  /// Width and height in pixels that the block claims; nil unless both are there.
  package var pixelSize: (width: Int, height: Int)? {
    guard let width = integer(exif?[Tag.pixelWidth]), width > 0,
      let height = integer(exif?[Tag.pixelHeight]), height > 0
    else { return nil }
    return (width, height)
  }

  /// When the picture was taken, as text; nil when the block does not say.
  package var captureTime: ExifTime? {
    guard let text = text(exif?[0x9003]) else { return nil }
    return ExifTime(
      text: text, subSeconds: self.text(exif?[0x9291]), offset: self.text(exif?[0x9011]))
  }

  /// Degrees north of the equator, -90 to 90; nil when absent or impossible.
  package var latitude: Double? {
    degrees(2, reference: 1, positive: "N", negative: "S", limit: 90)
  }

  /// Degrees east of Greenwich, -180 to 180; nil when absent or impossible.
  package var longitude: Double? {
    degrees(4, reference: 3, positive: "E", negative: "W", limit: 180)
  }

  /// Metres above sea level, negative below; nil when absent or beyond 100 km.
  package var altitude: Double? {
    guard let metres = rational(gps?[6]), metres <= 100_000 else { return nil }
    return integer(gps?[5]) == 1 ? -metres : metres
  }

  private func degrees(
    _ tag: Int, reference: Int, positive: String, negative: String, limit: Double
  ) -> Double? {
    guard let entry = gps?[tag], entry.count > 0,
      let side = text(gps?[reference])?.prefix(1).uppercased(),
      side == positive || side == negative
    else { return nil }
    var sum = 0.0
    for index in 0..<min(entry.count, 3) {
      guard let part = rational(entry, index), part >= 0 else { return nil }
      sum += part / [1, 60, 3600][index]
    }
    // 0/0 degrees is how cameras without a fix fill the field.
    guard sum <= limit, denominator(entry) != 0 else { return nil }
    return side == negative ? -sum : sum
  }

  private func denominator(_ entry: TIFFEntry) -> Int? {
    entry.value.flatMap { bytes.uint32(at: $0.lowerBound + 4, order) }
  }
}

/// A time as Exif stores it: local, with the zone only sometimes known.
package struct ExifTime: Sendable, Hashable {
  /// `YYYY:MM:DD HH:MM:SS`, as found.
  package let text: String
  /// Digits behind the decimal point of the seconds; nil when absent.
  package let subSeconds: String?
  /// Offset from UTC, such as `+02:00`; nil when absent.
  package let offset: String?

  /// The moment; nil when the text is not a date, as in `0000:00:00 00:00:00`.
  ///
  /// - Parameter zone: Where the camera's clock stood, used when the block has no offset.
  package func date(assuming zone: TimeZone = .gmt) -> Date? {
    let fields = text.split { !$0.isASCII || !$0.isNumber }.map { Int($0) ?? -1 }
    guard fields.count >= 6, (1...9999).contains(fields[0]), (1...12).contains(fields[1]),
      (1...31).contains(fields[2]), (0...23).contains(fields[3]), (0...59).contains(fields[4]),
      (0...60).contains(fields[5])
    else { return nil }
    let days = Self.days(year: fields[0], month: fields[1], day: fields[2])
    var seconds = Double(((days * 24 + fields[3]) * 60 + fields[4]) * 60 + fields[5])
    if let subSeconds, subSeconds.allSatisfy({ $0.isASCII && $0.isNumber }) {
      seconds += Double("0." + subSeconds) ?? 0
    }
    let local = Date(timeIntervalSince1970: seconds)
    guard let secondsFromUTC else {
      // The zone's rules are asked twice: the first answer is for a moment up to a day away.
      let guess = local.addingTimeInterval(-Double(zone.secondsFromGMT(for: local)))
      return local.addingTimeInterval(-Double(zone.secondsFromGMT(for: guess)))
    }
    return local.addingTimeInterval(-Double(secondsFromUTC))
  }

  private var secondsFromUTC: Int? {
    guard let offset, let sign = offset.first else { return nil }
    if offset == "Z" { return 0 }
    let parts = offset.dropFirst().split(separator: ":").map { Int($0) ?? 99 }
    guard sign == "+" || sign == "-", parts.count == 2, (0...14).contains(parts[0]),
      (0...59).contains(parts[1])
    else { return nil }
    return (parts[0] * 60 + parts[1]) * (sign == "-" ? -60 : 60)
  }

  /// Days since 1 January 1970 in the Gregorian calendar.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    // Years are counted from March, so that the leap day comes last.
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
