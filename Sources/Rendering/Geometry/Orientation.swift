/// How a picture is turned by quarters and mirrored, as Exif counts it.
///
/// Source: CIPA DC-008 (Exif 2.32), tag 0x0112.
struct Orientation: Sendable, Equatable {
  /// The Exif value, 1 to 8: what stored pixels need to stand upright.
  let exif: Int

  /// Nothing to do.
  static let upright = Orientation(mirrored: false, quarters: 0)

  /// Exif values of pictures that need 0 to 3 quarter turns clockwise.
  private static let turned = [1, 6, 3, 8]
  /// The same for pictures that are then mirrored left to right.
  private static let mirrored = [2, 5, 4, 7]

  /// An Exif value; others than 1 to 8 count as 1.
  init(exif: Int) {
    self.exif = (1...8).contains(exif) ? exif : 1
  }

  /// First quarter turns clockwise, then left and right exchanged.
  init(mirrored: Bool, quarters: Int) {
    let index = ((quarters % 4) + 4) % 4
    exif = mirrored ? Self.mirrored[index] : Self.turned[index]
  }

  /// Whether left and right are exchanged, after the turns.
  var isMirrored: Bool { Self.mirrored.contains(exif) }

  /// Quarter turns clockwise, 0 to 3.
  var quarters: Int {
    Self.turned.firstIndex(of: exif) ?? Self.mirrored.firstIndex(of: exif) ?? 0
  }

  /// Whether width and height change places.
  var swapsSides: Bool { quarters % 2 == 1 }

  /// First this, then another.
  func followed(by next: Orientation) -> Orientation {
    // A turn after a mirror is the same mirror after the turn backwards.
    let turns = isMirrored ? quarters - next.quarters : quarters + next.quarters
    return Orientation(mirrored: isMirrored != next.isMirrored, quarters: turns)
  }
}
