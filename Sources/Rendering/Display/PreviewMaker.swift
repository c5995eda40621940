import SafelightAdjustments
import SafelightFiles
import SafelightMetadata
import SafelightVips

/// A photo that is decoded once, for pictures of one edit after another.
///
/// Adjustments are not linear in light, so a picture that is reduced first and adjusted then differs
/// from the reduced render, most at hard edges. The photo is therefore kept with more pixels than the
/// screen has; edits act there, at least where it matters, and the result is reduced last, as light: see
/// ``PreviewDetail``.
///
/// What is kept: the photo at the size of the screen, and at twice that size along each side or with
/// ``leastKept`` pixels, whichever is more, but never above full size. Since the first tile or the first
/// narrow crop there are larger ones, of together at most ``mostKept`` bytes; one that is larger than that
/// is made again for each picture. All have three bytes a pixel, six for photos of 16 bits. An edit that
/// turns the photo by quarters adds as much; so does one with a crop, whose colors are kept until they
/// change. Noise reduction keeps 13 MB of squares of the photo. While a picture is made, its own pixels
/// come to that, and what the steps of the edit need.
///
/// A picture depends on the photo, the edit and the layout, and not on the pictures before it.
///
/// For use by one thread at a time.
package final class PreviewMaker {
  /// The most bytes of the larger photos that are kept between pictures: 89 megapixels of 8 bits.
  package static let mostKept = 256 << 20
  /// The pixels of the photo that edits act on, where twice the screen's would be fewer. A photo of 24
  /// megapixels has as many at twice 1,600 pixels, so smaller screens take no longer.
  package static let leastKept = 7_000_000
  /// The most pixels of a tile.
  package static let mostTilePixels = 1 << 25
  /// How many pixels along a side the kept photo has for one of the screen.
  private static let oversampling = 2.0
  /// How many pixels along a side an edit needs for one of the screen; a crop leaves fewer.
  private static let leastOversampling = 1.5
  /// How much a draft of a crop may be enlarged.
  private static let mostEnlargement = 1.6

  /// Width and height of the upright photo.
  package var pixelSize: PixelSize { opened.uprightSize }

  private let source: PhotoSource
  let opened: OpenedPhoto
  private let screen: PixelSize
  private var base: KeptPhoto?
  /// Photos with more pixels than ``base``, the last used last.
  private var larger: [KeptPhoto] = []
  private var keptSamples: PhotoSamples?
  /// How the last edit turned the photo.
  private var lastTurn = Orientation.upright

  /// Reads the header of a photo.
  ///
  /// - Parameters:
  ///   - source: The original, or the pixels that the edit starts from.
  ///   - screen: The size that pictures lie inside; they are never larger than the render.
  /// - Throws: ``RenderError`` when the file is no photo that Safelight edits.
  package init(_ source: PhotoSource, fitting screen: PixelSize) throws(RenderError) {
    guard screen.width > 0, screen.height > 0 else {
      throw .failed(detail: "there is no picture of \(screen.width) × \(screen.height) pixels")
    }
    self.source = source
    self.screen = screen
    opened = try OpenedPhoto(source)
  }

  /// Decodes the photo, which otherwise happens with the first picture.
  package func prepare() throws {
    try failingAsRender(unless: nil) { _ = try small() }
  }

  /// Looks for detail, which otherwise happens with the first edit.
  package func prepareEdits(unless cancellation: RenderCancellation? = nil) throws {
    try failingAsRender(unless: cancellation) { _ = try small()?.detail(unless: cancellation) }
  }

  /// The photo at the size of the screen, as the last edit turned it.
  private func small() throws -> SmallPhoto? {
    let whole = lastTurn.swapsSides ? opened.uprightSize.turned : opened.uprightSize
    return try basePhoto().turned(lastTurn).small(whole.fitting(screen))
  }

  /// The picture that the camera put into the file; `nil` when there is none in sRGB that shows the
  /// whole upright photo. Not the pixels of an edit.
  package func embeddedPreview() -> EncodedPreview? {
    guard let size = try? FileSystem.real.status(of: source.file).size,
      let found = EmbeddedThumbnail(
        PhotoBytes(source.file, size: Int(size)), preferringLarge: true),
      found.profile.map(DisplayProfile.isSRGB) ?? true,
      let picture = found.bytes.withUnsafeBytes({ PlainJPEG.decoded($0, pixelLimit: 1 << 24) })
        .flatMap({ found.hasShape(ofWidth: $0.width, height: $0.height) ? $0 : nil }),
      let bytes = try? PlainJPEG.encoded(picture, quality: PreviewLayout().quality)
    else { return nil }
    return EncodedPreview(width: picture.width, height: picture.height, bytes: bytes)
  }

  /// Makes a picture of an edit.
  ///
  /// - Parameters:
  ///   - stack: The edit.
  ///   - layout: What is shown.
  ///   - cancellation: Ends the work early when it is cancelled from another thread.
  /// - Throws: ``RenderError``, `CancellationError`.
  package func picture(
    of stack: EditStack, _ layout: PreviewLayout = PreviewLayout(),
    unless cancellation: RenderCancellation? = nil
  ) throws -> EncodedPreview {
    let picture = try pixels(of: stack, layout, unless: cancellation)
    return try failingAsRender(unless: cancellation) {
      try encoded(picture, layout, unless: cancellation)
    }
  }

  /// The pixels of a picture of an edit in 8-bit sRGB, which may be computed while they are read.
  func pixels(
    of stack: EditStack, _ layout: PreviewLayout = PreviewLayout(),
    unless cancellation: RenderCancellation? = nil
  ) throws -> RenderedPicture {
    let plan = try RenderPlan(stack)
    return try failingAsRender(unless: cancellation) {
      if let tile = layout.tile {
        return try part(tile, of: plan, side: layout.tiledSide, unless: cancellation)
      }
      return try whole(plan, of: stack, isDraft: layout.isDraft, unless: cancellation)
    }
  }

  private func failingAsRender<Result>(
    unless cancellation: RenderCancellation?, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as VipsError {
      if cancellation?.isCancelled == true { throw CancellationError() }
      throw RenderError(error, decoding: opened.format)
    }
  }

  // MARK: - Pictures

  /// The whole picture, at the size of the screen.
  private func whole(
    _ plan: RenderPlan, of stack: EditStack, isDraft: Bool, unless cancellation: RenderCancellation?
  ) throws -> RenderedPicture {
    let full = plan.size(of: opened.uprightSize)
    let target = full.fitting(screen)
    lastTurn = plan.turn
    let scale = Double(target.longestSide) / Double(full.longestSide)
    if isDraft, let draft = try draft(plan, of: stack, at: scale, to: target, unless: cancellation)
    {
      return draft
    }
    let turned = try photo(for: scale).turned(plan.turn)
    if let picture = try split(plan, of: stack, turned, to: target, unless: cancellation) {
      return picture
    }
    if let picture = try detailed(plan, turned, target, unless: cancellation) { return picture }
    return try resized(
      rendered(plan, turned, unless: cancellation), to: target, unless: cancellation)
  }

  /// A picture made of the photo at the size of the screen alone; `nil` for photos that are not of 8 bits in
  /// three channels, and for crops that leave too few pixels.
  private func draft(
    _ plan: RenderPlan, of stack: EditStack, at scale: Double, to target: PixelSize,
    unless cancellation: RenderCancellation?
  ) throws -> RenderedPicture? {
    let turned = try basePhoto().turned(plan.turn)
    let whole = plan.turn.swapsSides ? opened.uprightSize.turned : opened.uprightSize
    let size = whole.fitting(screen)
    let small: PhotoForEdits? =
      turned.photo.image.size == size ? turned : try turned.small(size)
    guard let small, small.isColor8Bit, scale <= small.photo.scale * Self.mostEnlargement
    else { return nil }
    if plan.isNeutral, turned.isSRGB { return RenderedPicture(small.photo.image) }
    if let picture = try split(
      plan, of: stack, small, to: target, isDraft: true, unless: cancellation)
    {
      return picture
    }
    return try resized(
      quickly(plan, small, isDraft: true, unless: cancellation), to: target, unless: cancellation)
  }

  /// A picture of an edit whose geometry comes last: the colors are kept until they change. `nil` for
  /// other edits.
  private func split(
    _ plan: RenderPlan, of stack: EditStack, _ photo: PhotoForEdits, to target: PixelSize,
    isDraft: Bool = false, unless cancellation: RenderCancellation?
  ) throws -> RenderedPicture? {
    guard let (colors, movement) = plan.splitAtGeometry(of: opened.uprightSize) else { return nil }
    let pixels = try photo.pixels(of: EditStack.colors(of: stack), isDraft: isDraft) {
      try quickly(colors, photo, isDraft: isDraft, unless: cancellation)
        .inMemory(unless: cancellation)
    }
    return try moved(
      pixels, by: movement, of: plan.turn, to: target, isDraft ? .cubic : .sinc)
  }

  /// A photo with an edit, by a grid of colors where that is faster.
  private func quickly(
    _ plan: RenderPlan, _ photo: PhotoForEdits, isDraft: Bool,
    unless cancellation: RenderCancellation?
  ) throws -> RenderedPicture {
    let picture = try rendered(plan, photo, isDraft: isDraft, unless: cancellation)
    guard photo.isColor8Bit, let pass = picture.pass,
      let grid = ColorGrid(pass, step: isDraft ? 16 : 8), grid.isFaster
    else { return picture }
    return RenderedPicture(
      try photo.photo.image.mappingScanlines(
        bands: 3, format: .uint8, body: grid.rowFunction))
  }

  private func resized(
    _ picture: RenderedPicture, to size: PixelSize, unless cancellation: RenderCancellation?
  ) throws -> RenderedPicture {
    guard picture.image.size != size else { return picture }
    let pixels = try picture.inMemory(unless: cancellation)
    return RenderedPicture(
      try PictureResizing(to: size, from: pixels.size, coding: .sRGB).applied(to: pixels))
  }

  /// A picture without geometry: the edit acts on the small photo, and on the large one where there is
  /// detail. `nil` for photos that are not larger than the screen, or not of 8 bits in three channels.
  private func detailed(
    _ plan: RenderPlan, _ turned: TurnedPhoto, _ target: PixelSize,
    unless cancellation: RenderCancellation?
  ) throws -> RenderedPicture? {
    let hasGeometry = plan.items.contains { if case .geometry = $0 { true } else { false } }
    guard !hasGeometry, let small = try turned.small(target) else { return nil }
    if plan.isNeutral, turned.isSRGB { return RenderedPicture(small.photo.image) }
    let fine = try rendered(plan, turned, unless: cancellation)
    // What depends on the color alone is the same for both.
    let coarse =
      fine.pass?.dependsOnPlace == false
      ? fine : try rendered(plan, small, unless: cancellation)
    let grid = fine.pass.flatMap { ColorGrid($0) }
    let bend = grid.map { ColorBend(of: $0) } ?? ColorBend()
    return RenderedPicture(
      try small.places(bending: bend, unless: cancellation).picture(
        PreviewDetail.Layer(coarse, of: small.photo, by: grid),
        PreviewDetail.Layer(fine, of: turned.photo, by: grid), unless: cancellation))
  }

  /// Pixels that are moved and reduced at once, as light.
  private func moved(
    _ pixels: Image, by movement: any Warp, of turn: Orientation, to target: PixelSize,
    _ interpolation: WarpPass.Interpolation
  ) throws -> RenderedPicture {
    let full = turn.swapsSides ? opened.uprightSize.turned : opened.uprightSize
    let across = Double(pixels.width) / Double(full.width)
    let down = Double(pixels.height) / Double(full.height)
    if let shift = movement.shift {
      let frame = (
        left: Double(shift.left) * across, top: Double(shift.top) * down,
        width: Double(movement.size.width) * across, height: Double(movement.size.height) * down
      )
      let resizing = PictureResizing(to: target, from: pixels.size, frame: frame, coding: .sRGB)
      return RenderedPicture(try resizing.applied(to: pixels))
    }
    let warp = ReducingWarp(
      movement, to: target, across: across, down: down, interpolation: interpolation)
    return RenderedPicture(try warp.applied(to: pixels))
  }

  /// A photo with an edit at its own size, in 8-bit sRGB, not computed yet.
  func rendered(
    _ plan: RenderPlan, _ photo: PhotoForEdits, isDraft: Bool = false,
    unless cancellation: RenderCancellation?
  ) throws -> RenderedPicture {
    // A blur would show the pixels of a smaller one.
    let isRough = isDraft && !plan.items.contains(where: \.isFar)
    return try plan.picture(
      of: photo.photo, opened, as: .jpeg, in: photo.isSRGB ? nil : .sRGB,
      cancellation: cancellation, guide: isRough ? photo.roughGuide : photo.guide,
      samples: samples(for: plan))
  }

  func encoded(
    _ picture: RenderedPicture, _ layout: PreviewLayout, unless cancellation: RenderCancellation?
  ) throws -> EncodedPreview {
    let limit = RenderOutput.Format.jpeg.largestSide
    guard picture.image.size.longestSide <= limit else {
      throw RenderError.cannotEncode(detail: "a JPEG has room for \(limit) pixels along a side")
    }
    let source =
      layout.isCounted ? RenderedPicture(try picture.inMemory(unless: cancellation)) : picture
    var bytes: [UInt8] = []
    let encoder = JPEGStripEncoder(
      source.image, quality: min(max(layout.quality, 1), 100),
      chroma: layout.tile == nil ? .halved(across: true, down: true) : .full)
    try encoder.encode(source, unless: cancellation) { bytes += $0 }
    return EncodedPreview(
      width: source.image.width, height: source.image.height, bytes: bytes,
      histogram: layout.isCounted ? try PhotoHistogram(of: source, unless: cancellation) : nil)
  }

  // MARK: - The photo

  /// The photo with enough pixels for a picture that has `scale` pixels for one of the full size. Its size
  /// is always the same for the same scale, because other sizes give other pictures.
  func photo(for scale: Double) throws -> KeptPhoto {
    let base = try basePhoto()
    let least = min(scale * Self.leastOversampling, 1)
    var size = base.scale
    while size < least { size *= 2 }
    size = min(size, 1)
    if size == base.scale { return base }
    if let index = larger.firstIndex(where: { $0.scale == size }) {
      larger.append(larger.remove(at: index))
      return larger.last!
    }
    // Room is made first, so that there is never more than that and one photo.
    let growth = size / base.scale
    let bytes = Int(Double(base.byteCount) * growth * growth)
    while !larger.isEmpty, larger.reduce(bytes, { $0 + $1.byteCount }) > Self.mostKept {
      larger.removeFirst()
    }
    let made = try KeptPhoto(opened, scale: size)
    if made.byteCount <= Self.mostKept { larger.append(made) }
    return made
  }

  private func basePhoto() throws(VipsError) -> KeptPhoto {
    if let base { return base }
    let whole = opened.uprightSize
    let shown = whole.fitting(screen)
    let scale = Double(shown.longestSide) / Double(whole.longestSide)
    let least = (Double(Self.leastKept) / Double(whole.width * whole.height)).squareRoot()
    let made = try KeptPhoto(opened, scale: min(max(scale * Self.oversampling, least), 1))
    base = made
    return made
  }

  /// Squares of the photo at full size, where a plan reads its noise; `nil` for other plans.
  private func samples(for plan: RenderPlan) throws -> PhotoSamples? {
    let whole = StepContext(size: opened.uprightSize, scale: 1)
    guard plan.items.contains(where: { $0.readsNoise(in: whole) }) else { return nil }
    if let keptSamples { return keptSamples }
    let samples = try PhotoSamples.reading(opened)
    keptSamples = samples
    return samples
  }
}

extension EditStack {
  /// What decides about colors: the edit without its own geometry.
  fileprivate static func colors(of stack: EditStack) -> AnyHashable {
    AnyHashable(stack.inPipelineOrder.filter { !$0.isGeometry })
  }
}

extension RenderedPicture {
  /// The pixels, computed on all cores and kept in memory.
  func inMemory(unless cancellation: RenderCancellation?) throws -> Image {
    let bytesPerRow = image.width * image.bytesPerPixel
    return try Image.filled(like: image, width: image.width, height: image.height) { memory in
      let start = UnsafeTransfer(memory)
      try forEachStrip(rows: 32, unless: cancellation) {
        { rows in
          for row in 0..<rows.count {
            (start.value + (rows.top + row) * bytesPerRow).copyMemory(
              from: rows.start + row * rows.stride, byteCount: bytesPerRow)
          }
        }
      } deliver: { _ in
      }
    }
  }
}
