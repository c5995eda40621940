extension LookupTable {
  /// Levels that a HaldCLUT may have; a level's cube has its square as size, its picture its third
  /// power as side.
  public static let haldLevels = 2...12

  /// The level of a HaldCLUT picture by its size in pixels; `nil` when no HaldCLUT has it.
  public static func haldLevel(width: Int, height: Int) -> Int? {
    guard width == height else { return nil }
    return haldLevels.first { $0 * $0 * $0 == width }
  }

  /// Reads a HaldCLUT (Eskil Steenberg's layout): the colors of a cube, red running fastest, then
  /// green, then blue, filled into a square picture row after row.
  ///
  /// - Parameters:
  ///   - codes: Red, green and blue of each pixel, row after row; 255 is 1.
  ///   - width: Pixels from left to right: the third power of 2 to 12.
  ///   - height: The same.
  ///   - title: What the table is called.
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
      throw .invalid("it has \(codes.count) numbers where \(3 * width * height) belong")
    }
    let white = Float(Code.max)
    self.init(
      trusted: title, shaper: nil,
      Lattice(
        trusted: .cube(level * level), domain: .unit, samples: codes.map { Float($0) / white }))
  }
}
