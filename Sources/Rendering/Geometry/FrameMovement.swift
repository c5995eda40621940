import SafelightAdjustments

/// What an edit does to where the pixels of a video's frames are: a turn, and then one map of places.
package struct FrameMovement: Sendable, Hashable {
  /// A place in pixels.
  package struct Place: Sendable, Hashable {
    package let x, y: Double
  }

  /// The Exif value of the turn, 1 to 8, that upright frames need.
  package let orientation: Int
  /// The part of the turned frame that is left, when it only loses whole pixels; `nil` for another map.
  package let origin: Place?
  /// Where the corners of the result come from in the turned frame: top left, top right, bottom left and bottom right.
  package let corners: [Place]
  /// The size of the turned frame.
  package let turned: PixelSize
  /// The size of the result, in even numbers, which codings of videos need.
  package let size: PixelSize
  /// Whether straight lines stay straight, so that ``corners`` say it all.
  package let isProjective: Bool
  /// Whether the edit only turns and mirrors the frames, and leaves their colors too.
  private let onlyTurns: Bool

  /// Whether frames stay as they are, but for a row or a column that makes their sides uneven.
  package var isNothing: Bool { orientation == 1 && origin == Place(x: 0, y: 0) && keepsSize }

  /// The quarter turns with the clock, 0 to 3, that are all that the edit does; `nil` for any other edit.
  package var quarterTurns: Int? {
    guard onlyTurns else { return nil }
    return switch orientation {
    case 1: 0
    case 6: 1
    case 3: 2
    case 8: 3
    default: nil
    }
  }

  private var keepsSize: Bool {
    turned.width - size.width < 2 && turned.height - size.height < 2
  }

  /// The movement of an edit.
  ///
  /// - Parameters:
  ///   - stack: The edit.
  ///   - frame: The size of an upright frame.
  /// - Throws: ``RenderError`` when the edit needs a newer program.
  package init(_ stack: EditStack, of frame: PixelSize) throws(RenderError) {
    let plan = try RenderPlan(stack)
    orientation = plan.turn.exif
    let turned = plan.turn.swapsSides ? frame.turned : frame
    let movement = plan.movement(of: frame)
    let warp: any Warp =
      movement ?? PictureTransform(left: 0, top: 0, width: turned.width, height: turned.height)
    let size = PixelSize(
      width: max(warp.size.width & ~1, 2), height: max(warp.size.height & ~1, 2))
    let map = warp.projection
    (self.turned, self.size) = (turned, size)
    isProjective = warp.isProjective
    onlyTurns = movement == nil && plan.items.allSatisfy(\.movesPixels)
    origin = warp.shift.map { Place(x: Double($0.left), y: Double($0.top)) }
    let (width, height) = (Double(size.width), Double(size.height))
    corners = [(0, 0), (width, 0), (0, height), (width, height)].map {
      let place = map.source($0.0, $0.1)
      return Place(x: place.x, y: place.y)
    }
  }
}
