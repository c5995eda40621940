import SafelightDarkroom
import SafelightFiles
import SafelightFormats
import SafelightMetadata
import SafelightRendering

/// A Live Photo that is to be made of another one, frame by frame.
struct LivePhotoOrder: Sendable {
  let input: ContentEditingInput
  let livePhoto: LivePhoto
  /// What makes new frames; `nil` leaves all as they are.
  let process: LivePhotoEditingContext.FrameProcessor?
  let hasSound: Bool
  /// The most pixels; `nil` is full size.
  let limit: PixelSize?
  /// Where the still goes.
  let still: FilePath
  /// Where the video goes.
  let video: FilePath
}

/// A Live Photo that was made.
struct MadeLivePhoto: Sendable {
  let livePhoto: LivePhoto
  /// What of the photo the still does not have.
  let warnings: [String]
}

extension PhotoEditor {
  /// Makes a Live Photo of another one.
  ///
  /// - Throws: ``LivePhotoEditingError``, ``EditError``, or what the frame processor throws.
  func make(_ order: LivePhotoOrder) async throws -> MadeLivePhoto {
    let path = order.input.photo.path
    let outcome: Result<MadeLivePhoto, any Error> = try await working(on: path) { cancellation in
      do {
        return .success(try made(order, cancellation))
      } catch let error as ProcessorFailure {
        // Errors of the program, and ours of its frames, come out as they are.
        return .failure(error.reason)
      } catch let error as VideoFailure {
        return .failure(LivePhotoEditingError.video(path: path, reason: error.description))
      }
    }
    return try outcome.get()
  }

  private func made(
    _ order: LivePhotoOrder, _ cancellation: RenderCancellation
  ) throws -> MadeLivePhoto {
    let full = max(order.livePhoto.pixelWidth, order.livePhoto.pixelHeight, 1)
    func drawn(_ frame: LivePhotoFrame) throws -> DisplayImage {
      if cancellation.isCancelled { throw CancellationError() }
      guard let process = order.process else { return frame.image }
      do {
        if let image = try process(frame) { return image }
      } catch {
        throw ProcessorFailure(reason: error)
      }
      throw ProcessorFailure(
        reason: LivePhotoEditingError.noImage(type: frame.type, time: frame.time))
    }
    func scale(_ width: Int, _ height: Int) -> Double { Double(max(width, height)) / Double(full) }

    let source = try order.input.openPixels(fileSystem)
    var request = PictureRequest(.edit(EditStack()))
    request.fit.target = order.limit
    let image = try darkroom.picture(
      request, of: ShownPixels(source, needing: EditStack()), cancellation: cancellation
    ).image
    let still = try drawn(
      LivePhotoFrame(
        image: image, time: order.livePhoto.video.stillImageTime ?? 0, type: .photo,
        renderScale: scale(image.width, image.height)))
    let warnings = try write(still, of: order, from: source)

    let movie = try order.livePhoto.video.bytes(fileSystem)
    var bytes = movie
    if order.process != nil {
      var replacement = FrameReplacement(configuration.darkroom, cancellation: cancellation)
      replacement.searchPath = configuration.searchPath
      var first: PixelSize?
      bytes = try replacement.video(of: movie, fitting: order.limit) { pixels, time in
        let image = try drawn(
          LivePhotoFrame(
            image: DisplayImage(pixels), time: time, type: .video,
            renderScale: scale(pixels.width, pixels.height)))
        let expected = first ?? image.size
        first = expected
        guard image.size == expected else {
          throw ProcessorFailure(
            reason: LivePhotoEditingError.differentSize(image.size, expected: expected, time: time))
        }
        return DisplayPixels(width: image.width, height: image.height, bytes: image.pixels)
      }
    }
    if !order.hasSound, order.livePhoto.video.hasSound { bytes = try Self.withoutSound(bytes) }
    _ = try fileSystem.writeWhole(order.video, replacing: true, mode: 0o600) { sink in
      try sink.write(bytes)
      return true
    }
    guard let video = PhotoVideo(inFileAt: order.video, fileSystem) else {
      throw VideoFailure.unreadable
    }
    return MadeLivePhoto(
      livePhoto: LivePhoto(
        imagePath: order.still, contentType: PhotoFormat.jpeg.contentType, size: still.size,
        video: video),
      warnings: warnings)
  }

  /// Writes the still as a JPEG with the metadata of the pixels that the edit starts from.
  ///
  /// - Returns: What of the photo it does not have.
  private func write(
    _ still: DisplayImage, of order: LivePhotoOrder, from source: PhotoSource
  ) throws -> [String] {
    guard let plain = OpenFile.ofMemory("safelight-still") else { throw RenderError.outOfMemory }
    try FileSystem.real.write(try still.jpegBytes(quality: Self.stillQuality), to: plain)
    let original = order.input.photo.path
    let reference = OriginalReference(
      fileName: (original.lastComponent ?? original).string,
      sha256: "\(try fileSystem.digestOfFile(at: original))")
    let written = try fileSystem.writeWhole(order.still, replacing: true, mode: 0o600) { sink in
      try Renderer().renewMetadata(
        of: PhotoSource(plain, name: "still.jpg"), madeFrom: darkroom.open(source),
        with: EditStack(), derivedFrom: reference
      ) { try sink.write($0) }
    }
    guard let warnings = written.flatMap({ $0 }) else {
      throw RenderError.cannotEncode(detail: "its metadata cannot be written")
    }
    return warnings.filter { !$0.isAboutInnerVideo }.map(\.description)
  }

  /// The quality of the JPEG of a still, whose colors have full resolution.
  private static let stillQuality = 95

  /// A movie whose sound is left out.
  private static func withoutSound(_ movie: [UInt8]) throws -> [UInt8] {
    guard let silent = MovieTrim.bytes(of: movie, isMuted: true) else {
      throw VideoFailure.unsupported("its sound cannot be left out")
    }
    return silent
  }
}

/// An error that is not the editor's: what a frame processor threw, or what is wrong with its picture.
private struct ProcessorFailure: Error {
  let reason: any Error
}

extension ContentEditingInput {
  /// The pixels, open.
  fileprivate func openPixels(_ fileSystem: FileSystem) throws -> PhotoSource {
    editor.configuration.source(
      try fileSystem.openForReading(fullSizeImagePath),
      name: fullSizeImagePath.lastComponent ?? fullSizeImagePath)
  }
}
