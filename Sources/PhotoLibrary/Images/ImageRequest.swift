import PhotoEditing
import SafelightFiles
import Synchronization

import class SafelightRendering.RenderCancellation
import struct SafelightStorage.PhotoStamp

/// The target size that asks for a photo in its full size; see
/// ``ImageManager/requestImage(for:targetSize:contentMode:options:)``.
public let imageManagerMaximumSize = PixelSize(width: .max, height: .max)

/// How a picture fills the target size; the numbers are PhotoKit's.
public enum ImageContentMode: Int, Sendable, Hashable, CaseIterable, Codable {
  /// The whole picture fits inside the size.
  case aspectFit = 0
  /// The picture covers the size.
  case aspectFill = 1

  /// The mode that PhotoKit uses when nothing else is said: ``aspectFit``.
  public static let `default` = aspectFit
}

/// The options of a request for a picture; the numbers are PhotoKit's.
///
/// ```swift
/// let options = ImageRequestOptions()
/// options.resizeMode = .exact
/// let image = try await manager.requestImage(
///   for: asset, targetSize: PixelSize(width: 200, height: 200), contentMode: .aspectFill,
///   options: options)
/// ```
///
/// Options are a reference, as in PhotoKit. A request takes the values that they have at the call.
public final class ImageRequestOptions: Sendable {
  /// A form of a photo.
  public enum Version: Int, Sendable, Hashable, CaseIterable, Codable {
    /// With its edit.
    case current = 0
    /// Without its edit.
    case unadjusted = 1
    /// The original in its best form. A library has one file of each original, so this is the photo
    /// without its edit.
    case original = 2
  }

  /// How quality and waiting are weighed.
  public enum DeliveryMode: Int, Sendable, Hashable, CaseIterable, Codable {
    /// A degraded picture at once when there is one, then the picture in good quality. The degraded picture
    /// is a smaller one that this process made or found lately, or the camera's thumbnail.
    case opportunistic = 0
    /// One picture, in good quality.
    case highQualityFormat = 1
    /// One picture, whichever is ready first; it may be degraded.
    case fastFormat = 2
  }

  /// How exactly the picture has the target size. Has no effect with ``imageManagerMaximumSize``.
  public enum ResizeMode: Int, Sendable, Hashable, CaseIterable, Codable {
    /// The photo's own pixels, or the mean of squares of them: full size, a half, a quarter or an eighth
    /// along each side; the smallest that is not below the target size.
    case none = 0
    /// The target size, or full size for a smaller photo. A picture that fills the size is longer along
    /// one side.
    case fast = 1
    /// Exactly the target size: small photos are enlarged, and a picture that fills the size is cut on
    /// two sides. A picture that fits has the size along one side and is shorter along the other.
    case exact = 2
  }

  private struct Values {
    var version = Version.current
    var deliveryMode = DeliveryMode.opportunistic
    var resizeMode = ResizeMode.none
    var normalizedCropRect: NormalizedRect?
    var isSynchronous = false
    var isNetworkAccessAllowed = false
  }

  private let values: Mutex<Values>

  /// The form of the photo.
  public var version: Version {
    get { values.withLock(\.version) }
    set { values.withLock { $0.version = newValue } }
  }
  /// How quality and waiting are weighed.
  public var deliveryMode: DeliveryMode {
    get { values.withLock(\.deliveryMode) }
    set { values.withLock { $0.deliveryMode = newValue } }
  }
  /// How exactly the picture has the target size.
  public var resizeMode: ResizeMode {
    get { values.withLock(\.resizeMode) }
    set { values.withLock { $0.resizeMode = newValue } }
  }
  /// The part of the upright picture that is kept before the picture is resized; `nil` keeps all. Has an
  /// effect only when ``resizeMode-swift.property`` is ``ResizeMode-swift.enum/exact``.
  public var normalizedCropRect: NormalizedRect? {
    get { values.withLock(\.normalizedCropRect) }
    set { values.withLock { $0.normalizedCropRect = newValue } }
  }
  /// Whether the handler is called before the request returns: once, on the calling thread, with the
  /// picture in good quality, for every ``deliveryMode-swift.property``. This blocks the thread, so
  /// tasks await requests instead; requests that are awaited ignore this option.
  public var isSynchronous: Bool {
    get { values.withLock(\.isSynchronous) }
    set { values.withLock { $0.isSynchronous = newValue } }
  }
  /// Has no effect: photos are on this computer.
  public var isNetworkAccessAllowed: Bool {
    get { values.withLock(\.isNetworkAccessAllowed) }
    set { values.withLock { $0.isNetworkAccessAllowed = newValue } }
  }

  /// PhotoKit's own choices.
  public init() { values = Mutex(Values()) }

  private init(_ values: Values) { self.values = Mutex(values) }

  /// Options with the same values, which a program can change on their own.
  public func copy() -> ImageRequestOptions { ImageRequestOptions(values.withLock(\.self)) }
}

/// Everything except the photo's files that decides a picture's pixels.
struct ImageRecipe: Sendable, Hashable {
  let showsEdit: Bool
  let fit: DisplayFit

  init(
    targetSize: PixelSize, contentMode: ImageContentMode, options: ImageRequestOptions
  ) {
    showsEdit = options.version == .current
    var fit = DisplayFit()
    if targetSize != imageManagerMaximumSize {
      fit.target = targetSize
      fit.fills = contentMode == .aspectFill
    }
    switch options.resizeMode {
    case .none: fit.exactness = .powersOfTwo
    case .fast: fit.exactness = .close
    case .exact:
      fit.exactness = .exact
      fit.crop = options.normalizedCropRect ?? .whole
    }
    self.fit = fit
  }

  /// - Throws: ``PhotoLibraryError/invalidValue(_:)`` for a size that no picture has, as views have before
  ///   they are laid out, and for a crop that keeps nothing.
  func check() throws(PhotoLibraryError) {
    guard fit.crop.width > 0, fit.crop.height > 0 else {
      throw .invalidValue("The crop keeps no part of the picture.")
    }
    guard let target = fit.target, target.width <= 0 || target.height <= 0 else { return }
    throw .invalidValue("There is no picture of \(target.width) × \(target.height) pixels.")
  }

  /// The pixels of the target; the largest number without a target.
  var targetArea: Double {
    fit.target.map { Double($0.width) * Double($0.height) } ?? .infinity
  }

  /// Whether a picture of this recipe shows the same part of the photo as one of another recipe, with fewer
  /// pixels.
  func isSmaller(than other: ImageRecipe) -> Bool {
    func isCut(_ fit: DisplayFit) -> Bool { fit.fills && fit.exactness == .exact }
    guard showsEdit == other.showsEdit, fit.crop == .whole, other.fit.crop == .whole else {
      return false
    }
    if isCut(fit) != isCut(other.fit) { return false }
    if isCut(fit), let one = fit.target, let two = other.fit.target,
      Double(one.width) * Double(two.height) != Double(two.width) * Double(one.height)
    {
      return false
    }
    return targetArea < other.targetArea
  }

  private var text: String {
    let (crop, target) = (fit.crop, fit.target)
    return """
      \(showsEdit) \(target?.width ?? 0) \(target?.height ?? 0) \(fit.fills) \
      \(fit.exactness.rawValue) \(crop.x) \(crop.y) \(crop.width) \(crop.height)
      """
  }

  /// The key of the picture of a photo whose files have this stamp.
  func key(of stamp: PhotoStamp) -> ImageKey {
    let stamp = showsEdit ? stamp : stamp.withoutEdit
    let head = "\(ImageKey.form) \(PhotoEditor.rendererVersion) \(text)\n"
    return ImageKey(digest: SHA256.digest(of: Array(head.utf8) + stamp.bytes))
  }
}

/// A hash of everything that decides a picture's pixels: the stamps of the original and of its edit's
/// record, size and resize mode, version, and the renderer's revision.
struct ImageKey: Sendable, Hashable {
  /// The revision of how pictures are made and stored. Pictures of another revision are not found.
  static let form = 2

  let digest: Digest
}

/// One request for a picture.
///
/// A request ends exactly once: with the picture, with an error, or cancelled.
final class ImageRequest: Sendable {
  /// Something that happens to a request.
  enum Event: Sendable {
    /// A picture. Unless it is the last, a better picture follows.
    case image(ImageDelivery, isLast: Bool)
    /// There is no picture. This is the last event.
    case failure(PhotoLibraryError)
  }

  /// The photo that the picture shows.
  enum Subject: Sendable, Hashable {
    /// A photo of the library, which the client must be allowed to see.
    case asset(Asset)
    /// A file, in the library or not.
    case file(FilePath)
  }

  let subject: Subject
  let recipe: ImageRecipe
  let deliveryMode: ImageRequestOptions.DeliveryMode
  /// Whether the request ends when no picture is available at once.
  let quickOnly: Bool
  /// How urgent the request is.
  let lane: ImageQueue.Lane
  private let onEvent: @Sendable (Event) -> Void

  private struct State {
    var isOver = false
    /// Removes the request from the work whose picture it waits for.
    var leave: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  init(
    _ subject: Subject, _ recipe: ImageRecipe,
    deliveryMode: ImageRequestOptions.DeliveryMode, quickOnly: Bool = false,
    lane: ImageQueue.Lane = .requested, onEvent: @escaping @Sendable (Event) -> Void
  ) {
    self.subject = subject
    self.recipe = recipe
    self.deliveryMode = deliveryMode
    self.quickOnly = quickOnly
    self.lane = lane
    self.onEvent = onEvent
  }

  /// Whether the request has ended.
  var isOver: Bool { state.withLock(\.isOver) }

  /// Passes on a degraded picture; a better one follows.
  func deliver(degraded image: DisplayImage) {
    // Under the lock, so that no event comes after the last one. The closure must not block.
    state.withLock { state in
      guard !state.isOver else { return }
      onEvent(.image(ImageDelivery(image: image, isDegraded: true), isLast: false))
    }
  }

  /// Ends the request with a picture.
  func finish(_ image: DisplayImage, isDegraded: Bool = false) {
    finish(.image(ImageDelivery(image: image, isDegraded: isDegraded), isLast: true))
  }

  /// Ends the request without a picture.
  func fail(_ error: PhotoLibraryError) { finish(.failure(error)) }

  /// Ends the request because the program no longer wants the picture.
  func cancel() { finish(.failure(.userCancelled)) }

  /// Calls a closure when the request ends; at once when it has ended.
  func onEnd(_ leave: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver { state.leave = leave }
      return state.isOver
    }
    if isOver { leave() }
  }

  private func finish(_ event: Event) {
    let (isFirst, leave) = state.withLock { state in
      defer { (state.isOver, state.leave) = (true, nil) }
      return (!state.isOver, state.leave)
    }
    guard isFirst else { return }
    leave?()
    onEvent(event)
  }
}

/// The pictures that are being made, so that no picture is made twice at the same time.
final class ImagesInWork: Sendable {
  /// A picture to make, and the requests that wait for it.
  final class Work: Sendable {
    fileprivate struct State {
      var waiting: [ObjectIdentifier: ImageRequest] = [:]
      var lane: ImageQueue.Lane
      var hasBegun = false
    }

    let key: ImageKey
    /// Cancels the rendering when no request waits any more.
    let cancellation = RenderCancellation()
    fileprivate let state: Mutex<State>

    fileprivate init(_ key: ImageKey, _ lane: ImageQueue.Lane) {
      self.key = key
      state = Mutex(State(lane: lane))
    }

    /// Begins the work; `false` when another thread has begun it or no request waits.
    func begin() -> Bool {
      state.withLock { state in
        guard !state.hasBegun, !state.waiting.isEmpty else { return false }
        state.hasBegun = true
        return true
      }
    }
  }

  private let work = Mutex<[ImageKey: Work]>([:])

  /// Lets a request wait for a picture.
  ///
  /// - Returns: The work when the caller has to add it to the request's lane, because the work is new
  ///   or was less urgent before; otherwise `nil`.
  func join(_ key: ImageKey, _ request: ImageRequest) -> Work? {
    let (joined, isDue) = work.withLock { work in
      let isNew = work[key] == nil
      let joined = work[key] ?? Work(key, request.lane)
      work[key] = joined
      return joined.state.withLock { state in
        state.waiting[ObjectIdentifier(request)] = request
        let isUrgent = request.lane == .requested && state.lane == .ahead && !state.hasBegun
        if isUrgent { state.lane = .requested }
        return (joined, isNew || isUrgent)
      }
    }
    request.onEnd { [weak self, weak request] in
      guard let self, let request else { return }
      leave(joined, request)
    }
    return isDue ? joined : nil
  }

  /// Ends the work; no request can join it any more.
  ///
  /// - Returns: The requests that wait for the picture.
  func end(_ ended: Work) -> [ImageRequest] {
    work.withLock { work in
      if work[ended.key] === ended { work[ended.key] = nil }
      return ended.state.withLock { state in
        defer { state.waiting = [:] }
        return Array(state.waiting.values)
      }
    }
  }

  private func leave(_ left: Work, _ request: ImageRequest) {
    work.withLock { work in
      let isLast = left.state.withLock { state in
        state.waiting.removeValue(forKey: ObjectIdentifier(request)) != nil
          && state.waiting.isEmpty
      }
      guard isLast else { return }
      left.cancellation.cancel()
      if work[left.key] === left { work[left.key] = nil }
    }
  }
}
