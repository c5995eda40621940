import SafelightAdjustments
import SafelightMetadata

/// Why a photo could not be read or rendered.
///
/// ```swift
/// if case .damaged = error { print("Copy the photo again.") }
/// ```
public enum RenderError: Error, Equatable, Codable, CustomStringConvertible {
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
  /// A file that an output names, such as a color profile, cannot be used; `reason` says of it why.
  case unusableFile(name: String, reason: String)
  /// The watermark's text cannot be drawn; `reason` says of it why.
  case unusableWatermark(reason: String)
  /// A file of at most `limit` bytes has no room for the picture at its size, whatever the quality.
  case tooManyBytes(limit: Int)
  /// libvips failed for a reason that nothing else here names; `detail` is libvips's.
  case failed(detail: String)
  /// There is not enough memory for the picture, or a limit does not allow it.
  case outOfMemory
  /// The process that decoded the photo ended early; `detail` says how. Nothing else was harmed.
  case decoderEnded(detail: String)
  /// Decoding or rendering took longer than this many seconds, and was ended.
  case tookTooLong(seconds: Double)
  /// No process to decode photos in could be started; `detail` says why.
  case noDarkroom(detail: String)

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
    case .unusableFile(let name, let reason): "The file \(name) cannot be used: it \(reason)."
    case .unusableWatermark(let reason): "The watermark's text cannot be drawn: \(reason)."
    case .tooManyBytes(let limit):
      "Even at quality 1 the file has more than \(limit) byte\(limit == 1 ? "" : "s") at this size."
    case .failed(let detail): "The picture could not be rendered: \(detail)."
    case .outOfMemory: "There is not enough memory for the picture."
    case .decoderEnded(let detail): "The process that decoded the picture ended early: \(detail)."
    case .tookTooLong(let seconds):
      "Rendering took longer than \(Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)") s."
    case .noDarkroom(let detail): "No process to decode the picture in could be started: \(detail)."
    }
  }
}

extension RenderError {
  /// The stable names of the errors.
  package enum Code: String, CaseIterable {
    case empty
    case notAPicture = "not-a-picture"
    case unsupportedFormat = "unsupported-format"
    case missingDecoder = "missing-decoder"
    case damaged
    case tooManyPixels = "too-many-pixels"
    case unknownAdjustment = "unknown-adjustment"
    case damagedLookupTable = "damaged-lookup-table"
    case notUpright = "not-upright"
    case cannotEncode = "cannot-encode"
    case unusableFile = "unusable-file"
    case unusableWatermark = "unusable-watermark"
    case failed = "render-failed"
    case outOfMemory = "out-of-memory"
    case decoderEnded = "worker-crashed"
    case tookTooLong = "timed-out"
    case noDarkroom = "worker-unavailable"
  }

  /// A stable word for programs, such as `not-a-picture`.
  public var code: String { kind.rawValue }

  private var kind: Code {
    switch self {
    case .empty: .empty
    case .notAPicture: .notAPicture
    case .unsupportedFormat: .unsupportedFormat
    case .missingDecoder: .missingDecoder
    case .damaged: .damaged
    case .tooManyPixels: .tooManyPixels
    case .unknownAdjustment: .unknownAdjustment
    case .damagedLookupTable: .damagedLookupTable
    case .notUpright: .notUpright
    case .cannotEncode, .tooManyBytes: .cannotEncode
    case .unusableFile: .unusableFile
    case .unusableWatermark: .unusableWatermark
    case .failed: .failed
    case .outOfMemory: .outOfMemory
    case .decoderEnded: .decoderEnded
    case .tookTooLong: .tookTooLong
    case .noDarkroom: .noDarkroom
    }
  }
}

/// Something that a render could not keep. The render is made all the same.
public enum RenderWarning: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The photo has an alpha channel; the render shows it on white.
  case alphaFlattened
  /// The embedded profile does not parse or cannot be converted from; it was not used.
  case profileDamaged
  /// The numbers by which the file declares its colors make no colors, or are reserved; sRGB was assumed.
  case colorsUnusable
  /// The embedded profile is for another number of channels; sRGB was assumed.
  case profileForOtherColors
  /// The photo's colors cannot be edited in its own profile; the render is in sRGB.
  case convertedToSRGB(from: String)
  /// The photo has 16 bits in a very wide profile, and the picture 8 in the same.
  case fewBitsForProfile
  /// The file holds several pictures; the first was taken.
  case severalPictures(Int)
  /// The file holds several pictures; the one that it names as its primary picture was taken, which is not the first.
  case primaryPicture(of: Int)
  /// The photo has channels beside color and transparency, such as spot colors and masks, which are not shown.
  case channelsLeftOut(Int)
  /// The photo's samples are floating-point numbers; the render has what lies between black and white.
  case floatingPoint(bits: Int)
  /// The decoder warned about the file; `detail` is its text.
  case decoder(String)
  /// Some metadata could not be carried over; the text says which.
  case metadata(String)
  /// The video of a motion photo is not in the render.
  case motionPhotoNotCarried(bytes: Int)
  /// The system has no font, so the picture has no labels.
  case noFont
  /// Two states of a photo differ in shape, so they lie side by side instead of being split.
  case shapesDiffer
  /// The edit has fields of a newer Safelight, which were kept but not used.
  case unknownFields(id: String, names: [String])
  /// A picture without loss was asked for, and cannot be had.
  case encodedAgain(LossReason)
  /// A gain map was asked for, and cannot be had.
  case noGainMap(GainMapAbsence)

  /// The warning in one sentence.
  public var description: String {
    switch self {
    case .alphaFlattened: "The photo has transparency; the render shows it on white."
    case .profileDamaged: "The embedded color profile is damaged and was not used."
    case .colorsUnusable:
      "The file declares its colors by numbers that cannot be used; sRGB was assumed."
    case .profileForOtherColors:
      "The embedded color profile is for other channels than the photo has; sRGB was assumed."
    case .convertedToSRGB(let model): "The photo is in \(model); the render is in sRGB."
    case .fewBitsForProfile:
      "The picture has 8 bits in the photo's very wide color profile, which shows steps in skies; choose another profile, such as srgb, or 16 bits."
    case .severalPictures(let count): "The file holds \(count) pictures; the first was taken."
    case .primaryPicture(let count):
      "The file holds \(count) pictures; the primary one, which is not the first, was taken."
    case .channelsLeftOut(let count):
      count == 1
        ? "1 further channel, such as a spot color or a mask, is not shown."
        : "\(count) further channels, such as spot colors and masks, are not shown."
    case .floatingPoint(let bits):
      "The samples are \(bits)-bit floating-point numbers; what lies beyond 0 and 1 is cut off."
    case .decoder(let detail): "The decoder warned: \(detail)."
    case .metadata(let text): text
    case .motionPhotoNotCarried(let bytes):
      MetadataWarning.motionPhotoNotCarried(bytes: bytes).description
    case .shapesDiffer:
      "The original has another shape than the edited photo; the two lie beside each other."
    case .noFont: "There is no font for labels; install one, such as fonts-dejavu-core."
    case .unknownFields(let id, let names):
      "\(id) has settings of a newer Safelight (\(names.joined(separator: ", "))); not used."
    case .encodedAgain(let reason): "The picture was encoded again, with a little loss: \(reason)."
    case .noGainMap(let reason): "The picture has no gain map: \(reason)."
    }
  }
}

extension RenderWarning {
  /// What the renderer says of metadata.
  init(_ warning: MetadataWarning) {
    switch warning {
    case .motionPhotoNotCarried(let bytes): self = .motionPhotoNotCarried(bytes: bytes)
    default: self = .metadata(warning.description)
    }
  }
}
