import SafelightAdjustments
import SafelightColorKernels
import SafelightLookupTables
import SafelightVips

extension ColorLookup: ColorRenderable {
  func colorSteps(in context: StepContext) throws(RenderError) -> [ColorStep] {
    guard !isNeutral else { return [] }
    guard let bytes = table.bytes else {
      throw .damagedLookupTable(title: title, detail: "it is not base64")
    }
    do {
      return [.kernel(LookupKernel(try LookupTable(stored: bytes)))]
    } catch .damaged(let detail) {
      throw .damagedLookupTable(title: title, detail: detail)
    } catch {
      throw .damagedLookupTable(title: title, detail: error.description)
    }
  }
}

/// A lookup table as a loop over tiles: the curves of its shaper, then its own curves or cube.
struct LookupKernel: ColorKernel {
  let space = ColorSpace.encoded
  let dependsOnPlace = false
  private let curves: CurvesLookup?
  private let cube: CubeLookup?

  init(_ table: LookupTable) {
    switch (table.shaper, table.lattice.shape) {
    case (_, .curves(let size)):
      curves = CurvesLookup(table.lattice, size: size)
      cube = nil
    case (let shaper, .cube(let size)):
      curves = shaper.map { CurvesLookup($0, size: $0.samples.count / 3) }
      cube = CubeLookup(table.lattice, size: size)
    }
  }

  func apply(to tile: ColorTile) {
    curves?.map(tile)
    cube?.map(tile)
  }
}

/// A 1D lookup table prepared for pixels: one curve for each channel, straight between its samples.
///
/// The arithmetic is plain float multiplication and addition, the same on every processor.
struct CurvesLookup: Sendable {
  private let curves: [[Float]]
  private let minimum: SIMD3<Float>
  private let scale: SIMD3<Float>

  /// Prepares a lattice of the shape `curves`.
  init(_ lattice: Lattice, size: Int) {
    curves = (0..<3).map { channel in
      stride(from: channel, to: lattice.samples.count, by: 3).map { lattice.samples[$0] }
    }
    minimum = lattice.domain.minimum
    scale = Float(size - 1) / (lattice.domain.maximum - lattice.domain.minimum)
  }

  /// Replaces the colors of a tile. A color outside the domain counts as the nearest color inside,
  /// and not-a-number as the lower end of the domain.
  func map(_ tile: ColorTile) {
    tile.forEachPlane { channel, plane in
      let (minimum, scale) = (minimum[channel], scale[channel])
      curves[channel].withUnsafeBufferPointer { curve in
        let (places, last) = (curve.baseAddress!, Float(curve.count - 1))
        let lastPiece = curve.count - 2
        for index in 0..<tile.count {
          let position = (plane[index] - minimum) * scale
          // Both comparisons are false for not-a-number, which becomes zero.
          let above = position > 0 ? position : 0
          let inside = above < last ? above : last
          let piece = min(Int(inside), lastPiece)
          let share = inside - Float(piece)
          plane[index] = places[piece] * (1 - share) + places[piece + 1] * share
        }
      }
    }
  }
}

/// A 3D lookup table prepared for pixels.
///
/// Interpolates in tetrahedra (Kasson, Nin, Plouffe and Hafner, "Performing color space conversions
/// with three-dimensional linear interpolation", Journal of Electronic Imaging 4, 1995). Grays stay
/// on the diagonal that the tetrahedra of a cell share, so a table that keeps its own grays gray
/// keeps all of them.
struct CubeLookup: Sendable {
  /// One color in each element, red fastest; the fourth number pads the color to one load.
  private let nodes: [SIMD4<Float>]
  private let size: Int32
  private let lowest: [Float]
  private let scale: [Float]

  /// Prepares a lattice of the shape `cube`.
  init(_ lattice: Lattice, size: Int) {
    let (samples, domain) = (lattice.samples, lattice.domain)
    nodes = stride(from: 0, to: samples.count, by: 3).map {
      SIMD4(samples[$0], samples[$0 + 1], samples[$0 + 2], 0)
    }
    self.size = Int32(size)
    lowest = (0..<3).map { domain.minimum[$0] }
    scale = (0..<3).map { Float(size - 1) / (domain.maximum[$0] - domain.minimum[$0]) }
  }

  /// Replaces the colors of a tile. A color outside the domain counts as the nearest color inside,
  /// and not-a-number as the lower end of the domain.
  func map(_ tile: ColorTile) {
    nodes.withUnsafeBytes { bytes in
      kernels.cube(
        tile.red, bytes.baseAddress!.assumingMemoryBound(to: Float.self), size, lowest, scale,
        Int32(tile.count))
    }
  }
}

/// The codes of a picture that may be a HaldCLUT.
package struct HaldPicture: Sendable, Codable {
  /// Pixels from left to right.
  package let width: Int
  /// Pixels from top to bottom.
  package let height: Int
  /// Numbers in a pixel: 1 or 3.
  package let bands: Int
  /// Whether each code has 16 bits; otherwise 8.
  package let isWide: Bool
  /// The codes, row after row; they are not encoded with the rest.
  package var bytes: [UInt8] = []

  private enum CodingKeys: CodingKey { case width, height, bands, isWide }

  /// The number of bytes of the codes.
  package var byteCount: Int { width * height * bands * (isWide ? 2 : 1) }

  /// The table without a title.
  ///
  /// - Throws: ``LookupTableError`` when the picture is none.
  package func table() throws(LookupTableError) -> LookupTable {
    guard isWide else {
      return try LookupTable(
        hald: Self.inThreeBands(bytes, from: bands), width: width, height: height)
    }
    let codes = bytes.withUnsafeBytes { [UInt16]($0.bindMemory(to: UInt16.self)) }
    return try LookupTable(
      hald: Self.inThreeBands(codes, from: bands), width: width, height: height)
  }

  private static func inThreeBands<Code>(_ codes: [Code], from bands: Int) -> [Code] {
    bands == 3 ? codes : codes.flatMap { [$0, $0, $0] }
  }
}

extension Renderer {
  /// Reads the codes of a HaldCLUT from a picture of any format that Safelight edits, 8 or 16 bits.
  ///
  /// The codes are used as they are stored: the profile and orientation of the file are ignored,
  /// because programs write both without meaning them. Gray counts as red, green and blue, and
  /// transparency is ignored.
  ///
  /// - Throws: ``RenderError`` when the file is no such picture or does not decode.
  ///   `LookupTableError.notHald` when no HaldCLUT has the picture's size; nothing is decoded then.
  package func haldPicture(_ source: PhotoSource) throws -> HaldPicture {
    let opened = try OpenedPhoto(source)
    let (width, height) = (opened.size.width, opened.size.height)
    guard LookupTable.haldLevel(width: width, height: height) != nil else {
      throw LookupTableError.notHald(width: width, height: height)
    }
    do {
      let stored = try opened.picture().picture.color
      guard [.rgb, .gray].contains(stored.interpretation) else {
        throw RenderError.unsupportedFormat(
          "a picture in other colors than red, green and blue", reason: "which no HaldCLUT is")
      }
      let bands = stored.bands < 3 ? 1 : 3
      let image = stored.bands == bands ? stored : try stored.firstBands(bands)
      return HaldPicture(
        width: width, height: height, bands: bands, isWide: image.sampleFormat == .uint16,
        bytes: try image.pixelBytes())
    } catch let error as VipsError {
      throw RenderError(error, decoding: opened.format)
    }
  }
}
