import SafelightMetadata
import SafelightVips

/// A photo prepared for rendering: upright, in RGB or gray, its transparency a plane of its own or laid on white. Its pixels are
/// computed when they are read.
struct DecodedPhoto {
  /// Its color has 1 or 3 bands of 8 or 16 bits.
  private(set) var picture: Picture
  /// What the codes of `image` mean.
  let coding: PixelCoding
  /// The profile of `image`; `nil` when the photo is in sRGB without a profile, or when no profile can say its coding.
  let ownProfile: [UInt8]?
  /// What the codes of an edited render mean, which is always in red, green and blue.
  let outputCoding: PixelCoding
  /// The profile of an edited render.
  let outputProfile: [UInt8]?
  /// What the photo says of how it was taken.
  var asShot: AsShot
  /// What could not be kept.
  let warnings: [RenderWarning]
  /// Pixels of this picture for one pixel of the full-size photo, along a side.
  private(set) var scale: Double
  /// Whether the pixels are in memory; otherwise they are decoded once, from top to bottom.
  let isInMemory: Bool
  /// Whether the picture has the size and the orientation of the file.
  private(set) var isAsStored: Bool

  /// The color of the picture.
  var image: Image { picture.color }

  /// Whether the codes cannot stand in a render of a format as they are.
  func mustBeConverted(as format: RenderOutput.Format) -> Bool {
    switch coding {
    case .sRGB: false
    case .hdr: true
    case .gray where !format.file.holdsGray: true
    case .gray(let response): ownProfile == nil || isTooCoarse(response, in: format)
    case .matrix(let matrix): ownProfile == nil || isTooCoarse(matrix.responses[1], in: format)
    }
  }

  /// Whether rounding to 8 bits would be seen.
  private func isTooCoarse(_ response: ToneResponse, in format: RenderOutput.Format) -> Bool {
    isWide && !format.keepsSixteenBits && !response.isPerceptual
  }

  /// Whether the picture has fewer pixels than the photo.
  var isReduced: Bool { scale < 1 }

  /// Whether the photo has 16 bits a channel.
  var isWide: Bool { image.sampleFormat == .uint16 }

  /// What the decoding must know about the render.
  struct Purpose {
    /// Whether no pixel will change. A photo whose profile only lcms2 can convert then keeps its
    /// own codes.
    var isNeutral = false
    /// How the pixels are turned.
    var orientation = Orientation.upright
    /// The factor for both sides, at most 1, which keeps the size.
    var scale = 1.0
    /// Whether transparency stays, in a plane of its own; otherwise the photo lies on white.
    var keepsAlpha = false
    /// Whether colors of several pixels are mixed. Then pixels that are wholly transparent get the colors around them,
    /// which takes some 20 bytes for each pixel of the photo.
    var mixesNeighbors = true
    /// Whether pixels are needed in another order than from top to bottom.
    var inAnyOrder = false
  }

  /// Prepares an opened photo.
  init(_ opened: OpenedPhoto, for purpose: Purpose) throws(VipsError) {
    // The JPEG decoder makes halves, quarters and eighths faster than the whole picture, but by means
    // of codes. With a factor of four left, what it does wrong is averaged away.
    let shrink = [8, 4, 2].first { 4 * Double($0) * purpose.scale <= 1 } ?? 1
    let (picture, shrunk) = try opened.picture(shrink: shrink)
    try self.init(opened, picture, shrunk: shrunk, for: purpose)
  }

  /// Prepares `picture`, which is the opened photo's or one that its decoder has made smaller.
  init(
    _ opened: OpenedPhoto, _ picture: Picture, shrunk shrink: Int = 1, for purpose: Purpose
  ) throws(VipsError) {
    var stored = StoredColor(opened, picture.color)
    try stored.leaveLab()
    if purpose.keepsAlpha { try stored.splitAlpha() } else { try stored.flatten() }
    stored.readColors()
    try stored.convert(keepingCodes: purpose.isNeutral)
    try stored.dropBands()
    var image = stored.image
    var picture = picture
    let scale = purpose.scale

    let size = opened.size.scaled(by: scale)
    // A decoder or means may have made it as small as that already, without a part of a pixel left at the edges.
    let isSmall =
      image.size == size && size.width * shrink == opened.size.width
      && size.height * shrink == opened.size.height
    if scale < 1, !isSmall {
      let resizing = PictureResizing(
        to: size, from: image.size, shrunk: shrink, of: opened.size, coding: stored.coding)
      if let alpha = stored.alpha {
        let small = try Transparency(alpha: alpha).resizing(image, stored.coding) {
          image, coding throws(VipsError) in
          try PictureResizing(
            to: size, from: image.size, shrunk: shrink, of: opened.size, coding: coding
          ).applied(to: image)
        }
        image = small.color
        stored.alpha = small.alpha
      } else {
        image = try resizing.applied(to: image)
      }
    }
    if let alpha = stored.alpha {
      if !purpose.isNeutral, purpose.mixesNeighbors {
        image = try Transparency(alpha: alpha).withColorsBehind(image.inMemory())
      }
      picture = Picture(image, others: picture.others.merging([.alpha: alpha]) { $1 })
    }
    isAsStored = scale == 1 && purpose.orientation == .upright
    isInMemory = !isAsStored || purpose.inAnyOrder || stored.alpha != nil
    // A turn needs pixels in another order than the decoder gives them.
    if isInMemory { image = try image.inMemory(turned: purpose.orientation) }
    self.scale = scale
    self.picture = try picture.turned(purpose.orientation, color: image)
    coding = stored.coding
    ownProfile = stored.profile
    (outputCoding, outputProfile) = stored.output
    asShot = opened.stored.asShot
    warnings = stored.warnings
  }

  /// The photo reduced by its decoder, where the decoder can do that.
  ///
  /// - Parameter shrink: How much smaller along each side: 1, 2, 4 or 8.
  /// - Returns: The picture, and how much smaller it is.
  static func reduced(_ opened: OpenedPhoto, shrink: Int) throws(VipsError) -> (
    photo: DecodedPhoto, shrink: Int
  ) {
    let (picture, shrink) = try opened.picture(shrink: shrink)
    return (try DecodedPhoto(opened, picture, shrunk: shrink, for: Purpose()), shrink)
  }

  /// The photo in fewer pixels, in memory.
  func reduced(to size: PixelSize) throws(VipsError) -> DecodedPhoto {
    var photo = self
    photo.picture.color = try PictureResizing(to: size, from: image.size, coding: coding)
      .applied(to: image)
    photo.scale = scale * Double(size.longestSide) / Double(image.size.longestSide)
    photo.isAsStored = false
    return photo
  }

  /// The photo with its pixels computed and kept.
  func inMemory() throws(VipsError) -> DecodedPhoto {
    var photo = self
    photo.picture.color = try image.inMemory()
    return photo
  }

  /// The photo turned and mirrored once more. Its pixels must be in memory.
  func turned(_ turn: Orientation) throws(VipsError) -> DecodedPhoto {
    guard turn != .upright else { return self }
    var photo = self
    photo.picture = try picture.turned(turn, color: image.upright(from: turn.exif))
    photo.isAsStored = false
    return photo
  }
}

/// The color that a decoder gave, on its way to red, green and blue, or to gray. The steps follow each other as they
/// are here.
private struct StoredColor {
  private let opened: OpenedPhoto
  private(set) var image: Image
  /// What the codes of `image` mean.
  private(set) var coding = PixelCoding.sRGB
  /// The profile of `image`; `nil` when it has none that can be used.
  private(set) var profile: [UInt8]?
  private(set) var warnings: [RenderWarning] = []
  /// The transparency, where it is kept and some is seen.
  var alpha: Image?
  /// The colors that ``profile`` is for.
  private var model: ColorProfile.Model?

  init(_ opened: OpenedPhoto, _ image: Image) {
    (self.opened, self.image) = (opened, image)
  }

  /// Converts Lab to sRGB.
  mutating func leaveLab() throws(VipsError) {
    if opened.stored.isICCLab, image.bands >= 3, [.uint8, .uint16].contains(image.sampleFormat) {
      image = try image.sRGB16FromICCLab().replacingAttachments([.profile: nil])
      warnings.append(.convertedToSRGB(from: "ICC Lab"))
    } else if case .lab = image.interpretation {
      // The profile of a Lab picture says no more than that it is in Lab.
      image = try image.sRGB16FromLab().replacingAttachments([.profile: nil])
      warnings.append(.convertedToSRGB(from: "CIE Lab"))
    }
  }

  /// Lays the picture on white where it is transparent.
  mutating func flatten() throws(VipsError) {
    guard image.hasAlpha else { return }
    image = try image.flattenedOnWhite()
    warnings.append(.alphaFlattened)
  }

  /// Takes the transparency apart, where there is some: a plane in memory.
  mutating func splitAlpha() throws(VipsError) {
    guard image.hasAlpha else { return }
    guard [.uint8, .uint16].contains(image.sampleFormat) else { return try flatten() }
    // The decoder gives its pixels once.
    let whole = try image.inMemory()
    let found = try whole.band(whole.bands - 1).inMemory()
    image = try whole.firstBands(whole.bands - 1)
    if try !Transparency(alpha: found).isOpaque() { alpha = found }
  }

  /// Finds what the codes mean: by the profile in the picture or in its metadata, or by the numbers that the file declares.
  /// What is damaged or of another kind is passed over.
  mutating func readColors() {
    let coded = isRGBOrGray ? opened.stored.codedColor : nil
    if let coded, coded.comesBeforeProfile { return take(coded) }
    let own =
      opened.stored.isICCLab
      ? nil : image.attachment(.profile) ?? opened.metadata.profile.map { Array($0) }
    if let own {
      guard let found = ColorProfile(own) else {
        warnings.append(.profileDamaged)
        return take(coded)
      }
      guard Self.fits(found.model, image) else {
        warnings.append(.profileForOtherColors)
        return take(coded)
      }
      (profile, model) = (own, found.model)
    } else {
      take(coded)
    }
  }

  private var isRGBOrGray: Bool { [.rgb, .gray].contains(image.interpretation) }

  /// Takes colors that the file declares by numbers.
  private mutating func take(_ color: CodedColor?) {
    guard let color else { return }
    let range = color.isVideoRange ? image.videoRange : nil
    if let hdr = HDRCoding(color) {
      let shifted = hdr.shifted(from: image.number("heif-bitdepth") ?? 16)
      coding = .hdr(range.map(shifted.between) ?? shifted)
      profile = hdr.standard == .sRGB || image.bands < 3 ? nil : hdr.standard.bytes
      return
    }
    if !StandardProfile.canSay(color) { warnings.append(.colorsUnusable) }
    guard let standard = StandardProfile(color) else { return }
    // Gray is the same gray with all primaries.
    let isSRGB = standard.curve == .sRGB && (standard.primaries == .sRGB || image.bands < 3)
    guard !isSRGB || range != nil else {
      // A mark of Adobe RGB in the Exif would count where nothing else says the colors.
      if opened.metadata.exif?.isInAdobeRGB == true { profile = StandardProfile.sRGB.bytes }
      return
    }
    let response = ToneResponse(standard.curve, between: range ?? 0...1)
    let canBeProfile = range == nil && standard.curve.endsAtWhite
    if image.bands < 3 {
      coding = .gray(response)
      profile = canBeProfile ? standard.grayBytes : nil
      return
    }
    guard let matrix = MatrixProfile(standard.primaries) else {
      return warnings.append(.colorsUnusable)
    }
    coding = .matrix(matrix.with(response))
    profile = canBeProfile ? standard.bytes : nil
  }

  /// Converts what cannot be edited in its own colors, and says what the codes mean.
  ///
  /// - Parameter neutral: Whether no pixel will change. Then colors that only lcms2 can convert stay.
  mutating func convert(keepingCodes neutral: Bool) throws(VipsError) {
    switch (image.interpretation, model) {
    case (.cmyk, .cmyk(let conversion)?):
      image = try conversion.applied(to: image).replacingAttachments([.profile: nil])
      profile = StandardProfile.sRGB.bytes
      warnings.append(.convertedToSRGB(from: "CMYK"))
    case (.cmyk, _):
      image = try image.replacingAttachments([.profile: nil]).convertedFromCMYKToSRGB16()
      profile = StandardProfile.sRGB.bytes
      warnings.append(.convertedToSRGB(from: "CMYK"))
    case (.rgb, .table(let conversion)?) where !neutral:
      image = try conversion.applied(to: image).replacingAttachments([.profile: nil])
      profile = StandardProfile.sRGB.bytes
      warnings.append(.convertedToSRGB(from: "a profile of tables"))
    case (.gray, .grayTable(let conversion)?):
      image = try conversion.applied(to: image).replacingAttachments([.profile: nil])
      profile = StandardProfile.sRGB.bytes
      warnings.append(.convertedToSRGB(from: "a gray profile of tables"))
    case (.rgb, .matrix(let matrix)?): coding = .matrix(matrix)
    case (.gray, .gray(let response)?):
      coding = .gray(response)
      if !neutral { warnings.append(.convertedToSRGB(from: "a gray profile")) }
    case (.rgb, _), (.gray, _): break
    case (.linear, _), (.lab, _), (.other, _):
      image = try image.inSRGB16()
      profile = nil
    }
    if image.sampleFormat == .other || image.sampleFormat == .float { image = try image.inSRGB16() }
  }

  /// Leaves one band of gray, or three of color.
  mutating func dropBands() throws(VipsError) {
    let bands = image.bands < 3 ? 1 : 3
    if image.bands != bands { image = try image.firstBands(bands) }
  }

  /// What an edited render is in: the photo's colors, where 8 bits are enough for them, and otherwise the same primaries
  /// with the curve of sRGB.
  var output: (PixelCoding, [UInt8]?) {
    switch coding {
    case .sRGB: return (.sRGB, profile)
    case .gray: return (.sRGB, StandardProfile.sRGB.bytes)
    case .hdr(let hdr): return (hdr.output, profile)
    case .matrix(let matrix):
      if profile != nil, matrix.responses.allSatisfy(\.isPerceptual) { return (coding, profile) }
      guard matrix.toSRGB.distanceFromIdentity >= 0.002 else {
        return (.sRGB, StandardProfile.sRGB.bytes)
      }
      let standard = StandardProfile(
        primaries: ColorPrimaries(ofMatrix: matrix.toSRGB), curve: .sRGB)
      return (.matrix(matrix.with(ToneResponse(.sRGB))), standard.bytes)
    }
  }

  private static func fits(_ model: ColorProfile.Model, _ image: Image) -> Bool {
    switch (model, image.interpretation) {
    case (.gray, .gray), (.grayTable, .gray), (.cmyk, .cmyk): true
    case (.sRGB, .rgb), (.matrix, .rgb), (.table, .rgb): true
    default: false
    }
  }
}

extension Image {
  /// The codes of black and white of whole numbers of video, as shares of the largest number. Source: ITU-T H.273, 8.3.
  fileprivate var videoRange: ClosedRange<Double> {
    let (unit, largest) = sampleFormat == .uint16 ? (256.0, 65_535.0) : (1, 255)
    return 16 * unit / largest...235 * unit / largest
  }
}
