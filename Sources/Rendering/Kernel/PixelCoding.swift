/// How the whole numbers of a file stand for colors.
enum PixelCoding: Sendable {
  /// sRGB codes, as in a photo without a profile.
  case sRGB
  /// Codes of a profile of curves and a matrix.
  case matrix(MatrixProfile)
  /// Gray codes of a profile; pixels have one band.
  case gray(ToneResponse)

  /// The space that decoding gives without further work.
  var nativeSpace: ColorSpace {
    switch self {
    case .sRGB: .encoded
    case .matrix, .gray: .linear
    }
  }

  /// From codes, as shares of the largest, to colors in ``nativeSpace``.
  var decoding: [ColorStep] {
    switch self {
    case .sRGB: []
    case .matrix(let profile):
      [.curves(profile.linearizing, in: .linear), .matrix(profile.toSRGB, in: .linear)]
    case .gray(let response): [.curves(ChannelCurves { response.linear($0) }, in: .linear)]
    }
  }

  /// From colors in ``nativeSpace`` to codes as shares of the largest.
  var encoding: [ColorStep] {
    switch self {
    case .sRGB, .gray: []
    case .matrix(let profile):
      [.matrix(profile.fromSRGB, in: .linear), .curves(profile.encoding, in: .linear)]
    }
  }
}

extension MatrixProfile {
  fileprivate var linearizing: ChannelCurves {
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
