/// An adjustment whose values say something about places of the picture as it is turned, such as a crop or a mask: they are
/// converted when the picture is turned or mirrored, so that the same part of the photo is meant.
package protocol TurnsWithPhoto: Adjustment {
  /// Follows the picture.
  mutating func follow(_ move: PictureMove)
  /// Whether the values can say the same of a picture whose sides are exchanged before the adjustment acts.
  var followsExchangedSides: Bool { get }
}

extension TurnsWithPhoto {
  package var followsExchangedSides: Bool { true }
}

/// How places of a picture move when it is turned by quarters and mirrored.
package struct PictureMove {
  /// Whether the picture is mirrored.
  package let isMirroring: Bool
  /// The new position of a place. Positions are shares of the sides, 0 to 1.
  package let moved: (_ place: (x: Double, y: Double)) -> (x: Double, y: Double)

  /// Whether the width becomes the height.
  package var exchangesSides: Bool { moved((1, 0)).x == moved((0, 0)).x }

  /// The new position of a place, without the errors of rounding that would add up from turn to turn.
  func place(_ place: (x: Double, y: Double)) -> (x: Double, y: Double) {
    let place = moved(place)
    return (place.x.rounded(toPlaces: 12), place.y.rounded(toPlaces: 12))
  }
}

extension EditStack {
  /// Lets the photo's own adjustments and the masks of its layers follow the picture.
  mutating func follow(_ move: PictureMove) throws(AdjustmentError) {
    for type in AdjustmentRegistry.all {
      if let type = type as? any TurnsWithPhoto.Type { try follow(move, type) }
    }
    replaceEntries(try entries.following(move))
  }

  private mutating func follow<Value: TurnsWithPhoto>(
    _ move: PictureMove, _ type: Value.Type
  ) throws(AdjustmentError) {
    try adjust(type) { $0.follow(move) }
  }

  /// Whether all of the photo's own adjustments can follow a picture whose sides are exchanged before they act.
  var followsExchangedSides: Bool {
    entries.allSatisfy { ($0.adjustment as? any TurnsWithPhoto)?.followsExchangedSides ?? true }
  }
}
