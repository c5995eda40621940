import SafelightFiles
import SafelightFormats

/// Tells pictures apart by samples of their coded pixels.
///
/// Other programs write ratings, keywords and places into photos, and rename them. The coded pixels stay the same
/// then, with their length. A fingerprint costs a scan one read in the middle of the file; the digest of the whole
/// picture, by which `relink` goes, costs reading the file. The orientation and the color profile are not in it: a
/// photo that another program turned is still the same photo.
///
/// Where coded pixels are compressed, the length and three samples of a kilobyte differ for two pictures that differ
/// anywhere: what comes first decides how many bits everything behind it takes. A TIFF is compressed in strips that know
/// nothing of each other, so the length of each of them counts. Pixels that are not compressed all have one length, and
/// scans have white margins: of those many more places are looked at, and of plain ones nearly everything.
package struct PictureFingerprint {
  /// What decides the pixels beside the coded data: frame and tables.
  var head: [UInt8] = []
  /// The coded pixels, in the order of the picture.
  var pixels: [Range<Int>] = []
  /// The bytes of one pixel when the pixels are not compressed; `nil` when they are.
  var pixelLength: Int?

  /// Samples that are taken from the coded pixels, from the first byte to the last.
  private struct Samples {
    let number: Int
    /// The length of one in bytes.
    let length: Int

    static let compressed = Samples(number: 3, length: 1024)
    /// A quarter of a megabyte: a row in some fifty of a scanned page.
    static let uncompressed = Samples(number: 64, length: 4096)
    /// 16 MB: two scans that are white in most places differ in some of these.
    static let plain = Samples(number: 4096, length: 4096)

    /// Where they begin among so many bytes.
    func starts(in count: Int) -> [Int] {
      count <= number * length
        ? Array(stride(from: 0, to: count, by: length))
        : (0..<number).map { $0 * (count - length) / (number - 1) }
    }
  }

  /// The most parts that pixels may come in; the rest is not looked at.
  static let mostParts = 1024
  /// The same of a TIFF, where each row may be a part.
  static let mostStrips = 1 << 16

  /// The first 16 bytes of the SHA-256 of the samples; `nil` for files whose pixels are not found.
  package static func bytes(of file: PhotoBytes) -> [UInt8]? {
    guard let format = PhotoFormat.recognized(in: file) else { return nil }
    var picture = PictureFingerprint()
    format.file.fingerprint(&picture, file)
    return picture.digest(file)
  }

  private func digest(_ file: PhotoBytes) -> [UInt8]? {
    guard pixels.allSatisfy({ $0.lowerBound >= 0 && $0.upperBound <= file.count }) else {
      return nil
    }
    let count = pixels.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    let start = withUnsafeBytes(of: UInt64(count).bigEndian) { Array($0) } + head
    guard pixelLength != nil else {
      return digest(.compressed, of: count, after: start, file)?.bytes
    }
    guard let found = digest(.uncompressed, of: count, after: start, file) else { return nil }
    return found.isPlain ? digest(.plain, of: count, after: start, file)?.bytes : found.bytes
  }

  /// The digest of some samples, and whether one of them has pixels of one color only; `nil` when the file is cut off.
  private func digest(
    _ samples: Samples, of count: Int, after start: [UInt8], _ file: PhotoBytes
  ) -> (bytes: [UInt8], isPlain: Bool)? {
    let hash = SHA256()
    start.withUnsafeBytes(hash.update)
    var isPlain = false
    // The part that a sample begins in, and the bytes before it.
    var (part, skipped) = (0, 0)
    for start in samples.starts(in: count) {
      while start >= skipped + pixels[part].count {
        skipped += pixels[part].count
        part += 1
      }
      var sample: [UInt8] = []
      var (next, within) = (part, start - skipped)
      while sample.count < samples.length, next < pixels.count {
        let offset = pixels[next].lowerBound + within
        let length = min(samples.length - sample.count, pixels[next].upperBound - offset)
        guard let bytes = file.bytes(at: offset, count: length) else { return nil }
        sample += bytes
        (next, within) = (next + 1, 0)
      }
      sample.withUnsafeBytes(hash.update)
      if let pixelLength, !isPlain {
        isPlain = sample.dropFirst(pixelLength).elementsEqual(sample.dropLast(pixelLength))
      }
    }
    return (Array(hash.finish().bytes.prefix(16)), isPlain)
  }
}
