import FoundationEssentials
import SafelightCTurboJPEG
import SafelightFormats

/// How much resolution a JPEG has for color.
enum ChromaSampling: Sendable, Hashable {
  /// As much as for light (4:4:4).
  case full
  /// Half as much from left to right (4:2:2), from top to bottom (4:4:0), or both (4:2:0).
  case halved(across: Bool, down: Bool)
  /// None: every pixel is gray. The file has three components all the same, because one component
  /// would not fit a profile of red, green and blue. Those for color are constant and take one byte
  /// for each 256 pixels.
  case none

  /// The same for the picture turned by a quarter.
  var turned: ChromaSampling {
    if case .halved(let across, let down) = self {
      .halved(across: down, down: across)
    } else {
      self
    }
  }

  /// Pixels along the sides of the smallest unit that is coded.
  var unit: (width: Int, height: Int) {
    switch self {
    case .full: (8, 8)
    case .halved(let across, let down): (across ? 16 : 8, down ? 16 : 8)
    case .none: (16, 16)
    }
  }

  /// What libjpeg-turbo calls it.
  var subsampling: TJSAMP {
    switch self {
    case .full, .halved(false, false): TJSAMP_444
    case .halved(true, false): TJSAMP_422
    case .halved(false, true): TJSAMP_440
    case .halved(true, true), .none: TJSAMP_420
    }
  }
}

/// How a JPEG was encoded, as far as its render follows that.
struct JPEGCoding: Sendable, Hashable {
  /// The qualities of a render that follows its original. Below, a second loss would be seen beside
  /// the first. Above, files grow by a half for differences that nobody sees.
  static let qualities = 90...98

  /// The quality whose table for light is as coarse on average, 1 to 100 as libjpeg counts.
  let quality: Int
  /// The resolution of color; one more than halved counts as halved.
  let chroma: ChromaSampling

  /// Reads the tables and the frame of a JPEG; `nil` when they are not there.
  init?(_ file: Data) {
    var reader = JPEGReader(size: file.count)
    var tables: [UInt8: [Int]] = [:]
    var frame: [UInt8]?
    func read(_ offset: Int, _ count: Int) -> [UInt8]? {
      guard offset >= 0, count <= file.count - offset else { return nil }
      let start = file.startIndex + offset
      return Array(file[start..<(start + count)])
    }
    while let segment = reader.next(read), !segment.isScan {
      guard let payload = read(segment.payload.lowerBound, segment.payload.count) else { continue }
      if segment.marker == 0xDB {
        tables.merge(Self.tables(payload)) { $1 }
      } else if segment.isFrame {
        frame = payload
      }
    }
    // Precision, height, width, the number of components, and for each its name, sampling factors
    // and table (ITU-T T.81, B.2.2).
    guard let frame, frame.count >= 9, frame.count >= 6 + 3 * Int(frame[5]),
      let table = tables[frame[8]]
    else { return nil }
    quality = Self.quality(of: table)
    let factors = stride(from: 7, to: 6 + 3 * Int(frame[5]), by: 3).map {
      (place: Int) -> (across: Int, down: Int) in
      (across: Int(frame[place] >> 4), down: Int(frame[place] & 15))
    }
    guard factors.count >= 3 else {
      chroma = .full
      return
    }
    let color = (max(factors[1].across, factors[2].across), max(factors[1].down, factors[2].down))
    let (across, down) = (factors[0].across >= 2 * color.0, factors[0].down >= 2 * color.1)
    chroma = across || down ? .halved(across: across, down: down) : .full
  }

  /// The tables of a segment, by their numbers (ITU-T T.81, B.2.4.1).
  private static func tables(_ payload: [UInt8]) -> [UInt8: [Int]] {
    var tables: [UInt8: [Int]] = [:]
    var offset = 0
    while offset < payload.count {
      let size = payload[offset] >> 4 == 0 ? 1 : 2
      let entries = offset + 1..<offset + 1 + 64 * size
      guard entries.upperBound <= payload.count else { break }
      tables[payload[offset] & 15] = stride(
        from: entries.lowerBound, to: entries.upperBound, by: size
      )
      .map { size == 1 ? Int(payload[$0]) : Int(payload[$0]) << 8 | Int(payload[$0 + 1]) }
      offset = entries.upperBound
    }
    return tables
  }

  /// The quality whose table is on average as coarse: each step counts as a share of the step of
  /// quality 50, so that the many high frequencies do not outweigh the low ones.
  private static func quality(of table: [Int]) -> Int {
    func coarseness(_ table: [Int]) -> Double {
      zip(table, standardTable).map { Double($0) / Double($1) }.reduce(0, +)
    }
    let wanted = coarseness(table)
    return (1...100).min {
      abs(coarseness(self.table(ofQuality: $0)) - wanted)
        < abs(coarseness(self.table(ofQuality: $1)) - wanted)
    }!
  }

  /// libjpeg's table for light (its file jcparam.c).
  private static func table(ofQuality quality: Int) -> [Int] {
    let percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
    return standardTable.map { min(max(($0 * percent + 50) / 100, 1), 255) }
  }

  /// The table for light of ITU-T T.81, table K.1, in the zigzag order of files.
  private static let standardTable = [
    16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40,
    26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61, 60, 57, 51,
    56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87,
    95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99,
  ]
}
