/// A table that gives a new color for each color: the look in a `.cube` file or a HaldCLUT picture.
///
/// Colors go through ``shaper`` first, when there is one, and then through ``lattice``. Such files
/// do not name a color space; Safelight takes the numbers as sRGB-encoded values.
public struct LookupTable: Sendable, Hashable {
  /// The colors of a table, or its curves.
  public typealias Lattice = SafelightLookupTables.Lattice

  /// The title in the file; `nil` when the file has none.
  public let title: String?
  /// Curves that spread colors over the cube after them; `nil` in most tables.
  public let shaper: Lattice?
  /// The table itself.
  public let lattice: Lattice

  /// A table of one lattice, or of curves in front of a cube.
  ///
  /// - Throws: ``LookupTableError/invalid(_:)`` when the shaper is a cube, or the table after it is
  ///   curves.
  public init(title: String? = nil, shaper: Lattice? = nil, _ lattice: Lattice)
    throws(LookupTableError)
  {
    if let shaper {
      guard case .curves = shaper.shape, case .cube = lattice.shape else {
        throw .invalid("a shaper must be curves, and the table after it a cube")
      }
    }
    self.init(trusted: title, shaper: shaper, lattice)
  }

  /// A table whose parts the caller has checked.
  init(trusted title: String?, shaper: Lattice?, _ lattice: Lattice) {
    self.title = title
    self.shaper = shaper
    self.lattice = lattice
  }

  /// The size for people: `33 × 33 × 33 colors`, `1024 tones`.
  public var size: String {
    switch lattice.shape {
    case .curves(let size): "\(size) tones"
    case .cube(let size): "\(size) × \(size) × \(size) colors"
    }
  }
}

/// Colors at evenly spaced places. A color between places is interpolated; a color outside the
/// domain counts as the nearest color inside.
public struct Lattice: Sendable, Hashable {
  /// How the places are arranged.
  public enum Shape: Sendable, Hashable {
    /// A 1D table: a curve for each channel, with this number of places.
    case curves(Int)
    /// A 3D table: a color cube with this number of places along each edge.
    case cube(Int)

    /// The allowed places along an edge; 144 is the largest HaldCLUT, of level 12.
    public static let cubeSizes = 2...144
    /// The allowed places of a curve, by Adobe's specification.
    public static let curveSizes = 2...65_536

    /// The number of places, for an allowed size.
    var count: Int {
      switch self {
      case .curves(let size): size
      case .cube(let size): size * size * size
      }
    }

    var isAllowed: Bool {
      switch self {
      case .curves(let size): Self.curveSizes.contains(size)
      case .cube(let size): Self.cubeSizes.contains(size)
      }
    }
  }

  /// The input colors of the first and the last place; `x`, `y` and `z` are red, green and blue.
  public struct Domain: Sendable, Hashable {
    /// The input color of the first place.
    public let minimum: SIMD3<Float>
    /// The input color of the last place.
    public let maximum: SIMD3<Float>

    /// From 0 to 1 in every channel.
    public static let unit = Domain(minimum: .zero, maximum: .one)

    /// A domain; a lattice refuses a domain that is empty in a channel.
    public init(minimum: SIMD3<Float>, maximum: SIMD3<Float>) {
      self.minimum = minimum
      self.maximum = maximum
    }

    /// Whether both ends are finite and every channel is wide enough to divide by.
    var isUsable: Bool {
      (0..<3).allSatisfy { channel in
        let (low, high) = (minimum[channel], maximum[channel])
        return low.isFinite && high.isFinite && (high - low).isFinite && high - low > 1e-30
      }
    }
  }

  /// How the places are arranged.
  public let shape: Shape
  /// The input colors of the first and the last place.
  public let domain: Domain
  /// Red, green and blue for each place, red running fastest in a cube; any finite numbers.
  public let samples: [Float]

  /// Checks and wraps a table.
  ///
  /// - Parameters:
  ///   - shape: How the places are arranged.
  ///   - domain: The input colors of the first and the last place.
  ///   - samples: Three numbers for each place, red running fastest in a cube.
  /// - Throws: ``LookupTableError/invalid(_:)``.
  public init(_ shape: Shape, domain: Domain = .unit, samples: [Float]) throws(LookupTableError) {
    guard shape.isAllowed else { throw .invalid("its size is not allowed") }
    guard domain.isUsable else { throw .invalid("its domain is empty") }
    guard samples.count == 3 * shape.count else {
      throw .invalid("it has \(samples.count) numbers instead of \(3 * shape.count)")
    }
    guard samples.allSatisfy(\.isFinite) else {
      throw .invalid("it has numbers that are not finite")
    }
    self.init(trusted: shape, domain: domain, samples: samples)
  }

  /// A lattice that the caller has checked.
  init(trusted shape: Shape, domain: Domain, samples: [Float]) {
    self.shape = shape
    self.domain = domain
    self.samples = samples
  }
}

extension LookupTable {
  /// The allowed levels of a HaldCLUT. At level n the cube has n² places along an edge, and the
  /// picture n³ pixels along a side.
  package static let haldLevels = 2...12

  /// The level of a HaldCLUT picture by its size in pixels; `nil` when no HaldCLUT has this size.
  package static func haldLevel(width: Int, height: Int) -> Int? {
    guard width == height else { return nil }
    return haldLevels.first { $0 * $0 * $0 == width }
  }

  /// Reads a HaldCLUT (Eskil Steenberg's layout): the colors of a cube, red changing fastest, then
  /// green, then blue, in a square picture, row after row.
  ///
  /// - Parameters:
  ///   - codes: Red, green and blue of each pixel, row after row; 255 is 1.
  ///   - width: Pixels from left to right: the third power of 2 to 12.
  ///   - height: The same number.
  ///   - title: The name of the table.
  /// - Throws: ``LookupTableError/notHald(width:height:)``, ``LookupTableError/invalid(_:)``.
  public init(
    hald codes: [UInt8], width: Int, height: Int, title: String? = nil
  ) throws(LookupTableError) {
    try self.init(codes: codes, width: width, height: height, title: title)
  }

  /// Reads a HaldCLUT of 16 bits a channel, where 65,535 is 1; otherwise as with 8 bits.
  ///
  /// - Throws: ``LookupTableError/notHald(width:height:)``, ``LookupTableError/invalid(_:)``.
  public init(
    hald codes: [UInt16], width: Int, height: Int, title: String? = nil
  ) throws(LookupTableError) {
    try self.init(codes: codes, width: width, height: height, title: title)
  }

  private init<Code: FixedWidthInteger & UnsignedInteger>(
    codes: [Code], width: Int, height: Int, title: String?
  ) throws(LookupTableError) {
    guard let level = Self.haldLevel(width: width, height: height) else {
      throw .notHald(width: width, height: height)
    }
    guard codes.count == 3 * width * height else {
      throw .invalid("it has \(codes.count) numbers instead of \(3 * width * height)")
    }
    let white = Float(Code.max)
    self.init(
      trusted: title, shaper: nil,
      Lattice(
        trusted: .cube(level * level), domain: .unit, samples: codes.map { Float($0) / white }))
  }
}
