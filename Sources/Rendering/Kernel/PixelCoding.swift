/// How the whole numbers of a file stand for colours.
enum PixelCoding: Sendable {
  /// sRGB codes, as in a photo without a profile.
  case sRGB
  /// Codes of a profile of curves and a matrix.
  case matrix(MatrixProfile)
  /// Grey codes of a profile; pixels have one band.
  case grey(ToneResponse)

  /// The space that decoding gives without further work.
  var nativeSpace: ColourSpace {
    switch self {
    case .sRGB: .encoded
    case .matrix, .grey: .linear
    }
  }

  /// From codes, as shares of the largest, to colours in ``nativeSpace``.
  var decoding: [ColourStep] {
    switch self {
    case .sRGB: []
    case .matrix(let profile):
      [.curves(profile.linearising, in: .linear), .matrix(profile.toSRGB, in: .linear)]
    case .grey(let response): [.curves(ChannelCurves { response.linear($0) }, in: .linear)]
    }
  }

  /// From colours in ``nativeSpace`` to codes as shares of the largest.
  var encoding: [ColourStep] {
    switch self {
    case .sRGB, .grey: []
    case .matrix(let profile):
      [.matrix(profile.fromSRGB, in: .linear), .curves(profile.encoding, in: .linear)]
    }
  }
}

extension MatrixProfile {
  fileprivate var linearising: ChannelCurves {
    let (red, green, blue) = (responses[0], responses[1], responses[2])
    return ChannelCurves(
      red: { red.linear($0) }, green: { green.linear($0) }, blue: { blue.linear($0) })
  }

  fileprivate var encoding: ChannelCurves {
    let (red, green, blue) = (responses[0], responses[1], responses[2])
    return ChannelCurves(
      red: { red.code($0) }, green: { green.code($0) }, blue: { blue.code($0) })
  }
}
