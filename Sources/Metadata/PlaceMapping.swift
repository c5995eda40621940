/// Where the places of a photo lie in its edited picture.
///
/// A place is a share of the width and one of the height, from the upper left corner: (0, 0) is that corner
/// and (1, 1) the lower right one. The photo is meant upright, as its orientation turns it.
///
/// ```swift
/// let state = try await editor.state(of: photo)
/// if let face = state.placeMapping?.place(x: 0.25, y: 0.4) { print(face.x, face.y) }
/// ```
///
/// Adjustments that move no pixels change no place. Colors of a place say nothing of it.
public struct PlaceMapping: Sendable, Hashable, Codable {
  /// A 3 × 3 matrix, row after row. The place (x, y) of the photo becomes (x', y', w'), the product of the
  /// matrix with (x, y, 1), which is the place (x'/w', y'/w') of the edited picture.
  public let matrix: [Double]
  /// Pixels of the edited picture from left to right, at full size.
  public let pixelWidth: Int
  /// Pixels of the edited picture from top to bottom, at full size.
  public let pixelHeight: Int

  package init(matrix: [Double], pixelWidth: Int, pixelHeight: Int) {
    (self.matrix, self.pixelWidth, self.pixelHeight) = (matrix, pixelWidth, pixelHeight)
  }

  /// Where a place of the photo lies in the edited picture.
  ///
  /// - Returns: A place outside of 0 to 1 when it was cropped off; `nil` when a perspective moves it out of
  ///   every picture.
  public func place(x: Double, y: Double) -> (x: Double, y: Double)? {
    Self.place(x, y, by: matrix)
  }

  /// Where a place of the edited picture lies in the photo.
  public func photoPlace(x: Double, y: Double) -> (x: Double, y: Double)? {
    Self.place(x, y, by: Self.inverse(matrix))
  }

  private static func place(_ x: Double, _ y: Double, by m: [Double]) -> (x: Double, y: Double)? {
    let w = m[6] * x + m[7] * y + m[8]
    guard w > 1e-9 else { return nil }
    return ((m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w)
  }
}

// MARK: - Matrices

extension PlaceMapping {
  /// The product of two 3 × 3 matrices, row after row; the right one acts first.
  package static func product(_ left: [Double], _ right: [Double]) -> [Double] {
    var product = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
      for column in 0..<3 {
        for inner in 0..<3 {
          product[row * 3 + column] += left[row * 3 + inner] * right[inner * 3 + column]
        }
      }
    }
    return product
  }

  /// The inverse of a 3 × 3 matrix that has one, by Cramer's rule.
  package static func inverse(_ m: [Double]) -> [Double] {
    let cofactors = [
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
    ]
    let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
    return cofactors.map { $0 / determinant }
  }

  /// What makes the stored pixels of an orientation upright, in shares. Source: CIPA DC-008 (Exif 2.32), tag 0x0112.
  ///
  /// - Parameter orientation: 1 to 8; others count as 1.
  package static func matrix(ofOrientation orientation: Int) -> [Double] {
    let rows: [Double] =
      switch orientation {
      case 2: [-1, 0, 1, 0, 1, 0]
      case 3: [-1, 0, 1, 0, -1, 1]
      case 4: [1, 0, 0, 0, -1, 1]
      case 5: [0, 1, 0, 1, 0, 0]
      case 6: [0, -1, 1, 1, 0, 0]
      case 7: [0, -1, 1, -1, 0, 1]
      case 8: [0, 1, 0, -1, 0, 1]
      default: [1, 0, 0, 0, 1, 0]
      }
    return rows + [0, 0, 1]
  }

  /// Multiplies shares of a side, or pixels, by a number for each side.
  package static func scaling(_ across: Double, _ down: Double) -> [Double] {
    [across, 0, 0, 0, down, 0, 0, 0, 1]
  }
}

// MARK: - Areas

/// An upright rectangle in shares of a picture. It may have no width and no height: then it is a point.
struct PlaceFrame: Equatable {
  var left, top, right, bottom: Double

  init(left: Double, top: Double, right: Double, bottom: Double) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  /// A frame by its middle.
  init(middle x: Double, _ y: Double, width: Double, height: Double) {
    self.init(
      left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2)
  }

  /// The smallest frame around places; there must be one at least.
  init(around places: [(x: Double, y: Double)]) {
    (left, right) = (places.map(\.x).min()!, places.map(\.x).max()!)
    (top, bottom) = (places.map(\.y).min()!, places.map(\.y).max()!)
  }

  var width: Double { right - left }
  var height: Double { bottom - top }
  var middle: (x: Double, y: Double) { ((left + right) / 2, (top + bottom) / 2) }
}

extension PlaceMapping {
  /// The upright frame around an area of the photo, cut at the edges of the edited picture; `nil` when the area
  /// lies outside of it.
  func frame(of area: PlaceFrame) -> PlaceFrame? {
    let corners = [
      (area.left, area.top), (area.right, area.top), (area.right, area.bottom),
      (area.left, area.bottom),
    ].compactMap { place(x: $0.0, y: $0.1) }
    guard corners.count == 4 else { return nil }
    let whole = PlaceFrame(around: corners)
    let cut = PlaceFrame(
      left: max(whole.left, 0), top: max(whole.top, 0), right: min(whole.right, 1),
      bottom: min(whole.bottom, 1))
    let isInside =
      (whole.width > 0 ? cut.width > 0 : cut.width >= 0)
      && (whole.height > 0 ? cut.height > 0 : cut.height >= 0)
    return isInside ? cut : nil
  }

  /// The area of an upright rectangle of the photo in the edited picture, as x, y, width and height; see
  /// ``frame(of:)``.
  package func area(
    x: Double, y: Double, width: Double, height: Double
  ) -> (x: Double, y: Double, width: Double, height: Double)? {
    frame(of: PlaceFrame(left: x, top: y, right: x + width, bottom: y + height)).map {
      ($0.left, $0.top, $0.width, $0.height)
    }
  }

  /// A polygon of the photo in the edited picture, cut at its edges; empty when it lies outside.
  ///
  /// Source: I. Sutherland, G. Hodgman, "Reentrant Polygon Clipping", 1974.
  func polygon(of places: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    var polygon = places.compactMap { place(x: $0.x, y: $0.y) }
    guard polygon.count == places.count else { return [] }
    // How far inside of each of the four edges a place lies.
    let edges: [((x: Double, y: Double)) -> Double] = [
      { $0.x }, { 1 - $0.x }, { $0.y }, { 1 - $0.y },
    ]
    for depth in edges {
      var kept: [(x: Double, y: Double)] = []
      for (index, end) in polygon.enumerated() {
        let start = polygon[index == 0 ? polygon.count - 1 : index - 1]
        let (from, to) = (depth(start), depth(end))
        if (from < 0) != (to < 0) {
          let share = from / (from - to)
          kept.append((start.x + share * (end.x - start.x), start.y + share * (end.y - start.y)))
        }
        if to >= 0 { kept.append(end) }
      }
      polygon = kept
    }
    return polygon.count < 3 ? [] : polygon
  }

  /// How many times longer a short line is in the edited picture, both in pixels, on the mean of all directions.
  ///
  /// - Parameters:
  ///   - x: Where, as a share of the photo's width.
  ///   - y: The same of its height.
  ///   - size: The photo's pixels.
  func magnification(x: Double, y: Double, of size: (width: Int, height: Int)) -> Double? {
    let step = 1e-4
    guard let here = place(x: x, y: y), let right = place(x: x + step, y: y),
      let below = place(x: x, y: y + step)
    else { return nil }
    let area = abs(
      (right.x - here.x) * (below.y - here.y) - (right.y - here.y) * (below.x - here.x))
    let pixels = area / (step * step) * Double(pixelWidth * pixelHeight)
    return (pixels / Double(max(size.width * size.height, 1))).squareRoot()
  }
}
