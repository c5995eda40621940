import PhotoEditing
import SafelightRendering
import SafelightStorage

/// What makes the pixels of a picture, beside the photo's files.
struct ImageRecipe: Sendable, Hashable {
  let showsEdit: Bool
  let fit: DisplayFit

  init(
    targetSize: PixelSize, contentMode: ImageContentMode, options: ImageRequestOptions
  ) {
    precondition(
      targetSize.width > 0 && targetSize.height > 0,
      "A picture of \(targetSize.width) × \(targetSize.height) pixels was asked for.")
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

  private var text: String {
    let (crop, target) = (fit.crop, fit.target)
    return """
      \(showsEdit) \(target?.width ?? 0) \(target?.height ?? 0) \(fit.fills) \
      \(fit.exactness.rawValue) \(crop.x) \(crop.y) \(crop.width) \(crop.height)
      """
  }

  /// What names the picture of a photo whose files are as they are now.
  func key(of stamp: PhotoStamp) -> ImageKey {
    let stamp = showsEdit ? stamp : stamp.withoutEdit
    let head = "\(ImageKey.form) \(PhotoEditor.rendererVersion) \(text)\n"
    return ImageKey(digest: SHA256Hash.digest(of: Array(head.utf8) + stamp.bytes))
  }
}

/// A hash of all that makes the pixels of a picture: the stamps of the original and of its edit's
/// record, the size and how it is met, the version that is shown, and the renderer's revision.
struct ImageKey: Sendable, Hashable {
  /// The revision of how pictures are made and kept; another one finds nothing of this one's.
  static let form = 1

  /// 32 bytes.
  let digest: [UInt8]

  /// 64 hexadecimal digits.
  var text: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
