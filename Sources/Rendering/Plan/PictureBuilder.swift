import SafelightVips

/// Makes a picture from a photo and a plan, with as few passes as possible.
///
/// Color steps wait until something needs their result; then one pass does them all. A crop needs
/// no pass: it only moves the places that the waiting steps know.
struct PictureBuilder {
  private let photo: DecodedPhoto
  private(set) var picture: Picture
  /// How the samples of the color are stored.
  private var pixels: ColorPass.Pixels
  /// Steps that wait for a pass.
  private var steps: [ColorStep] = []
  /// Geometry that waits, so that neighboring adjustments move each pixel only once.
  private var movement: (any Warp)?
  /// The picture as it will be after everything that waits.
  private var context: StepContext
  /// The reduced picture; `nil` until an item needs it.
  private var guide: ReducedPicture?
  /// The items that were not applied to the reduced picture yet.
  private var ahead: [PlanItem] = []
  /// Whether all pixels have equal channels, after everything that waits.
  private(set) var isGray: Bool
  /// Whether there are gradients finer than the photo's codes: the photo has 16 bits, or a step gives equal
  /// colors at two places different results.
  private var hasFineGradients: Bool
  private let makeGuide: () throws -> ReducedPicture
  /// Squares of the photo as they are before ``past``; `nil` until an item needs its noise.
  private var samples: PhotoSamples?
  /// Color steps that were not applied to the squares yet, whether they still wait or not.
  private var past: [ColorStep] = []
  /// All color steps so far.
  private var history: [ColorStep] = []
  private let makeSamples: () throws -> PhotoSamples
  private let orientation: Orientation
  private let cancellation: RenderCancellation?
  /// See ``RenderedPicture/reach``.
  private(set) var reach = 0
  /// See ``RenderedPicture/top``.
  private(set) var top = 0

  /// - Parameters:
  ///   - photo: The photo, upright.
  ///   - image: Its color.
  ///   - cancellation: Asked before each item.
  ///   - orientation: What turned the stored pixels.
  ///   - makeGuide: Reduces the photo; called at most once.
  ///   - makeSamples: Takes squares out of the photo at full size; called at most once.
  init(
    _ photo: DecodedPhoto, _ image: Image, turnedBy orientation: Orientation,
    cancellation: RenderCancellation?, guide makeGuide: @escaping () throws -> ReducedPicture,
    samples makeSamples: @escaping () throws -> PhotoSamples
  ) {
    self.photo = photo
    self.cancellation = cancellation
    picture = photo.picture
    picture.color = image
    self.makeGuide = makeGuide
    self.makeSamples = makeSamples
    self.orientation = orientation
    pixels = .codes(photo.coding, isWide: photo.isWide)
    context = StepContext(size: image.size, scale: photo.scale, asShot: photo.asShot)
    isGray = image.bands == 1
    hasFineGradients = photo.isWide
  }

  /// Adds an item of the plan.
  mutating func add(_ item: PlanItem) throws {
    if cancellation?.isCancelled == true { throw CancellationError() }
    if !item.movesPixels { try move() }
    switch item {
    case .color, .guided: append(try colorSteps(of: item))
    case .neighborhood(let adjustment): try addPass(of: adjustment.neighborhoodStep(in: context))
    case .noise(let adjustment):
      guard adjustment.isVisible(in: context) else { break }
      try addPass(of: adjustment.neighborhoodStep(in: context, noise: NoiseProfile(samplesHere())))
    case .far(let adjustment):
      let factor = ReducedPicture.factor(of: photo.image.size)
      if adjustment.isGuided(in: context, factor: factor) {
        append(adjustment.colorSteps(in: context, guidedBy: try guideHere()))
      } else {
        try addPass(of: adjustment.neighborhoodStep(in: context))
      }
    case .geometry(let adjustment):
      if let warp = adjustment.warp(in: context) {
        movement = movement?.followed(by: warp) ?? warp
        context = context.moved(by: warp)
      }
    case .turn: break
    case .mixed where item.isPointwise: append(try colorSteps(of: item))
    case .mixed(let items, let share):
      if item.isGuided { _ = try guideHere() }
      if item.readsNoise(in: context) { _ = try samplesHere() }
      let outside = (guide, ahead, samples, past)
      let start = history.count
      try flush()
      let (before, wasGray) = (picture.color, isGray)
      for next in items { try add(next) }
      try flush()
      isGray = isGray && wasGray
      hasFineGradients = hasFineGradients || share.dependsOnPlace
      picture.color = try MixPass(share: share, in: context).applied(to: before, picture.color)
      (guide, ahead, samples, past) = outside
      let inner = Array(history[start...])
      history.removeSubrange(start...)
      if !inner.isEmpty { record([.kernel(MixKernel(inner, share: share, in: context))]) }
    }
    ahead.append(item)
  }

  /// The last pass, which makes the file's whole numbers, and the image that the pass reads.
  ///
  /// It is dithered where its gradients are finer than the photo's codes. Adjustments that look at a
  /// color alone make no finer ones: each code of the photo becomes one code, and noise would only
  /// hide the rounding.
  ///
  /// - Parameters:
  ///   - coding: What the numbers mean; `nil` keeps the photo's profile.
  ///   - dithers: Whether to dither at all.
  mutating func finished(wide: Bool, coding: PixelCoding? = nil, dithers: Bool) throws -> (
    image: Image, pass: ColorPass
  ) {
    try move()
    let output = ColorPass.Pixels.codes(coding ?? photo.outputCoding, isWide: wide)
    return (
      picture.color,
      ColorPass(steps, from: pixels, to: output, dithers: dithers && !wide && hasFineGradients)
    )
  }

  /// The picture as floats of encoded sRGB, extended beyond black and white.
  mutating func floats() throws -> Image {
    try move()
    try flush()
    return picture.color
  }

  /// Whether there are passes that give floats to the next one.
  var hasFloatPasses: Bool { if case .float = pixels { true } else { false } }

  private mutating func append(_ next: [ColorStep]) {
    steps += next
    record(next)
    isGray = next.leaveGray(isGray)
    hasFineGradients = hasFineGradients || next.contains(where: \.makesGradients)
  }

  /// Does the steps that wait.
  private mutating func flush() throws {
    if case .float = pixels, steps.isEmpty { return }
    picture.color = try ColorPass(steps, from: pixels, to: .float).applied(to: picture.color)
    pixels = .float
    steps = []
  }

  /// Keeps steps for the squares.
  private mutating func record(_ next: [ColorStep]) {
    past += next
    history += next
  }

  private mutating func addPass(of step: (any NeighborhoodStep)?) throws {
    guard let step else { return }
    try flush()
    hasFineGradients = true
    picture.color = try NeighborhoodPass(step: step).applied(to: picture.color)
    reach += step.reach
  }

  /// Does the geometry that waits.
  private mutating func move() throws {
    guard let warp = movement else { return }
    movement = nil
    if let shift = warp.shift {
      steps = steps.map { $0.moved(left: shift.left, top: shift.top) }
      try picture.move(by: warp, color: picture.color.part(shift, warp.size))
      top += shift.top
    } else {
      try flush()
      let pass = WarpPass(warp: warp)
      let moved =
        if let alpha = picture.others[.alpha] {
          try Transparency(alpha: alpha).moving(picture.color) { image throws(VipsError) in
            try pass.applied(to: image)
          }
        } else {
          try pass.applied(to: picture.color)
        }
      try picture.move(by: warp, color: moved)
    }
  }

  private mutating func colorSteps(of item: PlanItem) throws -> [ColorStep] {
    switch item {
    case .color(let adjustment): return try adjustment.colorSteps(in: context)
    case .guided(let adjustment):
      return adjustment.colorSteps(in: context, guidedBy: try guideHere())
    case .mixed(let items, let share):
      // The items change a reduced picture of their own; the items after the layer see it mixed.
      if item.isGuided { _ = try guideHere() }
      let outside = (guide, ahead)
      var inner: [ColorStep] = []
      for next in items {
        inner += try colorSteps(of: next)
        ahead.append(next)
      }
      (guide, ahead) = outside
      return [.kernel(MixKernel(inner, share: share, in: context))]
    case .neighborhood, .noise, .far, .geometry, .turn: return []
    }
  }

  /// The reduced picture as it is at this point of the pipeline.
  private mutating func guideHere() throws -> ReducedPicture {
    if ahead.isEmpty, let guide { return guide }
    var guide = try self.guide ?? makeGuide()
    let small = StepContext(
      size: PixelSize(width: guide.width, height: guide.height),
      scale: context.scale / Double(guide.factor), asShot: context.asShot)
    for item in ahead { guide.apply(try Self.steps(of: item, on: guide.atOwnSize, in: small)) }
    ahead = []
    self.guide = guide
    return guide
  }

  /// Squares of the photo as they are at this point of the pipeline, but for neighborhood steps.
  private mutating func samplesHere() throws -> PhotoSamples {
    var samples = try self.samples ?? makeSamples()
    samples.apply(past, in: context.size, turnedBy: orientation)
    past = []
    self.samples = samples
    return samples
  }

  /// The steps of an item for the reduced picture, which is too small for neighborhood steps.
  private static func steps(
    of item: PlanItem, on guide: ReducedPicture, in context: StepContext
  ) throws(RenderError) -> [ColorStep] {
    switch item {
    case .color(let adjustment): return try adjustment.colorSteps(in: context)
    case .guided(let adjustment): return adjustment.colorSteps(in: context, guidedBy: guide)
    case .far(let adjustment): return adjustment.colorSteps(in: context, guidedBy: guide)
    case .mixed(let items, let share):
      var inner = guide
      var steps: [ColorStep] = []
      for item in items {
        let next = try Self.steps(of: item, on: inner, in: context)
        inner.apply(next)
        steps += next
      }
      return [.kernel(MixKernel(steps, share: share, in: context))]
    case .neighborhood, .noise, .geometry, .turn: return []
    }
  }
}

/// A picture that is ready to be computed, and the source of the photo's rows.
struct RenderedPicture {
  /// The finished pixels of all planes.
  let picture: Picture
  /// The rows of a photo that is decoded from top to bottom; `nil` when the photo is in memory.
  let rows: RowStore?
  /// How many rows above and below a row of the photo are needed for a row of the picture.
  var reach = 0
  /// The row of the photo that becomes the first row of the picture.
  var top = 0
  /// The only pass, when it makes each row of 8-bit RGB from the photo's row alone. Strips are then
  /// made without copies; `nil` otherwise.
  var direct: ColorPass.RowFunction?
  /// Whether the channels of each pixel are equal, but for rounding, in three bands.
  var isGray = false
  /// Whether color changes from pixel to pixel where only light does in the photo.
  var makesColorEdges = false
  /// The pass that ``direct`` is of.
  var pass: ColorPass?
  /// Whether passes give floats to each other. Strips are then made in tiles, so that the floats
  /// stay in the processor's caches.
  var isTiled = false

  /// The finished color.
  var image: Image { picture.color }

  /// A picture, and the rows that it is made from.
  init(_ picture: Picture, rows: RowStore? = nil) {
    self.picture = picture
    self.rows = rows
  }

  /// The picture with another color, whose pixels are made from those of the picture at the same places.
  func replacing(_ color: Image, alpha: Image? = nil) -> RenderedPicture {
    let others = picture.others.merging(alpha.map { [.alpha: $0] } ?? [:]) { $1 }
    var changed = RenderedPicture(Picture(color, others: others), rows: rows)
    (changed.reach, changed.top, changed.isTiled) = (reach, top, isTiled)
    (changed.isGray, changed.makesColorEdges) = (isGray, makesColorEdges)
    return changed
  }

  /// The picture with its transparency beside the color, where it has some.
  func withAlpha() throws(VipsError) -> RenderedPicture {
    guard let alpha = picture.others[.alpha] else { return self }
    var joined = RenderedPicture(Picture(try image.joined(with: alpha)))
    (joined.isGray, joined.isTiled) = (isGray, isTiled)
    return joined
  }

  /// A picture of color alone.
  init(_ color: Image) { self.init(Picture(color)) }

  /// The picture with its pixels computed and kept, for an encoder that reads them several times. Its photo must be in
  /// memory.
  func computed() throws(VipsError) -> RenderedPicture {
    var still = picture
    still.color = try image.inMemory()
    var computed = RenderedPicture(still)
    (computed.isGray, computed.makesColorEdges) = (isGray, makesColorEdges)
    return computed
  }

  /// How many strips of so many rows are best computed together: more where many rows around them are needed, as
  /// long as all threads have some.
  func strips(of rows: Int) -> Int {
    reach < 8 ? 1 : min(max(image.height / (rows * 2 * Image.concurrency), 1), 4)
  }

  /// Computes the picture in strips; see `Image.forEachStrip(of:rows:makeWorker:deliver:)`.
  ///
  /// - Parameter makeWork: Makes the function that works on strips, once for each thread.
  func forEachStrip<Product: Sendable>(
    rows count: Int, unless cancellation: RenderCancellation?,
    makeWork: @escaping @Sendable () throws -> (PixelRows) throws -> Product,
    deliver: (Product) throws -> Void
  ) throws {
    let source = StripSource(rows: rows, reach: reach, top: top)
    try Image.forEachStrip(of: image.height, rows: count) { [image, direct, isTiled] in
      try SourcedWorker(
        source: source, reader: source.rows?.reader(), cancellation: cancellation,
        pixels: StripPixels(
          of: image, rows: source.rows, direct: direct, isTiled: isTiled, height: count),
        body: makeWork())
    } deliver: { product, strip in
      if let rows { rows.release(source.rows(of: strip, in: rows)) }
      try deliver(product)
    }
  }
}

/// Tells which rows of the photo a strip of the picture is made from.
private struct StripSource: Sendable {
  let rows: RowStore?
  let reach: Int
  let top: Int

  func rows(of strip: Range<Int>, in rows: RowStore) -> Range<Int> {
    let first = max(strip.lowerBound + top - reach, 0)
    return first..<max(first, min(strip.upperBound + top + reach, rows.height))
  }
}

/// Computes the pixels of strips, on one thread.
private final class StripPixels {
  /// How the pixels of a strip are made.
  private enum Method {
    case rows(RowReader)
    case tiles(RowReader)
    case direct(RowStore, ColorPass.RowFunction)
  }

  /// The number of columns of a tile.
  private static let tileWidth = 512

  private let method: Method
  private let width: Int
  private let bytesPerPixel: Int
  /// Memory for a strip.
  private let room: UnsafeMutableRawBufferPointer

  init(
    of image: Image, rows: RowStore?, direct: ColorPass.RowFunction?, isTiled: Bool, height: Int
  ) throws {
    if let rows, let direct {
      method = .direct(rows, direct)
    } else {
      let reader = try RowReader(image)
      method = isTiled ? .tiles(reader) : .rows(reader)
    }
    width = image.width
    bytesPerPixel = image.bytesPerPixel
    // Where rows are read in place, this memory is never touched and costs nothing.
    room = .allocate(byteCount: width * bytesPerPixel * height, alignment: 64)
  }

  deinit {
    room.deallocate()
  }

  func read<Product>(_ strip: Range<Int>, _ body: (PixelRows) throws -> Product) throws -> Product {
    let start = room.baseAddress!
    let stride = width * bytesPerPixel
    switch method {
    case .rows(let reader):
      return try reader.read(strip) { rows in Result { try body(rows) } }.get()
    case .direct(let rows, let convert):
      rows.forEachRow(of: strip) { y, row in
        convert(
          Scanline(
            input: row, output: start + (y - strip.lowerBound) * stride, count: width, x: 0, y: y))
      }
    case .tiles(let reader):
      for left in Swift.stride(from: 0, to: width, by: Self.tileWidth) {
        let columns = left..<min(left + Self.tileWidth, width)
        try reader.read(strip, columns: columns) { tile in
          for row in 0..<tile.count {
            (start + row * stride + left * bytesPerPixel).copyMemory(
              from: tile.start + row * tile.stride, byteCount: tile.width * bytesPerPixel)
          }
        }
      }
    }
    return try body(
      PixelRows(
        start: start, stride: stride, top: strip.lowerBound, width: width, count: strip.count))
  }
}

/// Decodes the rows of the photo that a strip needs, then makes the strip.
private struct SourcedWorker<Product: Sendable>: StripWorker {
  let source: StripSource
  let reader: RowReader?
  let cancellation: RenderCancellation?
  let pixels: StripPixels
  let body: (PixelRows) throws -> Product

  func begin(_ strip: Range<Int>) throws {
    if cancellation?.isCancelled == true { throw CancellationError() }
    guard let rows = source.rows, let reader else { return }
    try rows.keep(source.rows(of: strip, in: rows), through: reader)
  }

  func work(_ strip: Range<Int>) throws -> Product { try pixels.read(strip, body) }
}
