import SafelightAdjustments
import SafelightFiles
import SafelightRendering

/// A photo's edit while operations change it, with what they may ask of the photo.
package struct StackEditing {
  /// The edit; what the operations leave here is rendered.
  package var stack: EditStack
  /// The values that were chosen from what is in the photo; `nil` when nothing asked for them.
  var automatic: AutomaticAdjustments?
  /// What was done otherwise than it was asked for, in sentences.
  private(set) var notes: [String] = []

  /// What errors call the photo.
  private let path: FilePath
  /// Opens the pixels that the edit starts from.
  private let pixels: () throws -> OpenPixels
  private let cancellation: RenderCancellation

  init(
    _ stack: EditStack, of path: FilePath, _ cancellation: RenderCancellation,
    pixels: @escaping () throws -> OpenPixels
  ) {
    (self.stack, self.path, self.cancellation) = (stack, path, cancellation)
    self.pixels = pixels
  }

  /// The edit after some operations.
  func making(_ actions: [any StackAction]) throws -> StackEditing {
    var edited = self
    for action in actions { try action.change(&edited) }
    return edited
  }

  /// Crops to an area of the picture as the rest of the edit leaves it.
  ///
  /// - Parameters:
  ///   - area: What to keep; `nil` takes the crop away.
  ///   - isLossless: Whether the crop is moved to the nearest borders of the JPEG's blocks.
  mutating func crop(to area: CropArea?, isLossless: Bool = false) throws {
    try stack.adjust(Adjustments.Crop.self) { $0 = .init() }
    guard let area else { return }
    let size = try pixels().size(with: stack)
    var crop: Adjustments.Crop
    do throws(AdjustmentError) {
      crop = try Adjustments.Crop(keeping: area, ofWidth: size.width, height: size.height)
    } catch {
      throw EditError.cropOutside(path: path, size: size, error)
    }
    if isLossless {
      let move: CropMove
      let header = try pixels().header()
      do throws(LossReason) {
        (crop, move) = try header.losslessCrop(nearest: crop, in: stack)
      } catch {
        throw EditError.notLossless(path, error)
      }
      if let sentence = move.sentence { notes.append(sentence) }
    }
    try stack.adjust(Adjustments.Crop.self) { $0 = crop }
  }

  /// Sets adjustments by what is in the photo.
  mutating func setAutomatically(
    _ kinds: Set<AutomaticAdjustment>, gray: GrayPlace?, strength: Double
  ) throws {
    let found = try pixels().automaticAdjustments(
      kinds, for: stack, gray: gray, strength: strength, cancellation)
    try stack.set(found.settings)
    automatic = found
  }
}

extension OpenPixels {
  /// Adjustments that suit the photo, as an edit turns it.
  func automaticAdjustments(
    _ kinds: Set<AutomaticAdjustment>, for stack: EditStack, gray: GrayPlace? = nil,
    strength: Double, _ cancellation: RenderCancellation
  ) throws -> AutomaticAdjustments {
    try darkroom.automaticAdjustments(
      kinds, for: source, edit: stack, gray: gray, cancellation: cancellation
    ).scaled(to: strength)
  }

  /// Width and height of the picture with an edit, at full size.
  func size(with edit: EditStack) throws -> PixelSize {
    let size = try header().size(with: edit)
    return PixelSize(width: size.width, height: size.height)
  }
}
