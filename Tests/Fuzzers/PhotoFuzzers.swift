import Foundation
import SafelightFormats

@testable import SafelightFiles
@testable import SafelightMetadata

/// Readers of photos and of the metadata in them.
let photoFuzzers: [String: Fuzzer] = [
  // Whole files: the structure of JPEG, PNG, WebP, TIFF and ISO media, by their first bytes.
  "jpeg": { bytes in readFile(bytes, beginning: [0xFF, 0xD8]) },
  "png": { bytes in readFile(bytes, beginning: [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]) },
  "webp": { bytes in readFile(bytes, beginning: Array("RIFF".utf8)) },
  "tiff": { bytes in readFile(bytes, beginning: []) },
  "isomedia": { bytes in
    // The length of the first box is as it comes.
    guard bytes.count > 8, bytes[4...].starts(with: "ftyp".utf8) else { return }
    readFile(bytes, beginning: [])
    viewPicture(bytes)
  },
  "exif": { bytes in carry(CarriedMetadata(exif: Data(bytes))) },
  "xmp": { bytes in carry(CarriedMetadata(xmp: Data(bytes))) },
  "photoshop": { bytes in
    let resources = PhotoshopResources(bytes)
    _ = (resources.iptc, PhotoshopResources(resources.bytes).bytes)
  },
]

private func readFile(_ bytes: [UInt8], beginning: [UInt8]) {
  guard bytes.starts(with: beginning) else { return }
  carry(CarriedMetadata(original: PhotoBytes(Data(bytes))))
  _ = XMPPacket.derivedFrom(inJPEG: Data(bytes))
  scratch.withFile(bytes) { file in
    let header = PhotoBytes(file, size: bytes.count)
    if let header = PhotoHeader(header) {
      precondition(header.width > 0 && header.height > 0 && (1...8) ~= header.orientation)
      _ = (header.captureDate, header.camera, header.keywords)
    }
    _ = EmbeddedThumbnail(header)
    _ = PictureFingerprint.bytes(of: header)
    _ = try? PictureDigest.digest(of: file, size: Int64(bytes.count), .real)
  }
}

/// Makes the view of a file that a decoder gets. It stays within the file and can be read again.
private func viewPicture(_ bytes: [UInt8]) {
  func media(_ bytes: [UInt8]) -> ISOMediaFile? {
    ISOMediaFile { bytes.bytes(at: $0, count: $1) }
  }
  guard let first = media(bytes), let patch = first.pictureOnly(ofFile: bytes.count) else { return }
  var view = bytes
  view.replaceSubrange(patch.offset..<patch.offset + patch.bytes.count, with: patch.bytes)
  precondition(view.count == bytes.count)
  let second = media(view)!
  precondition(second.primaryItem == first.primaryItem && second.items.count <= first.items.count)
}

/// Makes the headers of renders. A decoder can walk them, whatever the metadata.
private func carry(_ metadata: CarriedMetadata) {
  let original = OriginalReference(fileName: "a", sha256: "0")
  let header = metadata.header(
    size: (60_000, 9), baked: 6, profile: Data([1, 2, 3]), resolution: 96, derivedFrom: original)
  let rest: [UInt8] = [0xFF, 0xC0, 0, 8, 8, 0, 1, 0, 1, 0, 0xFF, 0xDA, 0, 2]
  let walked = JPEGSegments(PhotoBytes(header.bytes + Data(rest))).map {
    ($0.segments.last?.marker, $0.scanOffset)
  }
  precondition(walked?.0 == 0xC0 && walked?.1 == header.bytes.count + 10)
  for format in [PhotoFormat.png, .tiff, .webp] {
    _ = metadata.blocks(for: format, size: (9, 9), baked: 3, derivedFrom: original)
  }
  _ = metadata.exif.map { ($0.latitude, $0.altitude, $0.captureTime?.date, $0.pixelSize) }
  _ = metadata.xmp.map { ($0.derivedFrom, $0.isSafelightRender) }
  _ = PhotoHeader(metadata, width: 9, height: 9, orientation: 1)
}

/// A file for inputs that are read from a file.
let scratch = Scratch()

struct Scratch: Sendable {
  let folder: FilePath = {
    var name = Array("/dev/shm/safelight-fuzzer-XXXXXX\0".utf8CString.dropLast())
    precondition(mkdtemp(&name) != nil)
    let folder = FilePath(bytes: name.map(UInt8.init(bitPattern:)))
    removedAtExit = folder.string
    atexit { removedAtExit.map { try? FileManager.default.removeItem(atPath: $0) } }
    return folder
  }()

  func path(_ bytes: [UInt8], as name: String = "input") -> FilePath {
    let path = folder.appending(name)
    let file = open(path.string, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    bytes.withUnsafeBytes { precondition(write(file, $0.baseAddress, $0.count) == $0.count) }
    close(file)
    return path
  }

  func withFile(_ bytes: [UInt8], _ body: (OpenFile) -> Void) {
    body(try! FileSystem.real.openReadOnly(path(bytes)))
  }
}

nonisolated(unsafe) private var removedAtExit: String?
