import FoundationEssentials
import SafelightAdjustments
import SafelightFiles
import SafelightMetadata
import SafelightVips
import Synchronization

/// Turns an original and an edit stack into an encoded picture.
///
/// A call blocks until its picture is done, and uses every core through libvips. libvips reports
/// errors and warnings for the whole process, so details are exact only while one call runs.
///
/// ```swift
/// let source = PhotoSource(file, name: "beach.jpg")
/// var edit = EditStack()
/// try edit.set("exposure", to: "0.5")
/// let photo = try Renderer().open(source)
/// let report = try Renderer().render(photo, edit: edit, as: .standard, derivedFrom: original) {
///   bytes in try sink.write(bytes)
/// }
/// print(report.pixelWidth, report.pixelHeight)
/// ```
package struct Renderer: Sendable {
  /// The revision of the pixels that this renderer makes. Each record stores the revision of its
  /// render; a render of another revision counts as stale.
  package static let version = "safelight-1"

  /// The version of libvips, such as `8.14.1`; `nil` when there is none.
  package static var libraryVersion: String? { Library.version }

  /// Makes a renderer; libvips starts with the first photo.
  package init() {}

  /// The size of a render, and what the render could not keep.
  package struct Report: Sendable, Hashable, Codable {
    /// Pixels from left to right of the render.
    package let pixelWidth: Int
    /// Pixels from top to bottom of the render.
    package let pixelHeight: Int
    /// What could not be kept.
    package let warnings: [RenderWarning]
    /// Whether the render has the coefficients of a JPEG that it was made from.
    package var isLossless = false
  }

  /// Starts libvips, which otherwise starts with the first photo.
  ///
  /// - Parameter modules: The parts of libvips to load, too.
  package func start(with modules: Set<Module> = []) {
    try? Library.start()
    for module in modules { try? Library.load(module) }
  }

  /// A part of libvips that is loaded when it is needed.
  package typealias Module = Library.Module

  /// Draws with no more than so many threads from here on.
  package func use(threads: Int) { Image.limitConcurrency(to: threads) }

  /// What only the decoder knows about a photo.
  package func facts(of source: PhotoSource) throws(RenderError) -> PictureFacts {
    try OpenedPhoto.facts(of: source)
  }

  /// Opens a photo, to be rendered once.
  ///
  /// - Throws: ``RenderError`` when the file is no photo that Safelight edits.
  package func open(_ source: PhotoSource) throws(RenderError) -> OpenedPhoto {
    // Warnings from here on are about this photo.
    _ = Library.takeWarnings()
    return try OpenedPhoto(source)
  }

  /// Renders a photo with its edit and hands out the encoded bytes in order.
  ///
  /// - Parameters:
  ///   - opened: The original, or the pixels that the edit starts from.
  ///   - stack: The edit; an empty one gives the photo's own pixels, upright.
  ///   - output: Format, quality and size.
  ///   - original: What the render's metadata names as the picture it derives from.
  ///   - cancellation: Ends the render early when it is cancelled from another thread.
  ///   - sink: Called with each run of bytes; what it throws ends the render and comes out here.
  /// - Throws: ``RenderError``, `CancellationError`, or what `sink` threw.
  package func render(
    _ opened: OpenedPhoto, edit stack: EditStack, as output: RenderOutput,
    derivedFrom original: OriginalReference, cancellation: RenderCancellation? = nil,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    let plan = try RenderPlan(stack)
    let report = try draw(
      opened, plan, as: output, derivedFrom: original, cancellation: cancellation, to: sink)
    // A decoder reports its warnings when its image is released, which has happened by now.
    return Report(
      pixelWidth: report.pixelWidth, pixelHeight: report.pixelHeight,
      warnings: stack.renderWarnings + report.warnings
        + Library.takeWarnings().map(RenderWarning.decoder),
      isLossless: report.isLossless)
  }

  private func draw(
    _ opened: OpenedPhoto, _ asked: RenderPlan, as output: RenderOutput,
    derivedFrom original: OriginalReference, cancellation: RenderCancellation?,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    do {
      var loss: [RenderWarning] = []
      if output.keepsCoefficients {
        let (plan, scale) = try asked.sized(for: output, of: opened.uprightSize)
        let moved = try drawWithoutLoss(
          opened, plan, scale: scale, as: output, derivedFrom: original,
          cancellation: cancellation, to: sink)
        switch moved {
        case .success(let report): return report
        case .failure(let reason): if output.lossless { loss = [.encodedAgain(reason)] }
        }
      }
      let finished = try finished(opened, asked, as: output, cancellation: cancellation)
      let (photo, plan) = (finished.photo, finished.plan)
      var picture = finished.picture
      if output.hasWatermark {
        picture = try finished.watermark(of: output, on: picture.image.size).drawn(on: picture)
      }
      picture = try picture.withAlpha()
      if output.mostBytes != nil { picture = try picture.computed() }
      let image = picture.image
      let limit = output.format.largestSide
      guard max(image.width, image.height) <= limit else {
        throw RenderError.cannotEncode(
          detail: "\(output.format.rawValue) has room for \(limit) pixels along a side")
      }
      try cancellation?.watch(image)
      defer { cancellation?.watchNothing() }
      let orientation = opened.orientation.followed(by: plan.turn)
      var encoder = RenderEncoder(
        output: output,
        metadata: opened.metadata.fulfilling(output.metadataRequest, in: output.format.file.photo),
        orientation: orientation.exif,
        places: opened.places(in: plan, ofSize: image.size),
        profile: output.profile.bytes
          ?? (!output.hasWatermark && finished.target == nil
            && plan.keepsCodes(of: photo, as: output.format) && output.depth ?? 8 == 8
            ? photo.ownProfile : photo.outputProfile),
        original: original,
        isResized: photo.isReduced || image.size != asked.size(of: opened.uprightSize),
        coding: opened.stored.jpegCoding, cancellation: cancellation)
      // A picture that has a limit for its bytes was computed before, and is encoded more than once.
      if let means = finished.means, !means.isWhole, output.mostBytes == nil {
        encoder.gainMapAfterwards = { try finished.gainMap(of: opened, as: output).map }
      } else {
        let absence: GainMapAbsence?
        (encoder.gainMap, absence) = try finished.gainMap(of: opened, as: output)
        if let absence { loss.append(.noGainMap(absence)) }
      }
      let warnings: [RenderWarning]
      if let most = output.mostBytes {
        do {
          warnings = try encoder.encode(picture, within: most.bytes, to: sink)
        } catch RenderError.tooManyBytes where encoder.gainMap != nil {
          // The picture comes before its map.
          encoder.gainMap = nil
          warnings = try encoder.encode(picture, within: most.bytes, to: sink)
        }
      } else {
        warnings = try encoder.encode(picture, to: sink)
      }
      let hasFewBits =
        finished.coding == nil && finished.target == nil && output.depth == nil && photo.isWide
        && image.sampleFormat != .uint16
        && photo.outputCoding.hasImaginaryPrimaries
      // libvips forgets the order to stop as soon as one of its threads has seen it.
      if cancellation?.isCancelled == true { throw CancellationError() }
      return Report(
        pixelWidth: image.width, pixelHeight: image.height,
        warnings: opened.warnings + photo.warnings + warnings
          + (hasFewBits ? [.fewBitsForProfile] : []) + loss)
    } catch let error as VipsError {
      if cancellation?.isCancelled == true { throw CancellationError() }
      throw RenderError(error, decoding: opened.format)
    }
  }

  /// A photo's picture in the colors of an output.
  struct FinishedPicture {
    let photo: DecodedPhoto
    /// What the photo was made from, in memory, where its gain map needs that, too.
    let source: Picture?
    /// What the gain map needs to know of the photo, once the photo was decoded.
    let means: PassingMeans?
    let plan: RenderPlan
    /// What the codes mean that the output asks for; `nil` for those of the photo, and for lcms2's work.
    let coding: PixelCoding?
    /// The profile that lcms2 converts to.
    let target: OutputAttachment?
    let conversion: ProfileConversion?
    let picture: RenderedPicture

    /// The watermark of an output for a picture of a size.
    func watermark(of output: RenderOutput, on size: PixelSize) throws(RenderError) -> Watermark {
      try Watermark(output, on: size, in: coding ?? photo.outputCoding, converted: conversion)
    }
  }

  func finished(
    _ opened: OpenedPhoto, _ asked: RenderPlan, as output: RenderOutput,
    cancellation: RenderCancellation?
  ) throws -> FinishedPicture {
    let (plan, scale) = try asked.sized(for: output, of: opened.uprightSize)
    let target = output.convertedProfile
    let isFinished = target != nil || output.hasWatermark
    let coding = target == nil ? output.profile.coding : nil
    let purpose = DecodedPhoto.Purpose(
      isNeutral: plan.isNeutral && coding == nil && !isFinished && output.depth ?? 8 == 8,
      orientation: opened.orientation.followed(by: plan.turn), scale: scale,
      keepsAlpha: output.format.file.holdsAlpha,
      mixesNeighbors: scale < 1 || plan.mixesNeighbors,
      inAnyOrder: plan.needsAnyOrder(as: output.format) || output.mostBytes != nil)
    let source = try opened.source(of: plan, as: output)
    let watched = source == nil ? try opened.watched(for: plan, scale: scale, as: output) : nil
    let photo =
      try (source ?? watched?.picture).map { picture throws(VipsError) in
        try DecodedPhoto(opened, picture, for: purpose)
      } ?? DecodedPhoto(opened, for: purpose)
    var picture = try plan.picture(
      of: photo, opened, as: output.format,
      in: coding ?? (isFinished ? photo.outputCoding : nil),
      wide: target != nil ? true : output.depth.map { $0 > 8 },
      dithers: output.dithers, cancellation: cancellation)
    let conversion = try target.map {
      try picture.conversion(from: photo.outputCoding, to: $0, for: output)
    }
    if let conversion {
      let isWide = output.depth.map { $0 > 8 } ?? (photo.isWide && output.format.keepsSixteenBits)
      picture = try picture.converted(by: conversion, wide: isWide)
    }
    return FinishedPicture(
      photo: photo, source: source, means: watched?.means, plan: plan, coding: coding,
      target: target,
      conversion: conversion, picture: picture)
  }

  /// Gives a render the metadata that its original has now, and hands out the bytes in order. The
  /// coded picture stays as it is, byte for byte.
  ///
  /// - Parameters:
  ///   - render: A JPEG that ``render(_:edit:as:derivedFrom:cancellation:to:)`` made.
  ///   - opened: What it was made from.
  ///   - stack: The edit that it shows.
  ///   - original: What its metadata name as the picture it derives from.
  ///   - sink: Called with each run of bytes; what it throws comes out here.
  /// - Returns: Warnings about metadata that the file does not carry; `nil` when the render is no
  ///   whole JPEG.
  /// - Throws: ``RenderError``, or what `sink` threw.
  package func renewMetadata(
    of render: PhotoSource, madeFrom opened: OpenedPhoto, with stack: EditStack,
    derivedFrom original: OriginalReference, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> [RenderWarning]? {
    let bytes = PhotoFile(render).bytes
    guard let picture = CodedPicture(jpeg: bytes) else { return nil }
    let plan = try RenderPlan(stack)
    let profile = CarriedMetadata(original: bytes).profile
    let header = opened.metadata.header(
      size: picture.size, baked: opened.orientation.followed(by: plan.turn).exif, profile: profile,
      colors: ExifColors(profile.map { Array($0) }), derivedFrom: original,
      moving: opened.places(
        in: plan, ofSize: PixelSize(width: picture.size.width, height: picture.size.height)),
      with: AttachedGainMap(behind: bytes))
    var isWhole = false
    try withoutActuallyEscaping(sink) { sink in
      var splicer = JPEGSplicer(
        header: header.bytes, further: header.further, trailer: header.trailer, sink: sink)
      try ([0xFF, 0xD8] as [UInt8]).withUnsafeBytes { try splicer.write($0) }
      isWhole = try bytes.copy(picture.range) { try splicer.write($0) }
      if isWhole { try splicer.finish() }
    }
    guard isWhole else { return nil }
    return opened.warnings + header.warnings.map(RenderWarning.init)
  }

  /// Decodes every pixel of a JPEG that another program rendered, and gives its size.
  ///
  /// - Throws: ``RenderError`` when it is no JPEG, does not decode to the end, or its orientation
  ///   tag is not 1.
  package func checkRender(_ source: PhotoSource) throws(RenderError) -> PixelSize {
    let opened = try OpenedPhoto(source)
    guard opened.format == .jpeg else {
      throw .unsupportedFormat(opened.format.title, reason: "and a render must be a JPEG")
    }
    let tag = opened.metadata.exif?.orientation ?? 1
    guard tag == 1 else { throw .notUpright(orientation: tag) }
    do {
      _ = try opened.picture().picture.color.average()
    } catch {
      throw RenderError(error, decoding: .jpeg)
    }
    return opened.size
  }
}

extension EditStack {
  /// Warnings for fields of newer versions, which are kept but cannot be used.
  fileprivate var renderWarnings: [RenderWarning] {
    entries.withSteps.filter { !$0.unknownFields.isEmpty }.map {
      .unknownFields(id: $0.id, names: $0.unknownFields)
    }
  }
}

/// A switch that ends a running render from another thread.
package final class RenderCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var stop: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  /// Whether somebody elsewhere wants the render to end; asked by one thread at a time.
  private let isUnwanted: (@Sendable () -> Bool)?

  /// Makes a switch for one render.
  ///
  /// - Parameter isUnwanted: Asked each time that ``isCancelled`` is, until it says so.
  package init(when isUnwanted: (@Sendable () -> Bool)? = nil) {
    self.isUnwanted = isUnwanted
  }

  /// Whether ``cancel()`` was called.
  package var isCancelled: Bool {
    state.withLock { state in
      if !state.isCancelled, isUnwanted?() == true { state.isCancelled = true }
      return state.isCancelled
    }
  }

  /// Ends the render, which then throws `CancellationError`. A render that returned is not affected.
  package func cancel() {
    state.withLock {
      $0.isCancelled = true
      $0.stop?()
    }
  }

  /// Makes the switch stop the computing of `image` from now on.
  func watch(_ image: Image) throws(CancellationError) {
    try watch { image.stopComputing() }
  }

  /// Makes the switch call `stop` from now on, at most once and on whatever thread.
  package func watch(_ stop: @escaping @Sendable () -> Void) throws(CancellationError) {
    let isCancelled = state.withLock { state in
      state.stop = stop
      return state.isCancelled
    }
    if isCancelled { throw CancellationError() }
  }

  /// Forgets what to stop.
  package func watchNothing() {
    state.withLock { $0.stop = nil }
  }
}
