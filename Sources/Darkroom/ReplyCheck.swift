import SafelightAdjustments
import SafelightFiles
import SafelightFormats
import SafelightLookupTables
import SafelightMetadata
import SafelightRendering

/// An answer that no decoder gives which is not in the hands of a photo, or broken.
struct ImpossibleReply: Error {
  /// What is wrong with it, as words.
  let reason: String
}

/// What a process may say to a piece of work, and how many bytes of a picture it may send before.
///
/// A photo that took over its decoder says what it likes. So nothing of an answer is used before it was here: each
/// number has a range, which comes from the request and from the photo's header, as this process reads it. A render must be
/// the picture that it is said to be; see ``PictureCheck``.
struct ReplyCheck {
  private enum Work {
    case request(Request.Work)
    case preview(PreviewLayout)
  }

  private let work: Work
  /// The sizes of the first photo's pixels as they are stored: known when a decoder cannot find others.
  private let stored: PixelSize?
  /// The most pixels of the photo, with any edit: geometry makes no picture larger. Of drawn pictures, those of the
  /// whole.
  private let mostPixels: Int
  private var mostBytes = 0
  private var byteCount = 0
  /// The picture that comes, when it is encoded.
  private var picture: PictureCheck?
  /// The pixels that are shown, once the process was told.
  private var shown: (size: PixelSize?, mostPixels: Int)?

  /// The most pixels of a preview that a camera put into a photo.
  private static let mostEmbeddedPixels = 1 << 24
  /// The most bytes that metadata and the frames of pictures take.
  private static let besidePixels = 64 << 20
  private static let longestError = 1 << 14
  private static let longestWarnings = 1 << 20

  /// The answers to a request.
  init(_ work: Request.Work, on sources: [PhotoSource]) {
    self.work = .request(work)
    let headers = sources.map(AnnouncedSize.init)
    stored = headers.first?.exact
    let photo = zip(headers, sources).map { $0.most(upTo: $1.pixelLimit) }.max() ?? 0
    mostPixels = Self.drawnPixels(work, headers.map(\.exact)) ?? photo
    switch work {
    case .render(_, let output, _), .compare(_, _, let output, _), .sheet(_, _, let output, _),
      .draw(_, _, let output, _):
      picture = PictureCheck(output.format)
      mostBytes = 8 * mostPixels + Self.besidePixels
    case .thumbnail(let jpeg):
      let size = AnnouncedSize(jpeg: [UInt8](jpeg)).exact
      shown = (size, size.map { $0.isPicture(upTo: 1 << 26) ? $0.width * $0.height : 0 } ?? 0)
      mostBytes = 3 * (shown?.mostPixels ?? 0)
    case .hald: mostBytes = 6 * mostPixels
    case .live:
      picture = PictureCheck(.jpeg)
      mostBytes = Self.mostBytes(ofJPEG: Self.mostEmbeddedPixels)
    case .describe, .check, .display, .histogram, .automatic, .drill: break
    }
  }

  /// The answers to an order of a session.
  ///
  /// - Parameters:
  ///   - photo: The size of the photo, upright.
  ///   - screen: The size that the session's pictures lie inside.
  init(_ layout: PreviewLayout, of photo: PixelSize, on screen: PixelSize) {
    work = .preview(layout)
    stored = nil
    var most = 1 << 25
    if layout.tile == nil {
      let room = screen.width.multipliedReportingOverflow(by: screen.height)
      most = room.overflow ? .max : room.partialValue
    }
    mostPixels = min(photo.width * photo.height, most)
    mostBytes = Self.mostBytes(ofJPEG: mostPixels)
    picture = PictureCheck(.jpeg)
  }

  /// The most pixels of a picture that is drawn from several, with some room; `nil` for other work.
  private static func drawnPixels(_ work: Request.Work, _ sizes: [PixelSize?]) -> Int? {
    func side(_ asked: Int?, _ usual: Int) -> Int { min(max(asked ?? usual, 1), 1 << 16) }
    let pixels: Int
    switch work {
    case .draw: pixels = 1 << 21
    case .compare(_, _, let output, _):
      let known = sizes.compactMap { $0.map { max($0.width, $0.height) } }
      var longest = side(output.longestSide, 1 << 14)
      if known.count == sizes.count {
        let both = known.reduce(0, +)
        // The labels below: 24 letters each.
        longest = min(longest, both + 60 * min(max(both / 60, 12), 96))
      }
      pixels = longest * longest
    case .sheet(let states, _, let output, _):
      let thumbnail = side(output.longestSide, 360)
      // The last row may be almost empty.
      pixels = (2 * states.count + 1) * (max(thumbnail, 512) + 64) * (thumbnail + 256)
    default: return nil
    }
    return min(pixels, PhotoSource.defaultPixelLimit)
  }

  /// Six bytes for each pixel are more than any JPEG has.
  private static func mostBytes(ofJPEG pixels: Int) -> Int { 6 * pixels + 65_536 }

  // MARK: - Bytes

  /// Takes bytes of a picture.
  mutating func take(_ bytes: UnsafeRawBufferPointer) throws(ImpossibleReply) {
    guard bytes.count <= mostBytes - byteCount else {
      throw ImpossibleReply(reason: "more bytes than the picture can have")
    }
    byteCount += bytes.count
    picture?.take(bytes)
  }

  /// Says what the process was told to show.
  mutating func expect(_ layout: DisplayLayout, of whole: PixelSize) {
    var most = whole.width * whole.height
    if let size = layout.size {
      most = size.isPicture(upTo: 1 << 40) ? size.width * size.height : 0
    }
    shown = (layout.size, most)
    mostBytes = 3 * most
  }

  // MARK: - Answers

  /// Throws when an answer cannot be.
  ///
  /// - Parameter isCancelled: Whether this side has cancelled the work.
  func check(_ reply: Reply, isCancelled: Bool) throws(ImpossibleReply) {
    switch (work, reply) {
    case (_, .failed(let error)):
      switch error {
      case .tookTooLong, .decoderEnded, .noDarkroom: throw Self.unfit
      default: try Self.require(error.description.utf8.count <= Self.longestError, "a long text")
      }
    case (_, .cancelled):
      try Self.require(isCancelled, "the work was cancelled by nobody")
    case (.request(let work), _): try check(reply, to: work)
    case (.preview(let layout), .previewed(let size, let histogram)):
      try require(size, upTo: mostPixels)
      try requirePicture(of: size)
      try Self.require(
        (histogram != nil) == layout.isCounted, "another histogram than was asked for")
      if let histogram {
        try Self.require(
          histogram.isPossible(upTo: size.width * size.height), "a histogram of no picture")
      }
    default: throw Self.unfit
    }
  }

  private func check(_ reply: Reply, to work: Request.Work) throws(ImpossibleReply) {
    switch (work, reply) {
    case (.describe, .described(let facts)):
      // A photo with too many pixels is refused by whoever asked.
      try Self.require(facts.isPossible, "facts of no photo")
      if let stored { try Self.require(facts.size == stored, "another size than the photo has") }
    case (.render(let stack, let output, _), .rendered(let report)):
      let size = PixelSize(width: report.pixelWidth, height: report.pixelHeight)
      try require(size, upTo: mostPixels)
      if let side = output.longestSide {
        // Sides are rounded to whole pixels.
        try Self.require(
          max(size.width, size.height) <= max(min(side, 1 << 31), 1) + 16,
          "a larger picture than was asked for")
      } else {
        try requireSize(size, of: stack)
      }
      try check(report, size)
    case (.compare, .rendered(let report)), (.sheet, .rendered(let report)),
      (.draw, .rendered(let report)):
      let size = PixelSize(width: report.pixelWidth, height: report.pixelHeight)
      try require(size, upTo: mostPixels)
      try check(report, size)
    case (.check, .checked(let size)):
      try require(size, upTo: mostPixels)
      if let stored { try Self.require(size == stored, "another size than the photo has") }
    case (.display(let stack), .size(let size)):
      try Self.require(shown == nil, "a question that was answered")
      try require(size, upTo: mostPixels)
      try requireSize(size, of: stack)
    case (.display, .displayed(let size)), (.thumbnail, .displayed(let size)):
      guard let shown else { throw Self.unfit }
      try require(size, upTo: shown.mostPixels)
      try Self.require(
        shown.size == nil || size == shown.size, "another size than was asked for")
      try Self.require(byteCount == 3 * size.width * size.height, "pixels that are not whole")
    case (.thumbnail, .nothing), (.drill, .nothing), (.drill, .brokeOut): break
    case (.histogram, .counted(let histogram)):
      try Self.require(histogram.isPossible(upTo: mostPixels), "a histogram of no picture")
    case (.automatic(let kinds, _), .chosen(let values, let notes)):
      try Self.require(
        values.count <= 16 * kinds.count && notes.count <= kinds.count
          && notes.allSatisfy { $0.utf8.count <= 1000 }
          && (try? AutomaticAdjustments(
            values.map { ($0.option, $0.value) }, notes: notes))?.settings.count == values.count,
        "values that no adjustment has")
    case (.hald, .hald(let picture)):
      let size = PixelSize(width: picture.width, height: picture.height)
      try require(size, upTo: mostPixels)
      try Self.require(
        LookupTable.haldLevel(width: size.width, height: size.height) != nil
          && [1, 3].contains(picture.bands) && picture.byteCount == byteCount,
        "codes that are not whole")
    case (.hald, .notHald): break
    case (.live, .opened(let size, let embedded)):
      try require(size, upTo: mostPixels)
      if let stored {
        try Self.require(
          size == stored || size == stored.onItsSide, "another size than the photo has")
      }
      try Self.require((embedded != nil) == (byteCount > 0), "a preview without its bytes")
      if let embedded {
        try require(embedded, upTo: Self.mostEmbeddedPixels)
        try requirePicture(of: embedded)
      }
    default: throw Self.unfit
    }
  }

  private static let unfit = ImpossibleReply(reason: "an answer to something else")

  private static func require(
    _ isTrue: Bool, _ reason: @autoclosure () -> String
  ) throws(ImpossibleReply) {
    if !isTrue { throw ImpossibleReply(reason: reason()) }
  }

  private func require(_ size: PixelSize, upTo pixels: Int) throws(ImpossibleReply) {
    try Self.require(
      size.isPicture(upTo: pixels), "a picture of \(size.width) × \(size.height) pixels")
  }

  /// Throws when a photo whose size is known cannot have this one with its edit.
  private func requireSize(_ size: PixelSize, of text: StackText) throws(ImpossibleReply) {
    guard let stored, let stack = try? text.stack() else { return }
    let sizes = [stored, stored.onItsSide].compactMap { try? Renderer().size(of: stack, on: $0) }
    try Self.require(
      sizes.isEmpty || sizes.contains(size), "another size than the photo has with its edit")
  }

  private func check(_ report: Renderer.Report, _ size: PixelSize) throws(ImpossibleReply) {
    let length = report.warnings.reduce(0) { $0 + $1.description.utf8.count }
    try Self.require(length <= Self.longestWarnings, "a long text")
    try requirePicture(of: size)
  }

  /// Throws when the bytes that came are not a picture of a size.
  private func requirePicture(of size: PixelSize) throws(ImpossibleReply) {
    guard let found = picture?.wholeSize else {
      throw ImpossibleReply(reason: "bytes that are no whole picture")
    }
    try Self.require(found == size, "bytes of a picture of another size")
  }
}

extension PixelSize {
  /// Whether a picture of at most so many pixels can have this size.
  fileprivate func isPicture(upTo pixels: Int) -> Bool {
    width > 0 && height > 0 && width <= pixels / height
  }

  fileprivate var onItsSide: PixelSize { PixelSize(width: height, height: width) }
}

/// The size of a photo's stored pixels, as this process finds it in the file's header.
private struct AnnouncedSize {
  /// The size, in a format whose decoder can find no other.
  let exact: PixelSize?
  /// The most pixels that there can be; `nil` when only a decoder knows.
  private let most: Int?

  private init(_ size: (width: Int, height: Int)?, isExact: Bool) {
    let found = size.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
    exact = isExact ? found.map { PixelSize(width: $0.width, height: $0.height) } : nil
    most = found.map { size in
      let product = size.width.multipliedReportingOverflow(by: size.height)
      return product.overflow ? .max : product.partialValue
    }
  }

  init(jpeg bytes: [UInt8]) {
    var reader = JPEGReader(size: bytes.count, limit: 4096)
    let read = { (offset: Int, count: Int) in bytes.bytes(at: offset, count: count) }
    var size: (width: Int, height: Int)?
    while size == nil, let segment = reader.next(read), !segment.isScan {
      size = segment.frameSize(read)
    }
    self.init(size, isExact: true)
  }

  init(_ source: PhotoSource) {
    guard let length = try? FileSystem.real.status(of: source.file).size else {
      self.init(nil, isExact: false)
      return
    }
    let bytes = HeaderBytes(source.file, size: Int(length))
    switch PhotoFormat.recognized(in: bytes) {
    case nil: self.init(nil, isExact: false)
    case .tiff: self.init(Self.size(ofTIFF: bytes), isExact: false)
    case .heic, .avif:
      self.init(PhotoHeader(bytes).map { ($0.width, $0.height) }, isExact: false)
    case .jpeg, .png, .webp:
      self.init(PhotoHeader(bytes).map { ($0.width, $0.height) }, isExact: true)
    }
  }

  /// The size of the picture of a TIFF that is the photo.
  private static func size(ofTIFF bytes: HeaderBytes) -> (width: Int, height: Int)? {
    guard let photo = bytes.tiff?.photo, let width = photo.number(0x100),
      let height = photo.number(0x101)
    else { return nil }
    return (width, height)
  }

  /// The most pixels, where a photo may not have more than a limit. They are few enough that their bytes can be
  /// counted, whatever the limit.
  func most(upTo limit: Int) -> Int { min(most ?? limit, limit, 1 << 40) }
}
