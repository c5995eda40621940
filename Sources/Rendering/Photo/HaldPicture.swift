import SafelightLookupTables
import SafelightVips

extension Renderer {
  /// Reads a HaldCLUT from a picture of any format that Safelight edits, 8 or 16 bits.
  ///
  /// Its codes are taken as they are stored, whatever profile or orientation the file claims, for
  /// programs write both without meaning them; gray counts for red, green and blue, and
  /// transparency does not count.
  ///
  /// - Returns: A table without a title.
  /// - Throws: ``RenderError`` when the file is no such picture or does not decode,
  ///   `LookupTableError.notHald`, before anything is decoded, when its size is
  ///   no HaldCLUT's.
  public func lookupTable(hald source: PhotoSource) throws -> LookupTable {
    let opened = try OpenedPhoto(source)
    let (width, height) = (opened.image.width, opened.image.height)
    guard LookupTable.haldLevel(width: width, height: height) != nil else {
      throw LookupTableError.notHald(width: width, height: height)
    }
    guard [.rgb, .gray].contains(opened.image.interpretation) else {
      throw RenderError.unsupportedFormat(
        "a picture in other colors than red, green and blue", reason: "which no HaldCLUT is")
    }
    do {
      let bands = opened.image.bands < 3 ? 1 : 3
      let image = opened.image.bands == bands ? opened.image : try opened.image.firstBands(bands)
      let bytes = try image.pixelBytes()
      guard image.sampleFormat == .uint16 else {
        return try LookupTable(
          hald: Self.inThreeBands(bytes, from: bands), width: width, height: height)
      }
      let codes = bytes.withUnsafeBytes { bytes in
        [UInt16](bytes.bindMemory(to: UInt16.self))
      }
      return try LookupTable(
        hald: Self.inThreeBands(codes, from: bands), width: width, height: height)
    } catch let error as VipsError {
      throw RenderError(error, decoding: opened.format)
    }
  }

  private static func inThreeBands<Code>(_ codes: [Code], from bands: Int) -> [Code] {
    bands == 3 ? codes : codes.flatMap { [$0, $0, $0] }
  }
}
