import FoundationEssentials
import SafelightFiles
import SafelightFormats

extension FileFormat {
  /// WebP. Source: RFC 9649.
  static let webP = FileFormat(
    title: "WebP", contentType: "org.webmproject.webp", mediaType: "image/webp",
    fileExtensions: ["webp"], hasExactSize: true,
    begins: { $0.beginning.has("RIFF") && $0.beginning.has("WEBP", at: 8) },
    header: { header, blocks, file in
      header.read(webP: file, &blocks)
      return true
    },
    metadata: { metadata, file in metadata.read(webP: file) },
    digest: { (picture: inout PictureDigest) throws(FileSystemError) in try picture.addWebP() },
    fingerprint: { $0.find(webP: $1) })
}

// MARK: - Header

extension PhotoHeader {
  /// Reads the chunks of a WebP.
  mutating func read(webP file: PhotoBytes, _ blocks: inout Blocks) {
    var reader = ChunkReader(.webP, limit: 256)
    while let chunk = reader.next(file.bytes(at:count:)) {
      let (start, count) = (chunk.content.lowerBound, chunk.content.count)
      if width == 0, let bytes = file.bytes(at: start, count: min(count, 10)),
        let size = ChunkReader.size(webPChunk: chunk.type, bytes)
      {
        (width, height) = size
      }
      switch chunk.type {
      case "EXIF": blocks.exif = file.bytes(at: start, count: count) ?? blocks.exif
      case "XMP ": file.bytes(at: start, count: count).map { blocks.packets.append($0) }
      default: break
      }
    }
  }
}

// MARK: - Carried metadata

extension CarriedMetadata {
  /// Gathers the `EXIF`, `XMP ` and `ICCP` chunks.
  mutating func read(webP file: PhotoBytes) {
    var reader = ChunkReader(.webP)
    var frames = 0
    defer { frameCount = max(frames, 1) }
    while let chunk = reader.next(file.bytes(at:count:)) {
      if chunk.type == "ANMF" { frames += 1 }
      guard ["EXIF", "XMP ", "ICCP"].contains(chunk.type), !chunk.content.isEmpty,
        let content = block(chunk.content, of: file)
      else { continue }
      switch chunk.type {
      case "EXIF": add(exif: content)
      case "ICCP": profile = profile ?? Data(content)
      default: xmpPackets.append(content)
      }
    }
  }
}

// MARK: - Picture

extension PictureDigest {
  /// Source: RFC 9649.
  mutating func addWebP() throws(FileSystemError) -> Bool {
    var exif: [UInt8]?
    var (hasPixels, hasAlpha): (Bool, Bool?) = (false, nil)
    var reader = ChunkReader(.webP)
    while let chunk = try reader.next(bytes(at:count:)) {
      let start = chunk.content.lowerBound
      switch chunk.type {
      case "VP8 ", "VP8L", "ALPH", "ICCP", "ANIM", "ANMF":
        label(chunk.type, chunk.content.count)
        guard try add(range: chunk.content) else { return false }
        hasPixels = hasPixels || chunk.type != "ICCP"
        // A lossless picture says in its fifth byte whether it has alpha.
        if chunk.type == "VP8L", hasAlpha == nil, let head = try bytes(at: start, count: 5) {
          hasAlpha = head[4] & 0x10 != 0
        }
      case "VP8X":
        // The file's flags count more than those of its picture.
        if let flags = try bytes(at: start, count: 1) { hasAlpha = flags[0] & 0x10 != 0 }
      case "EXIF" where exif == nil: exif = try bytes(at: start, count: chunk.content.count)
      default: break
      }
    }
    add("alpha", [hasAlpha == true ? 1 : 0])
    add(orientationIn: exif)
    return hasPixels
  }
}

extension PictureFingerprint {
  mutating func find(webP file: PhotoBytes) {
    var reader = ChunkReader(.webP)
    while let chunk = reader.next(file.bytes(at:count:)), pixels.count < Self.mostParts {
      if ["VP8 ", "VP8L", "ALPH", "ANMF"].contains(chunk.type) { pixels.append(chunk.content) }
    }
  }
}
