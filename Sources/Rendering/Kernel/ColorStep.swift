import FoundationEssentials
import Glibc

/// One thing that the pipeline does to the color of each pixel, by that color and the pixel's
/// place.
///
/// ``ColorProgram`` compiles runs of steps into one pass over the picture: neighboring curves
/// become one table and neighboring matrices one matrix. An adjustment should therefore be a curve
/// or a matrix where it can.
enum ColorStep: Sendable {
  /// Each channel through a curve of its own.
  case curves(ChannelCurves, in: ColorSpace)
  /// Each channel from a mix of all three.
  case matrix(ColorMatrix, in: ColorSpace)
  /// Anything else.
  case kernel(any ColorKernel)

  /// What the step's numbers mean, going in and coming out.
  var space: ColorSpace {
    switch self {
    case .curves(_, let space), .matrix(_, let space): space
    case .kernel(let kernel): kernel.space
    }
  }

  /// The step for a part of its picture that begins at the pixel (`left`, `top`).
  func moved(left: Int, top: Int) -> ColorStep {
    guard case .kernel(let kernel) = self else { return self }
    return .kernel(MovedKernel(kernel: kernel, left: left, top: top))
  }
}

/// A kernel whose picture was cropped after the kernel was made.
private struct MovedKernel: ColorKernel {
  let kernel: any ColorKernel
  let left: Int
  let top: Int

  var space: ColorSpace { kernel.space }
  var dependsOnPlace: Bool { kernel.dependsOnPlace }

  func apply(to tile: ColorTile) {
    kernel.apply(to: ColorTile(tile.red, count: tile.count, x: tile.x + left, y: tile.y + top))
  }
}

/// A loop over a tile, for a step that is neither a curve nor a matrix.
protocol ColorKernel: Sendable {
  /// What the numbers mean, going in and coming out.
  var space: ColorSpace { get }
  /// Whether the result depends on the place of a pixel, and not on its color alone.
  var dependsOnPlace: Bool { get }
  /// Works on a tile in place. Called from several threads at once, for different tiles; the
  /// result for a pixel must depend on its color and place alone, never on where the tile begins.
  func apply(to tile: ColorTile)
}

extension ColorKernel {
  /// True unless a kernel says otherwise: a wrong `true` is slow, a wrong `false` gives wrong
  /// pixels.
  var dependsOnPlace: Bool { true }
}

/// What the numbers of a tile mean between two steps.
enum ColorSpace: Sendable {
  /// Linear light with sRGB primaries; values below 0 and above 1 are colors outside sRGB.
  case linear
  /// The same colors through the sRGB transfer function, extended by symmetry.
  case encoded
}

/// Three functions of one number, for red, green and blue.
///
/// Each function is defined for every number, also below 0 and above 1, where colors outside sRGB
/// lie. Passes tabulate the functions, so a function may be slow.
struct ChannelCurves: Sendable {
  typealias Function = @Sendable (Double) -> Double

  let red: Function
  let green: Function
  let blue: Function
  /// Whether one function serves all channels.
  let isShared: Bool

  /// The same function for every channel.
  init(_ shared: @escaping Function) {
    (red, green, blue) = (shared, shared, shared)
    isShared = true
  }

  /// A function for each channel.
  init(red: @escaping Function, green: @escaping Function, blue: @escaping Function) {
    (self.red, self.green, self.blue) = (red, green, blue)
    isShared = false
  }

  /// The functions, for red, green and blue.
  var functions: [Function] { [red, green, blue] }

  /// These curves, then others.
  func followed(by next: ChannelCurves) -> ChannelCurves {
    func chain(_ first: @escaping Function, _ second: @escaping Function) -> Function {
      { second(first($0)) }
    }
    return isShared && next.isShared
      ? ChannelCurves(chain(red, next.red))
      : ChannelCurves(
        red: chain(red, next.red), green: chain(green, next.green), blue: chain(blue, next.blue))
  }

  /// One curve for every channel, made for tones from 0 to 1.
  ///
  /// Colors outside sRGB and light above white lie beyond 0 and 1. There the curve continues as a
  /// straight line, so that tones keep their order and the formula gets only numbers that it was
  /// made for.
  ///
  /// - Parameters:
  ///   - below: The slope of the line below 0.
  ///   - above: The slope of the line above 1.
  ///   - curve: The output for 0 to 1, both included.
  static func tones(below: Double, above: Double, _ curve: @escaping Function) -> ChannelCurves {
    let (black, white) = (curve(0), curve(1))
    return ChannelCurves { input in
      if input < 0 { return black + below * input }
      return input > 1 ? white + above * (input - 1) : curve(input)
    }
  }

  /// From encoded values to linear light.
  static let linearizing = ChannelCurves { SRGBTransfer.linear($0) }
  /// From linear light to encoded values.
  static let encoding = ChannelCurves { SRGBTransfer.encoded($0) }
}

/// The sRGB transfer functions, extended to negative values by symmetry and above 1 by the same
/// formula.
///
/// Source: IEC 61966-2-1:1999; the extension is that of IEC 61966-2-1 Amendment 1 (scRGB).
enum SRGBTransfer {
  /// Linear light from an encoded value, in double precision.
  static func linear(_ encoded: Double) -> Double {
    let size = abs(encoded)
    let linear = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
    return encoded < 0 ? -linear : linear
  }

  /// The encoded value of linear light, in double precision.
  static func encoded(_ linear: Double) -> Double {
    let size = abs(linear)
    let encoded = size <= 0.003_130_8 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055
    return linear < 0 ? -encoded : encoded
  }
}
