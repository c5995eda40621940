import SafelightFiles
import SafelightRendering
import SafelightStorage

/// What picture of a photo is wanted. The library, servers, agents and commands all ask in this form; the photo comes
/// beside it, because the same picture is asked for of many.
package struct PictureRequest: Sendable, Hashable {
  /// What is shown of the photo.
  package enum State: Sendable, Hashable {
    /// The photo as it was taken, upright.
    case original
    /// The photo with its edit.
    case present
    /// The photo's version of this name.
    case version(String)
    /// The photo with operations on its edit that are not made.
    case changed([EditOperation])
    /// The photo with a filter in place of its own.
    case filter(Filter, intensity: Double)
    /// The photo with another edit.
    case edit(EditStack)
  }

  /// What the picture is handed out as.
  package enum Look: Sendable, Hashable {
    /// Pixels in 8-bit sRGB.
    case pixels
    /// A JPEG in sRGB without metadata, of a quality from 1 to 100.
    case jpeg(quality: Int)
    /// A file as an export has it: with the photo's colors and metadata.
    case file(RenderOutput)
  }

  /// How urgent a picture is.
  package enum Urgency: Int, Sendable, Hashable, CaseIterable {
    /// A program waits for the picture.
    case requested
    /// A program may want the picture soon.
    case ahead
  }

  /// What is shown of the photo.
  package var state: State
  /// How large it is shown, and which part of it. A file has its size in ``look``.
  package var fit = PictureFit()
  /// What the picture is handed out as.
  package var look = Look.pixels
  /// Whether the picture comes with its histogram.
  package var isCounted = false
  /// Whether a quick picture of an edit will do, which differs from the render at hard edges.
  package var isDraft = false
  /// How urgent the picture is.
  package var urgency = Urgency.requested
  /// Who looks at pictures of one edit after another: of the pictures of one photo for one viewer, the newest wins. Any
  /// word; `nil` for a picture that stands alone.
  package var viewer: String?
  /// Whether the picture may come from the disk, and go there.
  package var isStored = true

  /// Whether the picture is made as an export is, and not for a screen.
  var isFile: Bool { if case .file = look { true } else { false } }

  /// All of the photo in a state, as large as it is.
  package init(_ state: State = .present) { self.state = state }
}

/// How large a picture is shown, and which part of it.
package struct PictureFit: Sendable, Hashable {
  /// How exactly the size is met.
  package enum Exactness: Int, Sendable, Hashable {
    /// Only halves, quarters and eighths of the photo along each side, none below the size.
    case powersOfTwo
    /// The size, but never larger than the photo; nothing is cut off.
    case close
    /// Exactly the size. The picture is enlarged and its edges are cut off as needed.
    case exact
  }

  /// Columns and rows that are asked for; `nil` for as many as the picture has.
  package var target: PixelSize?
  /// Most pixels along the longer side of the whole picture, for a part that is cut out of it, without a target. What is
  /// ``Exactness-swift.enum/exact`` has as many pixels as its share of that, which is rounded.
  package private(set) var wholeSide: Int?
  /// Whether the picture covers the target; otherwise it lies inside.
  package var fills = false
  /// How exactly the target is met.
  package var exactness = Exactness.close
  /// What is kept of the picture before it is brought to its size; `nil` when nobody asked for a part.
  package var part: NormalizedRect?

  /// All of the picture, as large as it is.
  package init() {}

  /// A picture, or a part of one, of which the whole has at most so many pixels along its longer side.
  ///
  /// - Parameter longestSide: `nil` is full size.
  package init(
    longestSide: Int?, part: NormalizedRect? = nil, _ exactness: Exactness = .close
  ) {
    (self.part, self.exactness) = (part, exactness)
    if part == nil {
      target = longestSide.map { PixelSize(width: $0, height: $0) }
    } else {
      wholeSide = longestSide ?? .max
    }
  }

  /// What is kept of the picture.
  package var crop: NormalizedRect {
    get { part ?? .whole }
    set { part = newValue }
  }

  /// Most pixels along the longer side of the whole picture; `nil` for as many as it has.
  package var longestSide: Int? {
    let side = wholeSide ?? target.map { max($0.width, $0.height) }
    return side == .max ? nil : side
  }

  /// What to make of a picture that has this many pixels.
  package func layout(of size: PixelSize) -> DisplayLayout {
    var layout = DisplayLayout()
    layout.part = DisplayLayout.Part(crop)
    let longest = Double(max(size.width, size.height))
    guard let target = target ?? share(of: size) else {
      if let wholeSide, Double(wholeSide) < longest { layout.longestSide = wholeSide }
      return layout
    }
    let (columns, rows) = (
      Double(size.width) * crop.width, Double(size.height) * crop.height
    )
    let (across, down) = (Double(target.width) / columns, Double(target.height) / rows)
    let scale = fills ? max(across, down) : min(across, down)
    switch exactness {
    case .powersOfTwo:
      let divisor = [8, 4, 2].first { Double($0) * scale <= 1 }
      layout.longestSide = divisor.map { max(Int(longest) / $0, 1) }
    case .close:
      // Rounds up, but ignores the error of floating-point numbers.
      guard scale < 1 else { break }
      let side = max(Int((longest * scale - 1e-6).rounded(.up)), 1)
      layout.longestSide = side
      // Where the shorter side has the target's size, the longer one is no whole number of pixels.
      let (wanted, made) = (scaled(size, by: scale), scaled(size, by: Double(side) / longest))
      if wanted != made { layout.size = wanted }
    case .exact:
      if scale < 1 { layout.longestSide = max(Int((longest * scale - 1e-6).rounded(.up)), 1) }
      if fills {
        // Both sides lose the same amount.
        let (wide, high) = (columns * scale, rows * scale)
        layout.part.width *= Double(target.width) / wide
        layout.part.height *= Double(target.height) / high
        layout.part.left += (crop.width - layout.part.width) / 2
        layout.part.top += (crop.height - layout.part.height) / 2
        layout.size = target
      } else {
        layout.size = PixelSize(
          width: min(max(Int((columns * scale).rounded()), 1), target.width),
          height: min(max(Int((rows * scale).rounded()), 1), target.height))
      }
    }
    return layout
  }

  /// The pixels of a part that is to be met exactly, as its share of the whole picture.
  private func share(of size: PixelSize) -> PixelSize? {
    guard let wholeSide, exactness == .exact else { return nil }
    let scale = min(1, Double(wholeSide) / Double(max(size.width, size.height)))
    return PixelSize(
      width: max(Int((Double(size.width) * crop.width * scale).rounded()), 1),
      height: max(Int((Double(size.height) * crop.height * scale).rounded()), 1))
  }

  private func scaled(_ size: PixelSize, by scale: Double) -> PixelSize {
    PixelSize(
      width: max(Int((Double(size.width) * scale).rounded()), 1),
      height: max(Int((Double(size.height) * scale).rounded()), 1))
  }

  /// Whether an uncropped picture of this size is good enough to show for a moment: it has at least
  /// half as many pixels along a side as the target.
  package func isServed(byWidth width: Int, height: Int) -> Bool {
    guard let target, crop == .whole else { return false }
    let (across, down) = (
      Double(target.width) / Double(width), Double(target.height) / Double(height)
    )
    return (fills ? max(across, down) : min(across, down)) <= 2
  }
}

// MARK: - Keys

extension PictureRequest {
  /// Whether the photo is shown with its edit.
  package var showsEdit: Bool { state != .original }

  /// The pixels of the target; the largest number without a target.
  var targetArea: Double {
    fit.target.map { Double($0.width) * Double($0.height) } ?? .infinity
  }

  /// Whether its picture shows the same part of the photo as that of another request, with fewer pixels.
  func isSmaller(than other: PictureRequest) -> Bool {
    func isCut(_ fit: PictureFit) -> Bool { fit.fills && fit.exactness == .exact }
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

  /// The key of the picture of a photo whose files have this stamp.
  package func key(of stamp: PhotoRevision) -> PictureKey {
    let stamp = showsEdit ? stamp : stamp.withoutEdit
    let head = "\(PictureKey.form) \(Renderer.version) \(sizeText)\(partText)\n"
    return PictureKey(digest: SHA256.digest(of: Array(head.utf8) + stamp.bytes))
  }

  /// Everything but the photo that decides the bytes, in words.
  package var text: String {
    let look =
      switch (look, state) {
      case (.jpeg(let quality), .filter(let filter, let intensity)):
        // A filter of the user's may change under its name.
        "\(quality) \(SHA256.digest(of: Array(filter.json.compact.text.utf8))) \(intensity)"
      case (.jpeg(let quality), _): "\(quality)"
      default: "-"
      }
    return "\(sizeText) \(fit.wholeSide ?? 0) \(look)" + (fit.crop == .whole ? "" : partText)
  }

  private var sizeText: String {
    let target = fit.target
    return """
      \(showsEdit) \(target?.width ?? 0) \(target?.height ?? 0) \(fit.fills) \
      \(fit.exactness.rawValue)
      """
  }

  private var partText: String {
    let crop = fit.crop
    return " \(crop.x) \(crop.y) \(crop.width) \(crop.height)"
  }
}

/// A hash of everything that decides a picture's pixels: the stamps of the original and of its edit's
/// record, size and resize mode, version, and the renderer's revision.
package struct PictureKey: Sendable, Hashable {
  /// The revision of how pictures are made and stored. Pictures of another revision are not found.
  static let form = 2

  package let digest: Digest

  package init(digest: Digest) { self.digest = digest }
}
