/// Three functions of one number, for red, green and blue.
///
/// Each is defined for every number, also below 0 and above 1, where colors outside sRGB lie.
/// Passes tabulate them, so they may be slow.
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

  /// First these curves, then others.
  func followed(by next: ChannelCurves) -> ChannelCurves {
    func chain(_ first: @escaping Function, _ second: @escaping Function) -> Function {
      { second(first($0)) }
    }
    return isShared && next.isShared
      ? ChannelCurves(chain(red, next.red))
      : ChannelCurves(
        red: chain(red, next.red), green: chain(green, next.green), blue: chain(blue, next.blue))
  }

  /// From encoded values to linear light.
  static let linearizing = ChannelCurves { SRGBTransfer.linear($0) }
  /// From linear light to encoded values.
  static let encoding = ChannelCurves { SRGBTransfer.encoded($0) }
}
