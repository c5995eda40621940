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

  private let edit: OpenEdit
  private let cancellation: RenderCancellation

  init(_ stack: EditStack, of edit: OpenEdit, _ cancellation: RenderCancellation) {
    (self.stack, self.edit, self.cancellation) = (stack, edit, cancellation)
  }

  /// Crops to an area of the picture as the rest of the edit leaves it.
  ///
  /// - Parameters:
  ///   - area: What to keep; `nil` takes the crop away.
  ///   - isLossless: Whether the crop is moved to the nearest borders of the JPEG's blocks.
  mutating func crop(to area: CropArea?, isLossless: Bool = false) throws {
    try stack.adjust(Adjustments.Crop.self) { $0 = .init() }
    guard let area else { return }
    let size = try edit.size(with: stack)
    var crop: Adjustments.Crop
    do throws(AdjustmentError) {
      crop = try Adjustments.Crop(keeping: area, ofWidth: size.width, height: size.height)
    } catch {
      throw EditError.cropOutside(path: edit.path, size: size, error)
    }
    if isLossless {
      let move: CropMove
      let header = try edit.pixels(of: edit.start()).header()
      do throws(LossReason) {
        (crop, move) = try header.losslessCrop(nearest: crop, in: stack)
      } catch {
        throw EditError.notLossless(edit.path, error)
      }
      if let sentence = move.sentence { notes.append(sentence) }
    }
    try stack.adjust(Adjustments.Crop.self) { $0 = crop }
  }

  /// Sets adjustments by what is in the photo.
  mutating func setAutomatically(
    _ kinds: Set<AutomaticAdjustment>, gray: GrayPlace?, strength: Double
  ) throws {
    let found = try edit.automaticAdjustments(
      kinds, for: stack, gray: gray, strength: strength, cancellation)
    try stack.set(found.settings)
    automatic = found
  }
}

extension OpenEdit {
  /// Adjustments that suit the photo, as an edit turns it.
  func automaticAdjustments(
    _ kinds: Set<AutomaticAdjustment>, for stack: EditStack, gray: GrayPlace? = nil,
    strength: Double, _ cancellation: RenderCancellation
  ) throws -> AutomaticAdjustments {
    try checkStart()
    let pixels = try pixels(of: start())
    return try pixels.darkroom.automaticAdjustments(
      kinds, for: pixels.source, edit: stack, gray: gray, cancellation: cancellation
    ).scaled(to: strength)
  }
}
