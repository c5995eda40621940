import FoundationEssentials
import SafelightCTurboJPEG
import SafelightColorKernels
import SafelightFormats
import SafelightMetadata
import SafelightVips

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

/// How the components of a JPEG are coded.
struct JPEGFrame: Sendable, Hashable {
  /// How many blocks of 8 × 8 coefficients a component has in a coded unit.
  struct Blocks: Sendable, Hashable {
    let across, down: Int
  }

  /// What the components are.
  enum Colors: Sendable, Hashable {
    case gray
    /// Luma and two components of color difference (Rec. ITU-T T.871).
    case lumaAndChroma
    case others
  }

  let components: [Blocks]
  let colors: Colors
  let isProgressive: Bool
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
  /// What the frame says.
  let frame: JPEGFrame

  /// Reads the tables and the frame of a JPEG; `nil` when they are not there.
  init?(_ file: PhotoBytes) {
    var reader = JPEGReader(size: file.count)
    var tables: [UInt8: [Int]] = [:]
    var frame: (marker: UInt8, payload: [UInt8])?
    var marks = ColorMarks()
    while let segment = reader.next(file.bytes(at:count:)), !segment.isScan {
      let place = segment.payload
      guard let payload = file.bytes(at: place.lowerBound, count: place.count) else { continue }
      switch segment.marker {
      case 0xDB: tables.merge(Self.tables(payload)) { $1 }
      case 0xE0 where payload.has("JFIF\0"): marks.isJFIF = true
      case 0xEE where payload.has("Adobe") && payload.count >= 12: marks.adobe = payload[11]
      case _ where segment.isFrame: frame = (segment.marker, payload)
      default: break
      }
    }
    // Precision, height, width, the number of components, and for each its name, sampling factors
    // and table (ITU-T T.81, B.2.2).
    guard let (marker, frame) = frame, frame.count >= 9, frame.count >= 6 + 3 * Int(frame[5]),
      let table = tables[frame[8]]
    else { return nil }
    quality = Self.quality(of: table)
    let places = stride(from: 6, to: 6 + 3 * Int(frame[5]), by: 3)
    let factors = places.map { place in
      JPEGFrame.Blocks(across: Int(frame[place + 1] >> 4), down: Int(frame[place + 1] & 15))
    }
    self.frame = JPEGFrame(
      components: factors, colors: marks.colors(of: places.map { frame[$0] }),
      isProgressive: marker == 0xC2 || marker == 0xCA)
    guard factors.count >= 3 else {
      chroma = .full
      return
    }
    let color = (max(factors[1].across, factors[2].across), max(factors[1].down, factors[2].down))
    let (across, down) = (factors[0].across >= 2 * color.0, factors[0].down >= 2 * color.1)
    chroma = across || down ? .halved(across: across, down: down) : .full
  }

  /// The segments that say what the components of a JPEG are.
  private struct ColorMarks {
    var isJFIF = false
    /// The color transform of Adobe's segment.
    var adobe: UInt8?

    /// What components are, by their names in the frame. Three that are called R, G and B count as others, whatever the
    /// segments say, because a render may be without these. Source: libjpeg's jdapimin.c, `default_decompress_parms`.
    func colors(of names: [UInt8]) -> JPEGFrame.Colors {
      switch names.count {
      case 1: .gray
      case 3 where names == Array("RGB".utf8): .others
      case 3: isJFIF || adobe != 0 ? .lumaAndChroma : .others
      default: .others
      }
    }
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

/// Encodes a JPEG in strips on several threads and joins them into one baseline file.
///
/// Each strip is encoded separately, and the file has a restart marker between two strips. At a
/// restart marker the format begins its predictions anew, so the joined scan is the one that a
/// single encoder would write with this restart interval (ITU-T T.81, E.1.4 and F.1.1.5). All
/// strips have the same quantization and Huffman tables: those of libjpeg for the quality. Huffman
/// tables made for the picture would need a second walk over all of it: photos are 1 to 2 % smaller
/// with them, and encoding takes twice as long.
struct JPEGStripEncoder: Sendable {
  /// The number of rows of a strip: whole blocks with and without color subsampling, and so few
  /// that a strip of the widest JPEG has less than 65,535 blocks, the limit of a restart interval.
  private static let rows = 64

  private let quality: Int32
  private let chroma: ChromaSampling
  private let subsampling: TJSAMP
  private let pixelFormat: TJPF
  private let height: Int
  /// The number of blocks in a whole strip; with color subsampling, of groups of blocks.
  private let restartInterval: Int

  /// - Parameters:
  ///   - image: 8-bit pixels of three bands, or of one, which make a JPEG of one component.
  ///   - chroma: The resolution of color. With `none` the channels of each pixel must be equal.
  init(_ image: Image, quality: Int, chroma: ChromaSampling) {
    self.quality = Int32(quality)
    let isSingle = image.bands == 1
    self.chroma = isSingle ? .full : chroma
    subsampling = isSingle ? TJSAMP_GRAY : chroma.subsampling
    pixelFormat = isSingle ? TJPF_GRAY : TJPF_RGB
    height = image.height
    let unit = self.chroma.unit
    restartInterval = (image.width + unit.width - 1) / unit.width * (Self.rows / unit.height)
  }

  /// Encodes a picture.
  ///
  /// - Parameter sink: Receives the bytes of the file in order. Its errors are thrown as they are.
  func encode(
    _ picture: RenderedPicture, unless cancellation: RenderCancellation?,
    to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let capacity = Int(
      tjBufSize(Int32(picture.image.width), Int32(Self.rows), Int32(subsampling.rawValue)))
    var strips = 0
    try picture.forEachStrip(
      rows: Self.rows * picture.strips(of: Self.rows), unless: cancellation
    ) {
      let compressor = try Compressor(
        capacity: capacity,
        grayWidth: chroma == .none ? (picture.image.width + 1) / 2 * 2 : 0, rows: Self.rows)
      return { rows in try rows.parts(of: Self.rows).map { try encoded($0, by: compressor) } }
    } deliver: { parts in
      for strip in parts {
        if strips == 0 {
          try header(of: strip).withUnsafeBytes(sink)
        } else {
          try Self.marker(0xD0 + UInt8((strips - 1) % 8)).withUnsafeBytes(sink)
        }
        try strip.bytes[strip.scan].withUnsafeBytes(sink)
        strips += 1
      }
    }
    try Self.marker(0xD9).withUnsafeBytes(sink)
  }

  private static func marker(_ code: UInt8) -> [UInt8] { [0xFF, code] }

  /// A strip as a JPEG of its own.
  private struct Strip: Sendable {
    let bytes: [UInt8]
    /// Where its frame header begins.
    let frame: Int
    /// Where its scan's header begins.
    let scanHeader: Int
    /// The entropy-coded bytes.
    let scan: Range<Int>
  }

  /// The state of libjpeg-turbo for one thread, and memory for the bytes of a strip.
  private final class Compressor {
    let handle: tjhandle
    let room: UnsafeMutableBufferPointer<UInt8>
    /// The light of a strip of gray, then half a plane without color.
    let planes: UnsafeMutableBufferPointer<UInt8>

    /// - Parameter grayWidth: An even number of pixels along a row of gray; 0 for strips of color.
    init(capacity: Int, grayWidth: Int, rows: Int) throws(RenderError) {
      guard let handle = tjInitCompress() else {
        throw .cannotEncode(detail: "the JPEG encoder did not start")
      }
      self.handle = handle
      room = .allocate(capacity: capacity)
      planes = .allocate(capacity: grayWidth * rows * 3 / 2)
      planes.initialize(repeating: 128)
    }

    deinit {
      tjDestroy(handle)
      room.deallocate()
      planes.deallocate()
    }
  }

  private func encoded(_ rows: PixelRows, by compressor: Compressor) throws -> Strip {
    var memory = compressor.room.baseAddress
    var size = UInt(compressor.room.count)
    let flags = TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT
    let result =
      if chroma == .none {
        withGrayPlanes(of: rows, in: compressor.planes) { planes, widths in
          tjCompressFromYUVPlanes(
            compressor.handle, planes, Int32(rows.width), widths, Int32(rows.count),
            Int32(subsampling.rawValue), &memory, &size, quality, flags)
        }
      } else {
        tjCompress2(
          compressor.handle, rows.start.assumingMemoryBound(to: UInt8.self), Int32(rows.width),
          Int32(rows.stride), Int32(rows.count), pixelFormat.rawValue, &memory, &size,
          Int32(subsampling.rawValue), quality, flags)
      }
    guard result == 0 else {
      let detail = tjGetErrorStr2(compressor.handle).map { String(cString: $0) }
      throw RenderError.cannotEncode(detail: detail ?? "the JPEG encoder gave no reason")
    }
    return try strip(Array(compressor.room[..<Int(size)]))
  }

  /// Calls `body` with planes of light and of no color, and the lengths of their rows. Equal channels
  /// are the light of a pixel to the last bit (Rec. ITU-T T.871, clause 7).
  private func withGrayPlanes(
    of rows: PixelRows, in memory: UnsafeMutableBufferPointer<UInt8>,
    _ body: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafePointer<Int32>) -> Int32
  ) -> Int32 {
    let light = memory.baseAddress!
    let width = (rows.width + 1) / 2 * 2
    let height = (rows.count + 1) / 2 * 2
    for y in 0..<height {
      let row = rows.start + min(y, rows.count - 1) * rows.stride
      let line = light + y * width
      kernels.take_first(row.assumingMemoryBound(to: UInt8.self), line, Int32(rows.width))
      line[width - 1] = row.load(fromByteOffset: 3 * (rows.width - 1), as: UInt8.self)
    }
    let color = UnsafePointer(light + width * Self.rows)
    let half = Int32(width / 2)
    return withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: 3) { planes in
      _ = planes.initialize(from: [UnsafePointer(light), color, color])
      return body(planes.baseAddress!, [Int32(width), half, half])
    }
  }

  /// Finds the parts of a strip's JPEG.
  private func strip(_ bytes: [UInt8]) throws -> Strip {
    var frame = 0
    var offset = 2
    while offset + 4 <= bytes.count, bytes[offset] == 0xFF {
      let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
      switch bytes[offset + 1] {
      case 0xC0: frame = offset
      case 0xDA:
        return Strip(
          bytes: bytes, frame: frame, scanHeader: offset,
          scan: (offset + 2 + length)..<(bytes.count - 2))
      default: break
      }
      offset += 2 + length
    }
    throw RenderError.cannotEncode(detail: "the JPEG encoder wrote no scan")
  }

  /// The header of the first strip, changed to the header of the whole picture.
  private func header(of strip: Strip) -> [UInt8] {
    var header = Array(strip.bytes[..<strip.scanHeader])
    header[strip.frame + 5] = UInt8(height >> 8)
    header[strip.frame + 6] = UInt8(height & 0xFF)
    let interval = [UInt8(restartInterval >> 8), UInt8(restartInterval & 0xFF)]
    return header + [0xFF, 0xDD, 0, 4] + interval
      + strip.bytes[strip.scanHeader..<strip.scan.lowerBound]
  }
}
