extension ChannelCurves {
  /// One curve for every channel, made for tones from 0 to 1.
  ///
  /// Colors outside sRGB and light above white lie beyond; there straight lines go on, so that
  /// they keep their order and no formula meets numbers that it was not made for.
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
}
