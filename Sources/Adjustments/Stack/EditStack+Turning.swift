extension EditStack {
  /// Turns or mirrors the whole edited picture: what a crop keeps, what is straightened and which
  /// lines are made parallel stay the same parts of the photo.
  ///
  /// ``Crop``, ``Straighten`` and ``Perspective`` are stated for the turned picture, so they are
  /// restated for the new turn.
  ///
  /// - Parameter change: Sets the turn and the mirroring.
  /// - Throws: ``AdjustmentError/newerVersion(id:version:)`` when one of these is of a newer version.
  public mutating func turn(
    _ change: (inout Rotate, inout Flip) -> Void
  ) throws(AdjustmentError) {
    let before = PictureTurn(rotate: try adjustment(), flip: try adjustment())
    var after = before
    change(&after.rotate, &after.flip)
    guard after != before else { return }
    try adjust(Rotate.self) { $0 = after.rotate }
    try adjust(Flip.self) { $0 = after.flip }
    try adjust(Crop.self) { crop in
      let corners = [(crop.x, crop.y), (crop.x + crop.width, crop.y + crop.height)].map {
        after.turned(before.unturned($0))
      }
      let (xs, ys) = (corners.map(\.x).sorted(), corners.map(\.y).sorted())
      // Sides that reached the picture's edge still do, whatever the last digit says.
      (crop.x, crop.y) = (max(xs[0], 0), max(ys[0], 0))
      (crop.width, crop.height) = (min(xs[1] - xs[0], 1), min(ys[1] - ys[0], 1))
    }
    try adjust(Straighten.self) { straighten in
      if before.isMirrored != after.isMirrored { straighten.amount.negate() }
    }
    try adjust(Perspective.self) { perspective in
      // From the middle towards the side that gets larger.
      let middle = after.turned(before.unturned((0.5, 0.5)))
      let side = after.turned(
        before.unturned((0.5 + perspective.horizontal / 200, 0.5 + perspective.vertical / 200)))
      perspective.horizontal = ((side.x - middle.x) * 200).rounded(toPlaces: 9)
      perspective.vertical = ((side.y - middle.y) * 200).rounded(toPlaces: 9)
    }
  }
}

/// Where the places of a picture go when it is turned and then mirrored, as shares of its sides.
private struct PictureTurn: Equatable {
  var rotate: Rotate
  var flip: Flip

  /// Whether an odd number of mirrors makes left-handed of right-handed.
  var isMirrored: Bool { flip.horizontal != flip.vertical }

  func turned(_ place: (x: Double, y: Double)) -> (x: Double, y: Double) {
    mirrored(Self.quarters(rotate.amount.rawValue / 90, place))
  }

  /// The place before the turn.
  func unturned(_ place: (x: Double, y: Double)) -> (x: Double, y: Double) {
    Self.quarters(4 - rotate.amount.rawValue / 90, mirrored(place))
  }

  private func mirrored(_ place: (x: Double, y: Double)) -> (x: Double, y: Double) {
    (flip.horizontal ? 1 - place.x : place.x, flip.vertical ? 1 - place.y : place.y)
  }

  private static func quarters(
    _ count: Int, _ place: (x: Double, y: Double)
  ) -> (x: Double, y: Double) {
    (0..<(count % 4)).reduce(place) { place, _ in (1 - place.y, place.x) }
  }
}

extension Double {
  /// The number without the digits that arithmetic leaves behind.
  fileprivate func rounded(toPlaces places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
