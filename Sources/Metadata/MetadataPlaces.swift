import SafelightFormats

/// How the places that an original's metadata name become places of its render: faces, people, regions, the
/// subject that the camera focused.
///
/// Metadata count in the pixels as they are stored, before the orientation tag turns them. Places follow turns, crops
/// and perspectives; they are cut at the edge, and those outside of the render go.
///
/// Sources: Metadata Working Group, "Guidelines for Handling Image Metadata" 2.0, section 5.9 (`mwg-rs`); Microsoft,
/// "People Tagging Overview" (`MP`); IPTC Photo Metadata Standard 2023.2, "Image Region"; CIPA DC-008 (Exif 2.32), tags
/// 0x9214 and 0xA214.
package struct MetadataPlaces: Sendable {
  /// From the upright original to the render.
  let upright: PlaceMapping
  /// From the original's stored pixels to the render.
  let stored: PlaceMapping
  /// Width and height of the original as its pixels are stored.
  let size: (width: Int, height: Int)
  private let orientation: Int

  /// - Parameters:
  ///   - mapping: From the upright original to the render.
  ///   - orientation: What makes the original's stored pixels upright, 1 to 8.
  ///   - size: The original's stored pixels.
  ///   - render: The pixels of the render, which may have been made smaller.
  package init(
    _ mapping: PlaceMapping, orientation: Int, stored size: (width: Int, height: Int),
    render: (width: Int, height: Int)
  ) {
    upright = PlaceMapping(
      matrix: mapping.matrix, pixelWidth: render.width, pixelHeight: render.height)
    stored = PlaceMapping(
      matrix: PlaceMapping.product(
        mapping.matrix, PlaceMapping.matrix(ofOrientation: orientation)),
      pixelWidth: render.width, pixelHeight: render.height)
    self.size = size
    self.orientation = orientation
  }

  /// The mapping for places that were counted in a picture of this size.
  ///
  /// Some programs count in the upright picture and say its size. Where that is not the stored one, they are taken at
  /// their word.
  func mapping(
    appliedTo dimensions: (width: Double, height: Double)?
  ) -> PlaceMapping {
    guard let dimensions, (5...8).contains(orientation), size.width != size.height,
      (dimensions.width > dimensions.height) != (size.width > size.height),
      dimensions.width != dimensions.height
    else { return stored }
    return upright
  }

  /// Whether nothing moves.
  var isIdentity: Bool {
    stored.matrix == PlaceMapping.matrix(ofOrientation: 1)
      && stored.pixelWidth == size.width && stored.pixelHeight == size.height
  }
}

// MARK: - Exif

extension MetadataPlaces {
  /// Exif's subject area or location in the render: two numbers for a point, three for a circle (middle, diameter), four
  /// for a rectangle (middle, width, height), in pixels.
  ///
  /// - Returns: As many numbers; `nil` when the subject lies outside of the render, or is none of these.
  func subject(_ numbers: [Int]) -> [Int]? {
    guard (2...4).contains(numbers.count), numbers.allSatisfy((0...1 << 20).contains) else {
      return nil
    }
    let (wide, high) = (Double(max(size.width, 1)), Double(max(size.height, 1)))
    let (x, y) = (Double(numbers[0]) / wide, Double(numbers[1]) / high)
    let (across, down) = (Double(stored.pixelWidth), Double(stored.pixelHeight))
    if numbers.count == 3 {
      let diameter = Double(numbers[2])
      let around = PlaceFrame(middle: x, y, width: diameter / wide, height: diameter / high)
      guard stored.frame(of: around) != nil, let middle = stored.place(x: x, y: y),
        let scale = stored.magnification(x: x, y: y, of: size)
      else { return nil }
      return [
        middle.x.pixel(of: across), middle.y.pixel(of: down), Int((diameter * scale).rounded()),
      ]
    }
    let frame = PlaceFrame(
      middle: x, y, width: numbers.count == 4 ? Double(numbers[2]) / wide : 0,
      height: numbers.count == 4 ? Double(numbers[3]) / high : 0)
    guard let moved = stored.frame(of: frame) else { return nil }
    let middle = [moved.middle.x.pixel(of: across), moved.middle.y.pixel(of: down)]
    if numbers.count == 2 { return middle }
    return middle + [
      max(Int((moved.width * across).rounded()), 1), max(Int((moved.height * down).rounded()), 1),
    ]
  }
}

extension Double {
  /// The pixel of a share of a side, inside of the picture.
  fileprivate func pixel(of side: Double) -> Int {
    Int(Swift.min(Swift.max((self * side).rounded(), 0), Swift.max(side - 1, 0)))
  }
}

extension ExifBlock {
  /// Moves the subject's area and location to their places in a render; those outside go.
  mutating func move(_ places: MetadataPlaces) {
    for tag in [Tag.subjectArea, Tag.subjectLocation] {
      guard let entry = exif?[tag] else { continue }
      let numbers = (0..<min(entry.count, 5)).compactMap { short(entry, $0) }
      guard numbers.count == entry.count, let moved = places.subject(numbers),
        let start = entry.value?.lowerBound
      else {
        remove(entry, of: exif)
        continue
      }
      for (index, number) in moved.enumerated() {
        bytes.set(uint16: min(max(number, 0), 0xFFFF), at: start + 2 * index, order)
      }
    }
  }

  private func short(_ entry: TIFFEntry, _ index: Int) -> Int? {
    guard entry.type == 3, let value = entry.value else { return nil }
    return bytes.uint16(at: value.lowerBound + 2 * index, order)
  }

  /// Takes an entry out of its directory: the entries behind it, and the link to the next directory, move up.
  private mutating func remove(_ entry: TIFFEntry, of directory: TIFFDirectory?) {
    guard let directory, let count = bytes.uint16(at: directory.offset, order), count > 0 else {
      return
    }
    let end = min(directory.offset + 2 + 12 * count + 4, bytes.count)
    let next = entry.position + 12
    guard next <= end else { return }
    let rest = Array(bytes[next..<end])
    bytes.replaceSubrange(entry.position..<end, with: rest + [UInt8](repeating: 0, count: 12))
    bytes.set(uint16: count - 1, at: directory.offset, order)
    if let changed = TIFFStructure(bytes) { structure = changed }
  }
}
