import Foundation
import SafelightTestSupport
import Synchronization

@testable import PhotoEditing
@testable import PhotoLibraryKit
@testable import SafelightFiles

extension TestLibrary {
  /// A manager that keeps pictures on disk even of photos that changed a moment ago.
  func manager() -> ImageManager {
    library.imageCache.settlingTime = -3600
    return ImageManager(library)
  }

  /// Edits a photo as Safelight does.
  func edit(
    _ asset: Asset,
    _ change: @Sendable (inout EditStack) throws(AdjustmentError) -> Void = {
      edit
        throws(AdjustmentError) in
      try edit.adjust(Adjustments.Saturation.self) { $0.amount = -100 }
    }
  ) async throws {
    try await PhotoEditor().adjust(asset.photo, change)
  }

  /// The files of the cache.
  var cachedFiles: [FilePath] {
    let cache = library.imageCache.folder
    return (try? FileManager.default.subpathsOfDirectory(atPath: cache.string))?
      .filter { $0.hasSuffix(".jpg") }.sorted().map { cache.appending($0) } ?? []
  }
}

extension PixelSize {
  static func square(_ side: Int) -> PixelSize { PixelSize(width: side, height: side) }
}

extension ImageRequestOptions {
  static func with(_ change: (ImageRequestOptions) -> Void) -> ImageRequestOptions {
    let options = ImageRequestOptions()
    change(options)
    return options
  }

  /// Options for one good picture of exactly the target size.
  static let good = with { ($0.deliveryMode, $0.resizeMode) = (.highQualityFormat, .fast) }
  static let exact = with { ($0.deliveryMode, $0.resizeMode) = (.highQualityFormat, .exact) }
}

extension DisplayImage {
  /// Red, green and blue of the pixel at a place, 0 to 1 along each side.
  func color(_ x: Double, _ y: Double) -> [Int] {
    let column = min(Int(x * Double(width)), width - 1)
    let row = min(Int(y * Double(height)), height - 1)
    let start = (row * width + column) * 3
    return pixels[start..<(start + 3)].map(Int.init)
  }

  /// The mean difference of two pictures of one size, in codes.
  func difference(from other: DisplayImage) -> Double {
    guard size == other.size else { return .infinity }
    let sum = zip(pixels, other.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(pixels.count)
  }

  /// Whether every pixel is gray, within the error of JPEG.
  var isGray: Bool {
    stride(from: 0, to: pixels.count, by: 3).allSatisfy { index in
      let color = pixels[index..<(index + 3)]
      return color.max()! - color.min()! <= 6
    }
  }

  /// A picture of one color.
  static func plain(_ color: [UInt8], width: Int = 8, height: Int = 8) -> DisplayImage {
    DisplayImage(
      width: width, height: height,
      pixels: (0..<(width * height)).flatMap { _ in color })
  }
}

/// The calls of a handler, in order.
final class Heard: Sendable {
  struct Call: Sendable {
    let image: DisplayImage?
    let info: ImageRequestInfo
    let isOnThread: Bool
  }

  private let heard = Mutex<[Call]>([])
  private let thread = pthread_self()

  func add(_ image: DisplayImage?, _ info: ImageRequestInfo) {
    heard.withLock {
      $0.append(
        Call(image: image, info: info, isOnThread: pthread_equal(pthread_self(), thread) != 0))
    }
  }

  var calls: [Call] { heard.withLock { $0 } }
}

/// A thread that does nothing until it is released.
final class HeldQueue: Sendable {
  let queue = WorkQueue("held", threads: 1)
  private let gate = DispatchSemaphore(value: 0)

  init() { queue.add(.requested) { [gate] in gate.wait() } }

  func letGo() { gate.signal() }

  /// Releases the thread, and returns when all work added so far is done.
  func finish() async {
    letGo()
    await withCheckedContinuation { done in queue.add(.ahead) { done.resume() } }
  }
}
