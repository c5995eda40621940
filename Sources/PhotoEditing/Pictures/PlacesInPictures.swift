import SafelightAdjustments
import SafelightMetadata
import SafelightRendering

extension EditStack {
  /// Where the places of a photo lie in its picture with this edit.
  ///
  /// ```swift
  /// var edit = EditStack()
  /// try edit.set("rotate", to: "right")
  /// let mapping = try edit.placeMapping(of: PixelSize(width: 4000, height: 3000))
  /// mapping.place(x: 0.25, y: 0.25)  // (0.75, 0.25)
  /// ```
  ///
  /// - Parameter photo: The size of the upright photo, in pixels.
  /// - Throws: ``RenderError/unknownAdjustment(id:version:)`` when the edit has an adjustment of a newer
  ///   version.
  public func placeMapping(of photo: PixelSize) throws(RenderError) -> PlaceMapping {
    try PlaceMapping(self, of: photo)
  }
}

extension PlaceMapping {
  /// Where a part of the photo lies in the edited picture: the upright rectangle around it, cut at the edges; `nil`
  /// when the part lies outside.
  public func part(of photo: NormalizedRect) -> NormalizedRect? {
    area(x: photo.x, y: photo.y, width: photo.width, height: photo.height).map {
      NormalizedRect(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
    }
  }
}

extension PhotoState {
  /// Where the places of the upright original lie in the photo's picture, as its edit moves them.
  ///
  /// The edit turns with an original that another program turned, as its next render does. `nil` when nobody can
  /// know: the edit is another program's, cannot be read, starts from the pixels of another program's render,
  /// is about another original, or cannot turn.
  public var placeMapping: PlaceMapping? {
    let swaps = (5...8).contains(original.orientation)
    let size = PixelSize(
      width: swaps ? original.pixelHeight : original.pixelWidth,
      height: swaps ? original.pixelWidth : original.pixelHeight)
    return try? stackOnOriginal?.placeMapping(of: size)
  }
}
