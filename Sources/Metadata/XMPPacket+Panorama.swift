import SafelightFormats

// Which part of the sphere around the camera a panorama shows. Its numbers follow a crop and a change of size. Of a picture
// that is mirrored, turned or straightened they say nothing true, and a viewer would bend it wrongly: they go.
//
// Source: Google, "Photo Sphere XMP Metadata" (`GPano`).

extension XMPPacket.Namespace {
  static let panorama = "http://ns.google.com/photos/1.0/panorama/"
}

extension XMPPacket {
  /// Whether a render shows a part of the sphere that the numbers can say.
  func hasSphere(after places: MetadataPlaces) -> Bool {
    movedSphere(sphere, by: places) != nil
  }

  /// Writes which part of the sphere a render shows, or takes all of it out.
  func editSphere(_ places: MetadataPlaces, into edits: inout TextEdits) {
    guard has(Namespace.panorama) else { return }
    let fields = sphere
    if let moved = movedSphere(fields, by: places) {
      for (name, value) in moved {
        fields[name].map { edits.replace($0.range, with: "\(Int(value.rounded()))") }
      }
      return
    }
    remove({ namespace, _ in namespace == Namespace.panorama }, into: &edits)
  }

  private var sphere: [String: Field] {
    descriptions.map { fields(of: $0, Namespace.panorama) }
      .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }

  /// The numbers after an edit, by their names; `nil` where none describe it.
  private func movedSphere(
    _ fields: [String: Field], by places: MetadataPlaces
  ) -> [String: Double]? {
    func number(_ name: String) -> Double? { fields[name]?.number }
    let (wide, high) = (
      number("CroppedAreaImageWidthPixels"), number("CroppedAreaImageHeightPixels")
    )
    let size = wide.flatMap { wide in high.map { (width: wide, height: $0) } }
    let mapping = places.mapping(appliedTo: size)
    let m = mapping.matrix.map { $0 / mapping.matrix[8] }
    guard m[0] > 0, m[4] > 0, [m[1], m[3], m[6], m[7]].allSatisfy({ abs($0) < 1e-9 }) else {
      return nil
    }
    guard let size, size.width >= 1, size.height >= 1 else {
      // A whole sphere without numbers stays one until it is cropped.
      let isWhole = abs(m[0] - 1) < 1e-9 && abs(m[4] - 1) < 1e-9
      return isWhole ? [:] : nil
    }
    var moved: [String: Double] = [:]
    for (names, side, scale, offset, pixels) in [
      (Sphere.across, size.width, m[0], m[2], Double(mapping.pixelWidth)),
      (Sphere.down, size.height, m[4], m[5], Double(mapping.pixelHeight)),
    ] {
      // Pixels of the render for each one that the numbers count.
      let unit = pixels * scale / side
      moved[names.cropped] = pixels
      moved[names.start] = number(names.start).map { ($0 - offset / scale * side) * unit }
      moved[names.full] = number(names.full).map { $0 * unit }
      if let start = number(names.innerStart), let length = number(names.innerLength) {
        let ends = [start, start + length].map {
          min(max(($0 / side * scale + offset) * pixels, 0), pixels)
        }
        (moved[names.innerStart], moved[names.innerLength]) = (ends[0], ends[1] - ends[0])
      }
    }
    return moved
  }
}

/// The names of the numbers along one side.
private struct Sphere {
  let (cropped, start, full): (String, String, String)
  let (innerStart, innerLength): (String, String)

  static let across = Sphere("Width", "Left")
  static let down = Sphere("Height", "Top")

  private init(_ side: String, _ edge: String) {
    (cropped, start, full) = (
      "CroppedAreaImage\(side)Pixels", "CroppedArea\(edge)Pixels", "FullPano\(side)Pixels"
    )
    (innerStart, innerLength) = (
      "LargestValidInteriorRect\(edge)", "LargestValidInteriorRect\(side)"
    )
  }
}
