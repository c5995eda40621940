import SafelightFormats

/// The stored form of a table in an edit, with little-endian numbers:
///
/// - `SLUT`, the revision 1, and the number of lattices, 1 or 2
/// - for each lattice, the shaper first: 1 for curves or 3 for a cube; the bytes of a code, 1, 2 or
///   4; the size in 4 bytes; then four ends, each as floats for red, green and blue: the lower and
///   upper end of the domain, and those of the codes (``LatticeCoding``)
/// - the residuals (``LatticePrediction``) of each lattice as one zlib stream: the highest bytes of
///   red, green and blue, then the next lower
/// - the CRC-32 of all bytes before, in 4 bytes
extension LookupTable {
  /// The most bytes of a stored table: as base64 inside JSON they fit an edit of 8 MiB.
  package static let largestStoredSize = 5_000_000

  fileprivate static let signature = Array("SLUT".utf8) + [1]
  fileprivate static let latticeHeaderSize = 6 + 12 * MemoryLayout<Float>.size
  fileprivate static let checksumSize = MemoryLayout<UInt32>.size

  /// The table, without its title, as bytes for an edit.
  ///
  /// Numbers are exact in curves, in tables from HaldCLUT pictures, and in cubes with a channel
  /// wider than 4. In other cubes the error is at most 1/131,070 of the distance between the
  /// smallest and the largest number of the channel, and the rounding of a float.
  ///
  /// - Throws: ``LookupTableError/tooLarge(size:limit:)``.
  package func stored() throws(LookupTableError) -> [UInt8] {
    let lattices = [shaper, lattice].compactMap(\.self)
    var bytes = Self.signature + [UInt8(lattices.count)]
    var residuals: [UInt8] = []
    for lattice in lattices {
      let coding = LatticeCoding(for: lattice)
      bytes += Self.header(lattice, coding)
      residuals += Self.residuals(lattice, coding)
    }
    bytes += Zlib.packed(residuals)
    bytes.append(littleEndian: Zlib.checksum(bytes[...]))
    guard bytes.count <= Self.largestStoredSize else {
      throw .tooLarge(size: bytes.count, limit: Self.largestStoredSize)
    }
    return bytes
  }

  private static func header(_ lattice: Lattice, _ coding: LatticeCoding) -> [UInt8] {
    let (kind, size): (UInt8, Int) =
      switch lattice.shape {
      case .curves(let size): (1, size)
      case .cube(let size): (3, size)
      }
    var header = [kind, coding.depth.rawValue]
    header.append(littleEndian: UInt32(size))
    for ends in [lattice.domain.minimum, lattice.domain.maximum, coding.minimum, coding.maximum] {
      for channel in 0..<3 { header.append(littleEndian: ends[channel].bitPattern) }
    }
    return header
  }

  private static func residuals(_ lattice: Lattice, _ coding: LatticeCoding) -> [UInt8] {
    var channels = (0..<3).map { coding.codes(of: lattice.samples, channel: $0) }
    for channel in 0..<3 {
      LatticePrediction.fold(&channels[channel], lattice.shape, bits: coding.depth.bits)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lattice.samples.count * Int(coding.depth.rawValue))
    for shift in stride(from: coding.depth.bits, to: 0, by: -8) {
      for codes in channels {
        for code in codes { bytes.append(UInt8(truncatingIfNeeded: code >> (shift - 8))) }
      }
    }
    return bytes
  }
}

extension LookupTable {
  /// Reads the bytes of ``stored()``. Damaged or hostile bytes give an error and take no more
  /// memory than the largest table.
  ///
  /// - Parameters:
  ///   - bytes: The stored form.
  ///   - title: The name of the table, which is not stored.
  /// - Throws: ``LookupTableError/damaged(_:)``.
  package init(stored bytes: [UInt8], title: String? = nil) throws(LookupTableError) {
    guard bytes.starts(with: Self.signature), let count = bytes.dropFirst(5).first,
      (1...2).contains(count)
    else { throw .damaged("its first bytes are wrong") }
    let start = Self.signature.count + 1
    let headersEnd = start + Int(count) * Self.latticeHeaderSize
    let end = bytes.count - Self.checksumSize
    guard end > headersEnd, Zlib.checksum(bytes[..<end]) == bytes.uint32(at: end) else {
      throw .damaged("it was cut short or changed")
    }
    var parts: [StoredLattice] = []
    for at in stride(from: start, to: headersEnd, by: Self.latticeHeaderSize) {
      parts.append(try StoredLattice(bytes, at: at))
    }
    let size = parts.reduce(0) { $0 + $1.byteCount }
    guard let residuals = Zlib.unpacked(bytes[headersEnd..<end], count: size) else {
      throw .damaged("its numbers do not unpack")
    }
    var lattices: [Lattice] = []
    var offset = 0
    for part in parts {
      lattices.append(try part.lattice(residuals[offset..<(offset + part.byteCount)]))
      offset += part.byteCount
    }
    do {
      try self.init(
        title: title, shaper: lattices.count > 1 ? lattices[0] : nil, lattices[lattices.count - 1])
    } catch {
      throw .damaged("its parts do not fit together")
    }
  }
}

/// The header of one lattice in the stored form.
private struct StoredLattice {
  let shape: Lattice.Shape
  let domain: Lattice.Domain
  let coding: LatticeCoding

  var byteCount: Int { 3 * shape.count * Int(coding.depth.rawValue) }

  /// Reads the header at an offset inside the bytes.
  init(_ bytes: [UInt8], at start: Int) throws(LookupTableError) {
    let size = Int(bytes.uint32(at: start + 2))
    func ends(_ index: Int) -> SIMD3<Float> {
      var ends = SIMD3<Float>.zero
      for channel in 0..<3 {
        ends[channel] = Float(bitPattern: bytes.uint32(at: start + 6 + 4 * (3 * index + channel)))
      }
      return ends
    }
    switch bytes[start] {
    case 1: shape = .curves(size)
    case 3: shape = .cube(size)
    default: throw .damaged("it is of an unknown shape")
    }
    guard shape.isAllowed else { throw .damaged("its size is not allowed") }
    guard let depth = LatticeCoding.Depth(rawValue: bytes[start + 1]) else {
      throw .damaged("its numbers are of an unknown kind")
    }
    domain = Lattice.Domain(minimum: ends(0), maximum: ends(1))
    coding = LatticeCoding(depth: depth, minimum: ends(2), maximum: ends(3))
    guard domain.isUsable else { throw .damaged("its domain is empty") }
  }

  /// Makes the lattice from its residuals.
  func lattice(_ bytes: ArraySlice<UInt8>) throws(LookupTableError) -> Lattice {
    let count = shape.count
    var samples = [Float](repeating: 0, count: 3 * count)
    for channel in 0..<3 {
      var codes = [UInt32](repeating: 0, count: count)
      for plane in 0..<Int(coding.depth.rawValue) {
        let first = bytes.startIndex + (3 * plane + channel) * count
        for place in 0..<count { codes[place] = codes[place] << 8 | UInt32(bytes[first + place]) }
      }
      LatticePrediction.unfold(&codes, shape, bits: coding.depth.bits)
      coding.decode(codes, channel: channel, into: &samples)
    }
    guard samples.allSatisfy(\.isFinite) else {
      throw .damaged("it has numbers that are not finite")
    }
    return Lattice(trusted: shape, domain: domain, samples: samples)
  }
}

extension [UInt8] {
  fileprivate mutating func append(littleEndian number: UInt32) {
    for shift in stride(from: 0, to: 32, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// The little-endian number at an offset inside the bytes.
  fileprivate func uint32(at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(self[offset + $1]) << (8 * UInt32($1)) }
  }
}

/// How the numbers of a lattice become whole numbers, the codes.
///
/// With one or two bytes, a number is `minimum + code / largest code × (maximum − minimum)` with
/// the ends of its channel. With four bytes, the code is the bits of the float in rising order.
struct LatticeCoding: Equatable {
  /// Bytes of a code.
  enum Depth: UInt8 {
    case one = 1
    case two = 2
    case four = 4

    var bits: UInt32 { UInt32(rawValue) * 8 }
    var largestCode: UInt32 { UInt32.max >> (32 - bits) }
  }

  let depth: Depth
  let minimum: SIMD3<Float>
  let maximum: SIMD3<Float>

  init(depth: Depth, minimum: SIMD3<Float>, maximum: SIMD3<Float>) {
    self.depth = depth
    self.minimum = minimum
    self.maximum = maximum
  }

  /// The widest channel for 16 bits: half a step is then a hundredth of a code of 255.
  static let widestQuantized: Float = 4

  /// The shortest coding for a lattice: 8 or 16 bits when its numbers are such codes already, as in
  /// a HaldCLUT; the floats themselves for curves, which are short, and for channels wider than
  /// ``widestQuantized``; otherwise 16 bits from the smallest to the largest number of each
  /// channel.
  init(for lattice: Lattice) {
    let samples = lattice.samples
    let unit = (SIMD3<Float>.zero, SIMD3<Float>.one)
    for depth in [Depth.one, .two] where Self.areCodes(samples, of: Float(depth.largestCode)) {
      self.init(depth: depth, minimum: unit.0, maximum: unit.1)
      return
    }
    var minimum = SIMD3<Float>(repeating: .greatestFiniteMagnitude)
    var maximum = -minimum
    for start in stride(from: 0, to: samples.count, by: 3) {
      let color = SIMD3(samples[start], samples[start + 1], samples[start + 2])
      minimum = pointwiseMin(minimum, color)
      maximum = pointwiseMax(maximum, color)
    }
    let widest = (maximum - minimum).max()
    if case .cube = lattice.shape, widest <= Self.widestQuantized {
      self.init(depth: .two, minimum: minimum, maximum: maximum)
    } else {
      self.init(depth: .four, minimum: unit.0, maximum: unit.1)
    }
  }

  private static func areCodes(_ samples: [Float], of white: Float) -> Bool {
    samples.allSatisfy { sample in
      sample >= 0 && sample <= 1 && (sample * white).rounded() / white == sample
    }
  }

  /// The codes of one channel, place after place.
  func codes(of samples: [Float], channel: Int) -> [UInt32] {
    let indices = stride(from: channel, to: samples.count, by: 3)
    guard depth != .four else { return indices.map { Self.ordered(samples[$0].bitPattern) } }
    let low = Double(minimum[channel])
    let width = Double(maximum[channel]) - low
    let scale = width > 0 ? Double(depth.largestCode) / width : 0
    return indices.map { UInt32(((Double(samples[$0]) - low) * scale).rounded()) }
  }

  /// Stores the numbers of one channel.
  func decode(_ codes: [UInt32], channel: Int, into samples: inout [Float]) {
    guard depth != .four else {
      for (place, code) in codes.enumerated() {
        samples[3 * place + channel] = Float(bitPattern: Self.unordered(code))
      }
      return
    }
    let low = Double(minimum[channel])
    let width = Double(maximum[channel]) - low
    let white = Double(depth.largestCode)
    for (place, code) in codes.enumerated() {
      samples[3 * place + channel] = Float(low + Double(code) / white * width)
    }
  }

  /// The bits of a float as a whole number that rises with the float, so that neighbors stay near.
  private static func ordered(_ bits: UInt32) -> UInt32 {
    bits >> 31 == 0 ? bits | 0x8000_0000 : ~bits
  }

  private static func unordered(_ code: UInt32) -> UInt32 {
    code >> 31 == 1 ? code & 0x7FFF_FFFF : ~code
  }
}

/// Replaces codes by residuals: their distances from a prediction by their lower neighbors; and
/// back.
///
/// In a cube the prediction is `a(x−1) + a(y−1) + a(z−1) − a(xy) − a(xz) − a(yz) + a(xyz)`, exact
/// for every sum of functions of two channels (Ibarria, Lindstrom, Rossignac and Szymczak,
/// "Out-of-core compression and decompression of large n-dimensional scalar fields", Computer
/// Graphics Forum 22, 2003). Along curves the prediction is the code before. Both are differences
/// along one axis after the other.
enum LatticePrediction {
  /// Turns codes into residuals without a sign: 0, −1, 1, −2 … become 0, 1, 2, 3 ….
  static func fold(_ codes: inout [UInt32], _ shape: Lattice.Shape, bits: UInt32) {
    eachRun(shape) { run, step in
      for index in run.reversed() { codes[index] &-= codes[index - step] }
    }
    let mask = UInt32.max >> (32 - bits)
    for index in codes.indices {
      let residual = codes[index]
      let isNegative = residual >> (bits - 1) & 1 == 1
      codes[index] = (residual << 1 ^ (isNegative ? mask : 0)) & mask
    }
  }

  /// Turns residuals into codes.
  static func unfold(_ codes: inout [UInt32], _ shape: Lattice.Shape, bits: UInt32) {
    let mask = UInt32.max >> (32 - bits)
    for index in codes.indices {
      let folded = codes[index]
      codes[index] = folded >> 1 ^ (0 &- (folded & 1))
    }
    eachRun(shape) { run, step in
      for index in run { codes[index] &+= codes[index - step] }
    }
    for index in codes.indices { codes[index] &= mask }
  }

  /// For each axis, calls `body` with each run of places that have a lower neighbor, and the
  /// distance of that neighbor.
  private static func eachRun(_ shape: Lattice.Shape, _ body: (Range<Int>, Int) -> Void) {
    let (size, axes): (Int, Int) =
      switch shape {
      case .curves(let size): (size, 1)
      case .cube(let size): (size, 3)
      }
    var step = 1
    for _ in 0..<axes {
      for start in stride(from: 0, to: shape.count, by: step * size) {
        body((start + step)..<(start + step * size), step)
      }
      step *= size
    }
  }
}
