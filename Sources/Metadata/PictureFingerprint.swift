import SafelightFiles
import SafelightFormats

/// Tells pictures apart by samples of their coded pixels.
///
/// Other programs write ratings, keywords and places into photos, and rename them. The coded pixels stay the same
/// then, with their length. A fingerprint costs a scan one read in the middle of the file; the digest of the whole
/// picture, by which `relink` goes, costs reading the file. The orientation and the color profile are not in it: a
/// photo that another program turned is still the same photo.
///
/// Coded pixels are compressed, so the length and three samples of a kilobyte differ for two pictures that differ
/// anywhere: what comes first decides how many bits everything behind it takes.
package struct PictureFingerprint {
  /// What decides the pixels beside the coded data: frame and tables.
  private var head: [UInt8] = []
  /// The coded pixels, in the order of the picture.
  private var pixels: [Range<Int>] = []

  /// The length of one sample in bytes.
  private static let sample = 1024
  /// The most parts that pixels may come in; the rest is not looked at.
  private static let mostParts = 1024

  /// The first 16 bytes of the SHA-256 of the samples; `nil` for files whose pixels are not found.
  package static func bytes(of file: HeaderBytes) -> [UInt8]? {
    var picture = PictureFingerprint()
    let first = file.first
    if first.uint16(at: 0) == 0xFFD8 {
      picture.find(jpeg: file)
    } else if first.has("PNG\r\n", at: 1) {
      picture.find(png: file)
    } else if first.has("RIFF"), first.has("WEBP", at: 8) {
      picture.find(webP: file)
    } else if first.has("ftyp", at: 4) {
      picture.find(heif: file)
    } else {
      picture.find(tiff: file)
    }
    return picture.digest(file)
  }

  private func digest(_ file: HeaderBytes) -> [UInt8]? {
    guard pixels.allSatisfy({ $0.lowerBound >= 0 && $0.upperBound <= file.size }) else {
      return nil
    }
    let count = pixels.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    var bytes = withUnsafeBytes(of: UInt64(count).bigEndian) { Array($0) } + head
    let starts =
      count <= 3 * Self.sample
      ? Array(stride(from: 0, to: count, by: Self.sample))
      : [0, (count - Self.sample) / 2, count - Self.sample]
    for start in starts {
      guard let part = self.sample(at: start, file) else { return nil }
      bytes += part
    }
    return Array(SHA256.digest(of: bytes).bytes.prefix(16))
  }

  /// A sample of the pixels, from a place among all of them on; `nil` when the file is cut off.
  private func sample(at start: Int, _ file: HeaderBytes) -> [UInt8]? {
    var (skipped, sample) = (0, [UInt8]())
    for part in pixels where sample.count < Self.sample {
      defer { skipped += part.count }
      let from = max(start, skipped)
      guard from < skipped + part.count else { continue }
      let offset = part.lowerBound + from - skipped
      let count = min(Self.sample - sample.count, part.upperBound - offset)
      guard let bytes = file.bytes(at: offset, count: count) else { return nil }
      sample += bytes
    }
    return sample
  }

  /// Frame and tables before the first scan, and everything from its coded data on. The end of the scan cannot be
  /// known without reading it.
  private mutating func find(jpeg file: HeaderBytes) {
    var reader = file.segments
    while let segment = reader.next(file.bytes(at:count:)) {
      if !(0xE0...0xFE).contains(segment.marker) {
        guard let payload = file.bytes(at: segment.payload.lowerBound, count: segment.payload.count)
        else { return }
        head += payload
      }
      guard segment.isScan else { continue }
      if reader.offset < file.size { pixels = [reader.offset..<file.size] }
      return
    }
  }

  private mutating func find(png file: HeaderBytes) {
    var reader = ChunkReader(.png)
    while let chunk = reader.next(file.bytes(at:count:)) {
      switch chunk.type {
      case "IHDR", "PLTE":
        head += file.bytes(at: chunk.content.lowerBound, count: chunk.content.count) ?? []
      case "IDAT": pixels.append(chunk.content)
      // The chunks of the pixels follow one another.
      default: if !pixels.isEmpty { return }
      }
      if pixels.count == Self.mostParts { return }
    }
  }

  private mutating func find(webP file: HeaderBytes) {
    var reader = ChunkReader(.webP)
    while let chunk = reader.next(file.bytes(at:count:)), pixels.count < Self.mostParts {
      if ["VP8 ", "VP8L", "ALPH", "ANMF"].contains(chunk.type) { pixels.append(chunk.content) }
    }
  }

  /// The strips or tiles of the first page.
  private mutating func find(tiff file: HeaderBytes) {
    guard let header = TIFFHeader(file.first),
      let count = file.bytes(at: header.firstDirectory, count: 2)?.uint16(at: 0, header.order),
      let directory = file.bytes(at: header.firstDirectory + 2, count: 12 * count)
    else { return }
    func numbers(_ tag: Int) -> [Int]? {
      for position in stride(from: 0, to: directory.count, by: 12) {
        guard
          let entry = TIFFEntry(
            directory, at: position, header.order, startingAt: header.firstDirectory + 2,
            ofFile: file.size), entry.tag == tag
        else { continue }
        guard let value = entry.value,
          let bytes = file.bytes(at: value.lowerBound, count: value.count)
        else { return nil }
        return (0..<min(entry.count, Self.mostParts)).compactMap {
          entry.type == 3
            ? bytes.uint16(at: 2 * $0, header.order) : bytes.uint32(at: 4 * $0, header.order)
        }
      }
      return nil
    }
    guard let offsets = numbers(273) ?? numbers(324), let counts = numbers(279) ?? numbers(325),
      offsets.count == counts.count
    else { return }
    // Width, height and coding.
    for tag in [256, 257, 258, 259, 262, 277] {
      head += (numbers(tag) ?? []).flatMap { number in
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
      }
    }
    pixels = zip(offsets, counts).map { $0..<$0 + $1 }
  }

  /// The coded data of all pictures in a HEIC or AVIF file.
  private mutating func find(heif file: HeaderBytes) {
    guard let media = ISOMediaFile({ file.bytes(at: $0, count: $1) }) else { return }
    for item in media.items.sorted(by: { $0.id < $1.id })
    where !["Exif", "mime", "uri "].contains(item.type) && pixels.count < Self.mostParts {
      pixels += (media.ranges(of: item.id) ?? []).filter { !$0.isEmpty }
    }
  }
}
