import SafelightAdjustments

/// Why a photo could not be read or rendered.
public enum RenderError: Error, Equatable, CustomStringConvertible {
  /// The file has no bytes.
  case empty
  /// The content is of no kind of picture that Safelight knows, whatever the name says.
  case notAPicture
  /// The content is a picture, but of a format that Safelight does not edit; `reason` says why.
  case unsupportedFormat(String, reason: String)
  /// libvips lacks the decoder; installing `package` brings it.
  case missingDecoder(PhotoFormat, package: String)
  /// The header does not parse, or the pixels end early or are corrupt. `detail` is the decoder's.
  case damaged(detail: String)
  /// The header announces more pixels than the limit allows. Nothing was decoded.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// The edit needs a newer version of Safelight; its record is left as it is.
  case unknownAdjustment(id: String, version: Int)
  /// The lookup table that the edit holds cannot be read; nothing was rendered.
  case damagedLookupTable(title: String, detail: String)
  /// A render that another program made has an orientation tag other than 1.
  case notUpright(orientation: Int)
  /// The output format cannot hold the picture; `detail` says why.
  case cannotEncode(detail: String)

  /// What happened, as a sentence about "the file".
  public var description: String {
    switch self {
    case .empty: "The file is empty."
    case .notAPicture: "The file is not a picture."
    case .unsupportedFormat(let format, let reason): "The file is \(format), \(reason)."
    case .missingDecoder(let format, _): "This libvips has no decoder for \(format.title)."
    case .damaged(let detail):
      "The picture is truncated or damaged" + (detail.isEmpty ? "." : ": \(detail).")
    case .tooManyPixels(let width, let height, let limit):
      """
      The picture has \(width) × \(height) pixels, more than the limit of \
      \(limit / 1_000_000) megapixels.
      """
    case .unknownAdjustment(let id, let version):
      "The edit uses \(id) version \(version), which needs a newer Safelight."
    case .damagedLookupTable(let title, let detail):
      "The edit's lookup table “\(title)” is damaged: \(detail)."
    case .notUpright(let orientation): "The render's orientation tag is \(orientation)."
    case .cannotEncode(let detail): "The picture could not be encoded: \(detail)."
    }
  }

  /// What can be done about it; `nil` when there is nothing to say.
  public var hint: String? {
    switch self {
    case .empty: "Copy it again from where it came from."
    case .notAPicture:
      "Safelight edits JPEG, PNG, TIFF, WebP, HEIC and AVIF; it goes by the content, not the name."
    case .unsupportedFormat: "Convert a copy to JPEG, PNG or TIFF and edit that."
    case .missingDecoder(_, let package): "Install \(package)."
    case .damaged: "Look for an intact copy, or take what there is of it with --allow-damaged."
    case .tooManyPixels: "If you trust the file, raise the limit with --pixel-limit MEGAPIXELS."
    case .unknownAdjustment: "Update Safelight, or revert the photo; its record was left as it is."
    case .damagedLookupTable: "Apply the look again from its file, or revert the photo."
    case .notUpright: "Turn the pixels upright and set the tag to 1, or leave it out."
    case .cannotEncode: "Render it smaller with “edit render --longest-side”, or as PNG or TIFF."
    }
  }
}
