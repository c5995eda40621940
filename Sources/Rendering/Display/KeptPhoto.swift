import SafelightVips

/// A photo in memory at one size, for pictures of one edit after another.
///
/// For use by one thread at a time.
final class KeptPhoto {
  private let upright: DecodedPhoto
  private let opened: OpenedPhoto
  /// The photo as the last edit turned it.
  private var last: TurnedPhoto?

  /// Pixels of this picture for one pixel of the full-size photo, along a side.
  var scale: Double { upright.scale }

  /// The bytes of the photo; a turned one takes as many again.
  var byteCount: Int {
    upright.image.width * upright.image.height * upright.image.bytesPerPixel
  }

  /// Decodes a photo upright.
  init(_ opened: OpenedPhoto, scale: Double) throws(VipsError) {
    self.opened = opened
    upright = try DecodedPhoto(
      opened,
      for: DecodedPhoto.Purpose(
        orientation: opened.orientation, scale: scale, inAnyOrder: true))
  }

  /// The photo turned and mirrored.
  func turned(_ turn: Orientation) throws(VipsError) -> TurnedPhoto {
    if let last, last.turn == turn { return last }
    // The one before goes first, so that there are not three.
    last = nil
    let new = try TurnedPhoto(upright, turn, opened)
    last = new
    return new
  }
}

/// A photo in memory at one size, upright as an edit turns it, with what is made of it once.
class PhotoForEdits {
  let photo: DecodedPhoto
  fileprivate let opened: OpenedPhoto
  private var keptGuide, keptRoughGuide: ReducedPicture?
  private var keptPixels: (edit: EditKey, isDraft: Bool, pixels: Image)?

  /// What pixels are of: compares equal for edits with the same colors.
  typealias EditKey = AnyHashable

  fileprivate init(_ photo: DecodedPhoto, of opened: OpenedPhoto) {
    (self.photo, self.opened) = (photo, opened)
  }

  /// Whether the codes are those of sRGB, in three bands.
  var isSRGB: Bool {
    if case .sRGB = photo.coding { photo.image.bands == 3 } else { false }
  }

  /// Whether there are three bands of 8 bits.
  var isColor8Bit: Bool { photo.image.sampleFormat == .uint8 && photo.image.bands == 3 }

  /// The reduced picture.
  func guide() throws -> ReducedPicture {
    if let keptGuide { return keptGuide }
    let guide = try ReducedPicture.reducing(photo, of: opened)
    keptGuide = guide
    return guide
  }

  /// The reduced picture with a quarter of the pixels, for drafts.
  func roughGuide() throws -> ReducedPicture {
    if let keptRoughGuide { return keptRoughGuide }
    let guide = try ReducedPicture.reducing(photo, of: opened, halved: true)
    keptRoughGuide = guide
    return guide
  }

  /// Pixels in 8-bit sRGB that the last edit gave, when its colors were the same; otherwise `make`
  /// makes them.
  func pixels(
    of edit: EditKey, isDraft: Bool, _ make: () throws -> Image
  ) throws -> Image {
    if let keptPixels, keptPixels.edit == edit, keptPixels.isDraft == isDraft {
      return keptPixels.pixels
    }
    keptPixels = nil
    let pixels = try make()
    keptPixels = (edit, isDraft, pixels)
    return pixels
  }
}

/// A photo with more pixels than the screen, as an edit turns it.
final class TurnedPhoto: PhotoForEdits {
  let turn: Orientation
  private var keptSmall: SmallPhoto?

  fileprivate init(
    _ upright: DecodedPhoto, _ turn: Orientation, _ opened: OpenedPhoto
  ) throws(VipsError) {
    self.turn = turn
    super.init(turn == .upright ? upright : try upright.turned(turn).inMemory(), of: opened)
  }

  /// The photo at the size of the screen; `nil` when it is no larger, or not of 8 bits and three bands.
  func small(_ size: PixelSize) throws -> SmallPhoto? {
    if let keptSmall, keptSmall.photo.image.size == size { return keptSmall }
    guard isColor8Bit, photo.image.width > size.width, photo.image.height > size.height
    else { return nil }
    let small = try SmallPhoto(photo, size, opened)
    keptSmall = small
    return small
  }
}

/// A photo at the size of the screen.
final class SmallPhoto: PhotoForEdits {
  private let large: DecodedPhoto
  private var keptDetail: PreviewDetail?
  private var keptPlaces: (bend: ColorBend, places: PreviewDetail.Places)?

  fileprivate init(
    _ large: DecodedPhoto, _ size: PixelSize, _ opened: OpenedPhoto
  ) throws(VipsError) {
    self.large = large
    super.init(try large.reduced(to: size), of: opened)
  }

  /// Where adjusting and reducing may not change places, for an edit that bends light so far. Edits that look around a
  /// pixel have the same places, whatever their values.
  func places(
    bending bend: ColorBend, unless cancellation: RenderCancellation?
  ) throws -> PreviewDetail.Places {
    if let keptPlaces, keptPlaces.bend == bend { return keptPlaces.places }
    let places = try detail(unless: cancellation).places(of: photo.image, bending: bend)
    keptPlaces = (bend, places)
    return places
  }

  /// How much detail each pixel stands for.
  func detail(unless cancellation: RenderCancellation?) throws -> PreviewDetail {
    if let keptDetail { return keptDetail }
    let detail = try PreviewDetail(
      of: large.image, reducedTo: photo.image.size, unless: cancellation)
    keptDetail = detail
    return detail
  }
}
