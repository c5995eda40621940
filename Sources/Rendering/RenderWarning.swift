/// Something a render could not keep, for people to know about; the render is made all the same.
public enum RenderWarning: Sendable, Hashable, CustomStringConvertible {
  /// The photo has an alpha channel; the render shows it on white.
  case alphaFlattened
  /// The embedded profile does not parse; sRGB was assumed.
  case profileDamaged
  /// The embedded profile is for another number of channels; sRGB was assumed.
  case profileForOtherColors
  /// The photo's colors cannot be edited in its own profile; the render is in sRGB.
  case convertedToSRGB(from: String)
  /// The file holds several pictures; the first was taken.
  case severalPictures(Int)
  /// The decoder warned about the file; `detail` is its text.
  case decoder(String)
  /// Metadata that could not be carried over; the text says which.
  case metadata(String)
  /// The system has no font, so the picture has no labels.
  case noFont
  /// The two states of a photo differ in shape, so they lie beside each other instead of being split.
  case shapesDiffer
  /// The edit has fields of a newer Safelight, which were kept but not used.
  case unknownFields(id: String, names: [String])

  /// The warning in one sentence.
  public var description: String {
    switch self {
    case .alphaFlattened: "The photo has transparency; the render shows it on white."
    case .profileDamaged: "The embedded color profile is damaged; sRGB was assumed."
    case .profileForOtherColors:
      "The embedded color profile is for other channels than the photo has; sRGB was assumed."
    case .convertedToSRGB(let model): "The photo is in \(model); the render is in sRGB."
    case .severalPictures(let count): "The file holds \(count) pictures; the first was taken."
    case .decoder(let detail): "The decoder warned: \(detail)."
    case .metadata(let text): text
    case .shapesDiffer:
      "The original has another shape than the edited photo; the two lie beside each other."
    case .noFont: "There is no font for labels; install one, such as fonts-dejavu-core."
    case .unknownFields(let id, let names):
      "\(id) has settings of a newer Safelight (\(names.joined(separator: ", "))); not used."
    }
  }
}
