import SafelightFormats

extension LookupTable {
  /// The table as a `.cube` file, with six digits behind the point.
  ///
  /// The format is Adobe's (Cube LUT Specification 1.0, 2013). A shaper is written as Resolve does it: its rows come
  /// before those of the cube, and both input ranges are given.
  ///
  /// - Parameter comments: Lines for people before the header; line ends in them begin further comments.
  public func cubeFile(comments: [String] = []) -> [UInt8] {
    var text = ""
    for comment in comments {
      for line in comment.split(whereSeparator: \.isNewline) { text += "# \(line)\n" }
    }
    if let title {
      // The specification allows lines of 250 bytes, and no quotes in a title.
      text += "TITLE \"\(title.filter { !$0.isNewline && $0 != "\"" }.prefix(100))\"\n"
    }
    for lattice in [shaper, lattice].compactMap(\.self) {
      switch lattice.shape {
      case .curves(let size): text += "LUT_1D_SIZE \(size)\n"
      case .cube(let size): text += "LUT_3D_SIZE \(size)\n"
      }
      let (low, high) = (lattice.domain.minimum, lattice.domain.maximum)
      if shaper != nil {
        let name =
          if case .curves = lattice.shape { "LUT_1D_INPUT_RANGE" } else { "LUT_3D_INPUT_RANGE" }
        text += "\(name) \(Self.decimal(low.x)) \(Self.decimal(high.x))\n"
      } else if lattice.domain != .unit {
        text += "DOMAIN_MIN \(Self.row(low.x, low.y, low.z))\n"
        text += "DOMAIN_MAX \(Self.row(high.x, high.y, high.z))\n"
      }
    }
    var bytes = Array(text.utf8)
    for lattice in [shaper, lattice].compactMap(\.self) {
      bytes.reserveCapacity(bytes.count + 10 * lattice.samples.count)
      for place in stride(from: 0, to: lattice.samples.count, by: 3) {
        let color = lattice.samples[place..<place + 3]
        bytes += Self.row(color[place], color[place + 1], color[place + 2]).utf8
        bytes.append(UInt8(ascii: "\n"))
      }
    }
    return bytes
  }

  private static func row(_ red: Float, _ green: Float, _ blue: Float) -> String {
    [red, green, blue].map(decimal).joined(separator: " ")
  }

  private static func decimal(_ number: Float) -> String {
    Double(number).decimal(digits: 6, padded: true)
  }
}
