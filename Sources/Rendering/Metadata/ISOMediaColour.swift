import Foundation

/// A transfer function that encodes more than standard dynamic range.
///
/// Source: ITU-T H.273, table 3.
package enum HDRTransfer: String, Sendable, Hashable {
  /// Perceptual quantiser, code 16 (SMPTE ST 2084).
  case pq = "PQ"
  /// Hybrid log-gamma, code 18 (ARIB STD-B67).
  case hlg = "HLG"
}

/// The colour coding that a HEIF or AVIF file declares.
///
/// Only the first 64 kB are looked at: the boxes that describe the pictures stand there.
/// Source: ISO/IEC 14496-12 (`colr`), ITU-T H.273 (codes).
package struct ISOMediaColour: Sendable, Equatable {
  /// Colour primaries: 1 BT.709, 9 BT.2020, 12 Display P3.
  package let primaries: Int
  /// Transfer characteristics: 13 sRGB, 16 PQ, 18 HLG.
  package let transfer: Int

  /// The HDR transfer that the codes name; nil for standard dynamic range.
  package var hdrTransfer: HDRTransfer? {
    switch transfer {
    case 16: .pq
    case 18: .hlg
    default: nil
    }
  }

  /// Finds the first coded colour description; nil when the file has none.
  ///
  /// - Parameter file: The file, or its first 64 kB.
  package init?(_ file: Data) {
    let found = file.withUnsafeBytes { bytes -> (Int, Int)? in
      guard bytes.has("ftyp", at: 4) else { return nil }
      let window = UnsafeRawBufferPointer(rebasing: bytes.prefix(65_536))
      return Self.search(window, 0..<window.count, depth: 0)
    }
    guard let (primaries, transfer) = found else { return nil }
    self.primaries = primaries
    self.transfer = transfer
  }

  private static func search(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, depth: Int
  ) -> (Int, Int)? {
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound, let size32 = bytes.uint32(at: offset) {
      var header = 8
      var size = size32
      if size32 == 1 {
        // 64-bit sizes beyond 4 GB cannot end inside the window, whatever their low half says.
        guard let high = bytes.uint32(at: offset + 8), let low = bytes.uint32(at: offset + 12)
        else { return nil }
        header = 16
        size = high == 0 ? low : range.upperBound - offset
      } else if size32 == 0 {
        size = range.upperBound - offset
      }
      guard size >= header else { return nil }
      let content = offset + header
      let end = min(offset + size, range.upperBound)
      if bytes.has("colr", at: offset + 4), bytes.has("nclx", at: content),
        let primaries = bytes.uint16(at: content + 4), let transfer = bytes.uint16(at: content + 6)
      {
        return (primaries, transfer)
      }
      // `meta` is a full box: version and flags stand before its children.
      let inner =
        bytes.has("meta", at: offset + 4)
        ? content + 4
        : bytes.has("iprp", at: offset + 4) || bytes.has("ipco", at: offset + 4) ? content : end
      if depth < 8, inner < end, let found = search(bytes, inner..<end, depth: depth + 1) {
        return found
      }
      offset += size
    }
    return nil
  }
}
