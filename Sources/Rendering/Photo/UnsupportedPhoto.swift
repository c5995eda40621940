import SafelightFormats
import SafelightMetadata

/// A kind of picture that Safelight recognizes and does not edit.
///
/// Whether a file is of such a kind is decided here, by its header and before any decoder sees it:
/// decoders call valid files damaged, or show the mosaic of a raw file as a picture. A kind that
/// becomes readable loses its row.
struct UnsupportedPhoto: Error, Sendable {
  /// What the file is, for a sentence and for lists: “a camera raw file”.
  let kind: String
  /// Why Safelight does not edit it, as the rest of that sentence.
  var reason: String
  /// What can be done.
  let help: String

  init(_ kind: String, _ reason: String, help: String = Help.export) {
    (self.kind, self.reason, self.help) = (kind, reason, help)
  }

  /// What can be done about a kind; `nil` for kinds that are not in the tables.
  static func help(for kind: String) -> String? {
    if let known = byKind[kind] { return known }
    return tiffBeginnings.first { kind.hasPrefix($0.key) }?.value
  }

  var error: RenderError { .unsupportedFormat(kind, reason: reason) }

  /// Programs that were tried on such files.
  enum Help {
    static let export =
      "Save a copy as JPEG, PNG or TIFF with the program that made it, and edit that."
    static let magick =
      "Convert a copy with ImageMagick, as “convert PHOTO COPY.png”, and edit that."
    static let ffmpeg = "Convert a copy with “ffmpeg -i PHOTO COPY.png”, and edit that."
    static let graphicsMagick =
      "Convert a copy with GraphicsMagick, as “gm convert PHOTO COPY.png”, and edit that."
    static let samples =
      "Convert a copy to 8 or 16 bits a channel; “convert PHOTO COPY.png” of "
      + "ImageMagick does that for most."
    static let raw = """
      Edit the JPEG that the camera saved beside it or put into it (“exiftool -b -JpgFromRaw PHOTO > \
      COPY.jpg”, or -PreviewImage), or develop it first, for instance with darktable or RawTherapee.
      """
  }

  // MARK: - The kinds

  static let raw = UnsupportedPhoto(
    "a camera raw file", "and Safelight does not develop raw photos", help: Help.raw)
  private static let notTaken = "which Safelight does not edit"
  private static let untrusted = "whose decoder libvips marks as untrusted, so it stays off"

  /// Kinds that the first bytes tell.
  private static let beginnings: [(signature: [UInt8], offset: Int, photo: UnsupportedPhoto)] = {
    let jpegXL = UnsupportedPhoto("JPEG XL", untrusted, help: Help.ffmpeg)
    let jpeg2000 = UnsupportedPhoto("JPEG 2000", untrusted, help: Help.magick)
    let svg = UnsupportedPhoto("an SVG drawing", "not a photo")
    func text(
      _ signature: String, at offset: Int = 0, _ photo: UnsupportedPhoto
    ) -> ([UInt8], Int, UnsupportedPhoto) {
      (Array(signature.utf8), offset, photo)
    }
    return [
      ([0xFF, 0x0A], 0, jpegXL), text("JXL ", at: 4, jpegXL),
      text("jP  ", at: 4, jpeg2000), ([0xFF, 0x4F, 0xFF, 0x51], 0, jpeg2000),
      ([0x49, 0x49, 0xBC], 0, UnsupportedPhoto("JPEG XR", notTaken)),
      ([0x76, 0x2F, 0x31, 0x01], 0, UnsupportedPhoto("OpenEXR", untrusted)),
      text("%PDF", UnsupportedPhoto("a PDF", "not a photo")),
      text("<svg", svg), text("<?xml", svg),
      text(
        "GIF8",
        UnsupportedPhoto(
          "a GIF", "which has too few colors to edit as a photo", help: Help.magick)),
      text("BM", UnsupportedPhoto("a BMP", notTaken, help: Help.magick)),
      text("8BPS", UnsupportedPhoto("a Photoshop document", notTaken)),
      text("gimp xcf", UnsupportedPhoto("a GIMP document", notTaken)),
      text("#?RADIANCE", UnsupportedPhoto("Radiance HDR", untrusted)),
      text("qoif", UnsupportedPhoto("a QOI picture", notTaken)),
      text("DDS ", UnsupportedPhoto("a texture (DDS)", "not a photo")),
      text("icns", UnsupportedPhoto("an icon", "not a photo")),
      ([0, 0, 1, 0], 0, UnsupportedPhoto("an icon", "not a photo")),
      text("FUJIFILMCCD-RAW", raw), text("FOVb", raw), text("\0MRM", raw),
      text("HEAPCCDR", at: 6, raw), text("IIRO", raw), text("IIRS", raw), text("MMOR", raw),
      text("IIU\0", raw), text("IIII", raw), text("MMMM", raw),
    ]
  }()

  private static let jpegBits = "a JPEG of more than 8 bits a channel"
  private static let jpegKinds = [
    UnsupportedPhoto(
      jpegBits, "of which usual decoders know nothing", help: Help.ffmpeg),
    UnsupportedPhoto("a lossless JPEG", "which usual decoders do not read", help: Help.ffmpeg),
    UnsupportedPhoto("JPEG-LS", "which usual decoders do not read"),
    UnsupportedPhoto("a hierarchical JPEG", "which usual decoders do not read"),
    UnsupportedPhoto(
      "a JPEG whose height stands behind its pixels (DNL)", "where usual decoders do not look"),
    UnsupportedPhoto("a JPEG with another number of channels than 1, 3 or 4", notTaken),
  ]

  /// Kinds of TIFF, whose names go on with what it is of; and what can be done about each.
  private static let tiffBeginnings: KeyValuePairs = [
    "a TIFF compressed": Help.export,
    "a TIFF of subsampled": Help.graphicsMagick,
    "a TIFF of": Help.samples,
  ]

  private static let mediaKinds = [
    "jpeg": "JPEG", "avc1": "H.264", "vvc1": "VVC", "evc1": "EVC", "j2k1": "JPEG 2000",
    "unci": "uncoded",
  ]
  private static let media = UnsupportedPhoto("a video or another ISO media file", "not a photo")
  private static let pnm = UnsupportedPhoto("a PNM picture", notTaken, help: Help.magick)
  private static let sequence = UnsupportedPhoto(
    "an image sequence without a still picture", notTaken, help: Help.ffmpeg)

  private static let byKind = Dictionary(
    ([raw, pnm, sequence] + jpegKinds + beginnings.map(\.photo)).map { ($0.kind, $0.help) },
    uniquingKeysWith: { first, _ in first })
}

// MARK: - Whether a file is one

extension UnsupportedPhoto {
  /// The kind of a file that begins like no photo; `nil` when it begins like no picture at all.
  static func beginning(_ header: PhotoBytes) -> UnsupportedPhoto? {
    let bytes = header.beginning
    if header.isRawTIFF { return raw(header.tiff) }
    if let brands = header.brands { return brands.first?.hasPrefix("crx") == true ? raw : media }
    if let known = beginnings.first(where: { bytes.dropFirst($0.offset).starts(with: $0.signature) }
    ) {
      guard known.photo.kind == raw.kind else {
        // Only some XML is a drawing.
        let isText = known.signature == Array("<?xml".utf8)
        return !isText || bytes.offset(of: "<svg", in: 0..<min(bytes.count, 4096)) != nil
          ? known.photo : nil
      }
      return raw(header.tiff)
    }
    // PBM, PGM, PPM, PAM.
    if let kind = bytes.byte(at: 1), bytes.byte(at: 0) == UInt8(ascii: "P"),
      (UInt8(ascii: "1")...UInt8(ascii: "7")).contains(kind),
      let next = bytes.byte(at: 2), [9, 10, 13, 32].contains(next)
    {
      return pnm
    }
    return nil
  }

  /// A raw file with the name of its camera, when its directories say it.
  private static func raw(_ tiff: TIFFPictures?) -> UnsupportedPhoto {
    var photo = raw
    if let first = tiff?.pictures.first,
      let camera = ExifBlock.camera(make: first.text(271), model: first.text(272))
        ?? first.text(50_708)
    {
      photo.reason = "taken with a \(camera), and Safelight does not develop raw photos"
    }
    return photo
  }

  /// The kind of a JPEG that is none of the usual ones. Source: ITU-T T.81, table B.1; T.87 (JPEG-LS).
  static func jpeg(_ header: PhotoBytes) -> UnsupportedPhoto? {
    var reader = JPEGReader(size: header.count, limit: 4096)
    while let segment = reader.next(header.bytes(at:count:)), !segment.isScan {
      guard segment.isFrame || segment.marker == 0xF7 || segment.marker == 0xDE,
        let frame = header.bytes(at: segment.payload.lowerBound, count: 6)
      else { continue }
      let kind: Int? =
        switch segment.marker {
        case 0xF7: 2
        case 0xC3, 0xCB: 1
        case 0xDE, 0xC5...0xC7, 0xCD...0xCF: 3
        case _ where (9...16).contains(frame[0]): 0
        case _
        where ![1, 3, 4].contains(frame[5]) && segment.payload.count == 6 + 3 * Int(frame[5]): 5
        case _ where frame.uint16(at: 1) == 0 && hasLateHeight(header): 4
        default: nil
        }
      return kind.map { jpegKinds[$0] }
    }
    return nil
  }

  /// Whether a JPEG without a height in its header has it in a segment behind the first scan.
  ///
  /// The first 32 MB are searched, which takes some hundredths of a second whatever they are. A photo with a longer
  /// scan is called damaged, as its decoder does.
  private static func hasLateHeight(_ header: PhotoBytes) -> Bool {
    let window = 1 << 20
    for start in stride(from: 0, to: min(header.count, 32 * window), by: window) {
      let count = min(window + 3, header.count - start)
      guard let bytes = header.bytes(at: start, count: count) else { return false }
      let isFound = bytes.withUnsafeBytes { bytes in
        // The last four bytes as one number.
        var last: UInt32 = 0
        for byte in bytes {
          last = last << 8 | UInt32(byte)
          if last == 0xFFDC_0004 { return true }
        }
        return false
      }
      if isFound { return true }
    }
    return false
  }

  /// The kind of a HEIC or AVIF that its decoder refused, when it is of a codec that the decoder does
  /// not have; `nil` for a damaged one.
  static func undecodedMedia(_ media: ISOMediaFile?, _ header: PhotoBytes) -> UnsupportedPhoto? {
    guard let media else {
      var offset = 0
      for _ in 0..<64 {
        guard let head = header.bytes(at: offset, count: 8), let size = head.uint32(at: 0),
          size >= 8
        else { return nil }
        if head.has("moov", at: 4) { return sequence }
        offset += size
      }
      return nil
    }
    let others = media.codedTypes.subtracting(["hvc1", "av01"]).sorted()
    guard let type = others.first else { return nil }
    return UnsupportedPhoto(
      "a HEIF with \(mediaKinds[type] ?? "“\(type)”") pictures", "which its decoder does not read")
  }
}

extension RenderError {
  /// What can be done about a picture of a kind that Safelight does not edit; `nil` when nothing
  /// more is known than about all of them.
  package var help: String? {
    if case .unsupportedFormat(let kind, _) = self { UnsupportedPhoto.help(for: kind) } else { nil }
  }
}
