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
    case job(RenderJob)
    case preview(PreviewLayout)
  }

  private let work: Work
  /// The sizes of the first photo's pixels as they are stored: known when a decoder cannot find others.
  private let stored: PixelSize?
  /// The most pixels of the photo, with its edit: only perspective makes a picture larger. Of drawn pictures, those of
  /// the whole.
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

  /// The answers to a job.
  init(_ job: RenderJob, on sources: [PhotoSource]) {
    work = .job(job)
    let headers = sources.map(AnnouncedSize.init)
    stored = headers.first?.exact
    let most = zip(headers, sources).map { $0.most(upTo: $1.pixelLimit) }.max() ?? 0
    let photo = (0..<job.perspectives).reduce(most) { pixels, _ in Self.stretched(pixels) }
    mostPixels =
      Self.drawnPixels(job, headers.map(\.exact))
      ?? (job.enlarges ? max(photo, RenderOutput.mostEnlarged) : photo)
    switch job {
    case .draw(_, let output, _):
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
    case .describe, .check, .display, .histogram, .automatic, .abilities, .tryOutput,
      .drill:
      break
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
    mostPixels = min(Self.stretched(photo.width * photo.height), most)
    mostBytes = Self.mostBytes(ofJPEG: mostPixels)
    picture = PictureCheck(.jpeg)
  }

  /// The most pixels after a perspective. A camera that turns by 30° sees half of the longer side, 26.6° from its middle,
  /// from 3.4° to 56.6°: tan 56.6° − tan 3.4° = 1.46 sides. That in both directions is less than 9/4.
  private static func stretched(_ pixels: Int) -> Int {
    let (product, overflow) = pixels.multipliedReportingOverflow(by: 9)
    return overflow ? .max : product / 4
  }

  /// The most pixels of a picture that is drawn from several, with some room; `nil` for other work.
  private static func drawnPixels(_ job: RenderJob, _ sizes: [PixelSize?]) -> Int? {
    guard case .draw(let drawing, let output, _) = job else { return nil }
    func side(_ asked: Int?, _ usual: Int) -> Int { min(max(asked ?? usual, 1), 1 << 16) }
    let pixels: Int
    switch drawing {
    case .photo: return nil
    case .histogram: pixels = 1 << 21
    case .comparison:
      let known = sizes.compactMap { $0.map { max($0.width, $0.height) } }
      var longest = side(output.longestSide, 1 << 14)
      if known.count == sizes.count {
        let both = known.reduce(0, +)
        // The labels below: 24 letters each.
        longest = min(longest, both + 60 * min(max(both / 60, 12), 96))
      }
      pixels = longest * longest
    case .sheet(let states, _):
      let thumbnail = side(output.longestSide, 360)
      // The last row may be almost empty.
      pixels = (2 * states.count + 1) * (max(thumbnail, 512) + 64) * (thumbnail + 256)
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
  func check<Result>(_ reply: Reply<Result>, isCancelled: Bool) throws(ImpossibleReply) {
    switch (work, reply) {
    case (_, .failure(.render(let error))):
      switch error {
      case .tookTooLong, .decoderEnded, .noDarkroom: throw Self.unfit
      default: try Self.require(error.description.utf8.count <= Self.longestError, "a long text")
      }
    case (_, .failure(.cancelled)):
      try Self.require(isCancelled, "the work was cancelled by nobody")
    case (.job(.hald), .failure(.notHald)): break
    case (.job(.display(let edit)), .question(let size)):
      try Self.require(shown == nil, "a question that was answered")
      try require(size, upTo: mostPixels)
      try requireSize(size, of: edit.stack)
    case (.job(let job), .result(let result)): try check(result, of: job)
    case (.preview(let layout), .result(let result as MadePreview)):
      try require(result.size, upTo: mostPixels)
      try requirePicture(of: result.size)
      try Self.require(
        (result.histogram != nil) == layout.isCounted, "another histogram than was asked for")
      if let histogram = result.histogram {
        try Self.require(
          histogram.isPossible(upTo: result.size.width * result.size.height),
          "a histogram of no picture")
      }
    default: throw Self.unfit
    }
  }

  private func check(_ result: Any, of job: RenderJob) throws(ImpossibleReply) {
    switch (job, result) {
    case (.describe, let facts as PictureFacts):
      // A photo with too many pixels is refused by whoever asked.
      try Self.require(facts.isPossible, "facts of no photo")
      if let stored { try Self.require(facts.size == stored, "another size than the photo has") }
    case (.draw(let drawing, let output, _), let report as Renderer.Report):
      let size = PixelSize(width: report.pixelWidth, height: report.pixelHeight)
      try require(size, upTo: mostPixels)
      if case .photo(let edit) = drawing {
        if let isAllowed = output.allows(size) {
          try Self.require(isAllowed, "a larger picture than was asked for")
        } else {
          try requireSize(size, of: edit.stack)
        }
      }
      let length = report.warnings.reduce(0) { $0 + $1.description.utf8.count }
      try Self.require(length <= Self.longestWarnings, "a long text")
      try requirePicture(of: size)
    case (.check, let size as PixelSize):
      try require(size, upTo: mostPixels)
      if let stored { try Self.require(size == stored, "another size than the photo has") }
    case (.display, let size as PixelSize): try requirePixels(of: size)
    case (.thumbnail, let sizes as [PixelSize]):
      try Self.require(sizes.count <= 1, "several thumbnails")
      for size in sizes { try requirePixels(of: size) }
    // There are no other formats than those of the tables.
    case (.abilities, is MeasuredFormats): break
    case (.tryOutput, is Bool): break
    case (.drill, is [String]): break
    case (.histogram, let histogram as PhotoHistogram):
      try Self.require(histogram.isPossible(upTo: mostPixels), "a histogram of no picture")
    case (.automatic(let kinds, _, _), let chosen as ChosenValues):
      try Self.require(
        chosen.values.count <= 16 * kinds.count && chosen.notes.count <= kinds.count
          && chosen.notes.allSatisfy { $0.utf8.count <= 1000 }
          && (try? chosen.adjustments())?.settings.count == chosen.values.count,
        "values that no adjustment has")
    case (.hald, let picture as HaldPicture):
      let size = PixelSize(width: picture.width, height: picture.height)
      try require(size, upTo: mostPixels)
      try Self.require(
        LookupTable.haldLevel(width: size.width, height: size.height) != nil
          && [1, 3].contains(picture.bands) && picture.byteCount == byteCount,
        "codes that are not whole")
    case (.live, let opened as OpenedSession):
      try require(opened.size, upTo: mostPixels)
      if let stored {
        try Self.require(
          opened.size == stored || opened.size == stored.onItsSide,
          "another size than the photo has")
      }
      try Self.require((opened.embedded != nil) == (byteCount > 0), "a preview without its bytes")
      if let embedded = opened.embedded {
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
  private func requireSize(_ size: PixelSize, of stack: EditStack) throws(ImpossibleReply) {
    guard let stored else { return }
    let sizes = [stored, stored.onItsSide].compactMap { try? Renderer().size(of: stack, on: $0) }
    try Self.require(
      sizes.isEmpty || sizes.contains(size), "another size than the photo has with its edit")
  }

  /// Throws when the bytes that came are not the pixels that are shown.
  private func requirePixels(of size: PixelSize) throws(ImpossibleReply) {
    guard let shown else { throw Self.unfit }
    try require(size, upTo: shown.mostPixels)
    try Self.require(shown.size == nil || size == shown.size, "another size than was asked for")
    try Self.require(byteCount == 3 * size.width * size.height, "pixels that are not whole")
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
    let bytes = PhotoBytes(source.file, size: Int(length))
    let format = PhotoFormat.recognized(in: bytes)?.file
    self.init(format?.size(bytes), isExact: format?.hasExactSize == true)
  }

  /// The most pixels, where a photo may not have more than a limit. They are few enough that their bytes can be
  /// counted, whatever the limit.
  func most(upTo limit: Int) -> Int { min(most ?? limit, limit, 1 << 40) }
}
