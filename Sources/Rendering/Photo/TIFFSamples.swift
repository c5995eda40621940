import Glibc
import SafelightVips

extension TIFFLayout {
  /// The picture in 8 or 16 bits a channel: its color, then its transparency, by which the color is not multiplied.
  ///
  /// - Parameter stored: What the decoder made of the file or of its ``view``.
  func picture(of stored: Image) throws(VipsError) -> Image {
    if let lumaChroma {
      // Only whole colors have further channels, and these are left out.
      return try lumaChroma.picture(of: stored)
    }
    guard view != nil || isWidened || others > 0, color != .light else { return stored }
    // The file lied about its channels.
    guard stored.bands >= color.channels, stored.bands > alpha?.channel ?? 0 else { return stored }
    switch sample {
    case .whole(bits: 8): return try converted(stored, as: UInt8.self, to: UInt8.self) { Int($0) }
    case .whole(bits: 32):
      return try converted(stored, as: UInt32.self, to: UInt16.self) {
        (Int($0) + 32_768) / 65_537
      }
    case .whole: return try converted(stored, as: UInt16.self, to: UInt16.self) { Int($0) }
    case .float(bits: 16):
      return try light(stored, as: UInt16.self) { Float(Float16(bitPattern: $0)) }
    case .float: return try light(stored, as: Float.self) { $0 }
    }
  }

  /// Whether the samples are too wide for the rest of the way.
  private var isWidened: Bool {
    switch (sample, color) {
    case (.float, .gray), (.float, .rgb), (.whole(bits: 32), _): true
    default: false
    }
  }

  /// The channels of the result.
  private var bands: Int { color.channels + (alpha == nil ? 0 : 1) }

  /// Converts whole numbers.
  private func converted<Input: FixedWidthInteger & Sendable, Output: FixedWidthInteger & Sendable>(
    _ stored: Image, as: Input.Type, to: Output.Type, code: @escaping @Sendable (Input) -> Int
  ) throws(VipsError) -> Image {
    let (color, alpha, step) = (color, alpha, stored.bands)
    let (channels, bands, white) = (color.channels, bands, Int(Output.max))
    let isInverted = color == .gray(whiteIsZero: true) && view != nil
    let isSigned = color == .cieLab
    return try mapped(stored, to: Output.bitWidth == 8 ? .uint8 : .uint16) { line in
      let input = line.input.assumingMemoryBound(to: Input.self)
      let output = line.output.assumingMemoryBound(to: Output.self)
      for pixel in 0..<line.count {
        let (from, to) = (input + pixel * step, output + pixel * bands)
        let opacity = alpha.map { code(from[$0.channel]) }
        for channel in 0..<channels {
          var value = code(from[channel])
          if isInverted { value = white - value }
          if let opacity, alpha?.isAssociated == true {
            value = Self.straight(value, opacity, white)
          }
          if isSigned { value = Self.iccLab(value, channel: channel, white) }
          to[channel] = Output(truncatingIfNeeded: value)
        }
        if let opacity { to[channels] = Output(truncatingIfNeeded: opacity) }
      }
    }
  }

  /// Converts floating-point numbers, of which 1 is white: codes of the profile, or light when there is none.
  ///
  /// Source: Adobe Photoshop TIFF technical note 3. Without a profile libvips, OpenImageIO and GDAL's users mean light.
  private func light<Input: Sendable>(
    _ stored: Image, as: Input.Type, value: @escaping @Sendable (Input) -> Float
  ) throws(VipsError) -> Image {
    let (alpha, step, channels, bands) = (alpha, stored.bands, color.channels, bands)
    let isLight = !hasFittingProfile(stored)
    let isInverted = color == .gray(whiteIsZero: true)
    @Sendable func share(_ number: Input) -> Float {
      let number = value(number)
      // A number that is none is black.
      return number > 0 ? min(number, 1) : 0
    }
    return try mapped(stored, to: .uint16) { line in
      let input = line.input.assumingMemoryBound(to: Input.self)
      let output = line.output.assumingMemoryBound(to: UInt16.self)
      for pixel in 0..<line.count {
        let (from, to) = (input + pixel * step, output + pixel * bands)
        let opacity = alpha.map { share(from[$0.channel]) }
        for channel in 0..<channels {
          var number = value(from[channel])
          if let opacity, alpha?.isAssociated == true {
            number = opacity > 0 ? number / opacity : 0
          }
          if isInverted { number = 1 - number }
          number = number > 0 ? min(number, 1) : 0
          if isLight {
            number = number <= 0.0031308 ? 12.92 * number : 1.055 * powf(number, 1 / 2.4) - 0.055
          }
          to[channel] = UInt16(min(max(number * 65_535, 0), 65_535).rounded())
        }
        if let opacity { to[channels] = UInt16((opacity * 65_535).rounded()) }
      }
    }
  }

  /// A picture in which each pixel is a function of the one at its place, with the meaning of the colors.
  private func mapped(
    _ stored: Image, to format: Image.SampleFormat, _ body: @escaping @Sendable (Scanline) -> Void
  ) throws(VipsError) -> Image {
    let picture = try stored.mappingScanlines(bands: bands, format: format, body: body)
    return color == .cmyk ? try picture.meaningInk() : picture
  }

  /// Whether there is a profile for the colors. Source: ICC.1:2022, 7.2.6.
  private func hasFittingProfile(_ stored: Image) -> Bool {
    guard let profile = stored.attachment(.profile) else { return false }
    return profile.dropFirst(16).starts(with: (color == .rgb ? "RGB " : "GRAY").utf8)
  }

  /// A color without the transparency that it is multiplied by.
  private static func straight(_ value: Int, _ opacity: Int, _ white: Int) -> Int {
    opacity > 0 ? min((value * white + opacity / 2) / opacity, white) : 0
  }

  /// The code of ICC Lab for one of CIE Lab, whose a* and b* have signs and whose white is the largest number.
  private static func iccLab(_ value: Int, channel: Int, _ white: Int) -> Int {
    let half = white / 2 + 1
    guard channel == 0 else { return value ^ half }
    return white == 255 ? value : (value * 65_280 + 32_767) / 65_535
  }
}

extension Image {
  /// The picture with colors that are not multiplied by its transparency, which is its last channel.
  ///
  /// - Parameter bits: The bits of the numbers in 16, which decoders shift to the left, so that the largest falls short.
  func withStraightColors(bits: Int) throws(VipsError) -> Image {
    let isShifted = sampleFormat == .uint16 && (9..<16).contains(bits)
    let white =
      sampleFormat == .uint8 ? 255 : isShifted ? ((1 << bits) - 1) << (16 - bits) : 65_535
    let bands = bands
    func straightened<Code: FixedWidthInteger & Sendable>(_ code: Code.Type) throws(VipsError)
      -> Image
    {
      try mappingScanlines(bands: bands, format: sampleFormat) { line in
        let input = line.input.assumingMemoryBound(to: Code.self)
        let output = line.output.assumingMemoryBound(to: Code.self)
        for pixel in stride(from: 0, to: line.count * bands, by: bands) {
          let opacity = Int(input[pixel + bands - 1])
          for channel in 0..<bands - 1 {
            let value = Int(input[pixel + channel])
            output[pixel + channel] =
              opacity > 0 ? Code(min((value * white + opacity / 2) / opacity, white)) : 0
          }
          output[pixel + bands - 1] = Code(opacity)
        }
      }
    }
    return switch sampleFormat {
    case .uint8: try straightened(UInt8.self)
    case .uint16: try straightened(UInt16.self)
    case .float, .other: self
    }
  }
}
