import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// Looks into files for what the index keeps of them. For use by several threads at once.
struct PhotoReader: Sendable {
  private let renderer = Renderer()

  /// Looks into a file.
  func read(_ job: IndexingJob) -> IndexingOutcome {
    let file: OpenFile
    do {
      file = try FileSystem.real.openForReading(job.path)
    } catch {
      return claimsToBePhoto(job.name)
        ? .unreadable(job, detail: error.description) : .somethingElse(job)
    }
    guard let trace = FileTrace(descriptor: file.descriptor), trace.kind == .file else {
      return .somethingElse(job)
    }
    let bytes = HeaderBytes(descriptor: file.descriptor, size: Int(trace.size))
    guard let format = PhotoFormat.recognized(from: Array(bytes.first.prefix(4096))) else {
      return .somethingElse(job)
    }
    var header = Header()
    if let read = PhotoHeader(bytes) {
      header = Header(read)
    } else {
      let source = PhotoSource(descriptor: file.descriptor, name: job.name.string)
      do {
        header = Header(try renderer.facts(of: source))
      } catch {
        return .unreadable(job, detail: "\(error)")
      }
    }
    if let original = header.renderOf, original != job.name.string,
      job.neighbors.contains(FilePath(original)), job.sidecarModified == nil
    {
      return .somethingElse(job)
    }
    return .photo(photo(job, trace, bytes, format, header))
  }

  private func photo(
    _ job: IndexingJob, _ trace: FileTrace, _ bytes: HeaderBytes, _ format: PhotoFormat,
    _ header: Header
  ) -> IndexedPhoto {
    let sidecar = sidecar(job)
    let swaps = header.orientation > 4
    return IndexedPhoto(
      folder: job.folder, name: job.name, trace: trace, fingerprint: Self.fingerprint(bytes),
      format: format,
      pixelWidth: sidecar?.pixelWidth ?? (swaps ? header.height : header.width),
      pixelHeight: sidecar?.pixelHeight ?? (swaps ? header.width : header.height),
      orientation: header.orientation, subtypes: subtypes(job, header), camera: header.camera,
      creationDate: header.captureDate, latitude: header.latitude, longitude: header.longitude,
      sidecar: sidecar)
  }

  /// What the marks mean in PhotoKit's terms. A panorama without a mark is at least two and a half
  /// times as long as wide and names its camera: no camera's ordinary frame is. A picture of a
  /// screen without a mark is called one, and names no camera.
  private func subtypes(_ job: IndexingJob, _ header: Header) -> AssetMediaSubtype {
    var subtypes: AssetMediaSubtype = []
    let (short, long) = (min(header.width, header.height), max(header.width, header.height))
    if header.signs.contains(.panorama) || header.camera != nil && 2 * long >= 5 * short {
      subtypes.insert(.photoPanorama)
    }
    if header.signs.contains(.hdr) { subtypes.insert(.photoHDR) }
    let name = job.name.string.lowercased()
    if header.signs.contains(.screenshot)
      || header.camera == nil && (name.hasPrefix("screenshot") || name.hasPrefix("screen shot"))
    {
      subtypes.insert(.photoScreenshot)
    }
    if header.signs.contains(.motionPhoto) || header.signs.contains(.pairedVideo) && job.hasVideo {
      subtypes.insert(.photoLive)
    }
    if header.signs.contains(.depth) { subtypes.insert(.photoDepthEffect) }
    return subtypes
  }

  private static func fingerprint(_ bytes: HeaderBytes) -> [UInt8] {
    let length = withUnsafeBytes(of: UInt64(bytes.size).bigEndian) { Array($0) }
    let tail = min(bytes.size, 4096)
    let ends =
      length + bytes.first.prefix(16_384)
      + (bytes.bytes(at: bytes.size - tail, count: tail) ?? [])
    return Array(SHA256Hash.digest(of: ends).prefix(16))
  }

  /// The sidecar, or the record of a change that was decided: readers see that one already.
  func sidecar(_ job: IndexingJob) -> IndexedPhoto.Sidecar? {
    guard job.sidecarModified != nil || job.isPending else { return nil }
    let record: Record?
    do {
      if job.isPending {
        record = try PhotoFiles(job.path).read(timeout: .seconds(5)).record
      } else {
        let path = job.folder.appending(FilePath(bytes: job.name.bytes + Array(".aae".utf8)))
        record = try Record(
          parsing: FileSystem.real.contents(of: path, limit: Record.maximumSize))
      }
    } catch {
      return IndexedPhoto.Sidecar(
        modified: job.sidecarModified ?? 0, adjustmentFormat: "", pixelWidth: nil,
        pixelHeight: nil)
    }
    guard let record else { return nil }
    return IndexedPhoto.Sidecar(
      modified: job.sidecarModified ?? 0,
      adjustmentFormat: record.adjustmentData.formatIdentifier,
      pixelWidth: record.render?.pixelWidth, pixelHeight: record.render?.pixelHeight)
  }

  private func claimsToBePhoto(_ name: FilePath) -> Bool {
    let endings: Set = ["jpg", "jpeg", "png", "tif", "tiff", "webp", "heic", "heif", "avif"]
    return name.extension.map { endings.contains($0.lowercased()) } ?? false
  }
}

/// What was read, by whichever of the two ways.
private struct Header {
  var width = 0
  var height = 0
  var orientation = 1
  var captureDate: Date?
  var latitude: Double?
  var longitude: Double?
  var camera: String?
  var signs: PhotoHeader.Signs = []
  var renderOf: String?

  init() {}

  init(_ header: PhotoHeader) {
    (width, height, orientation) = (header.width, header.height, header.orientation)
    captureDate = header.captureDate
    (latitude, longitude) = (header.latitude, header.longitude)
    (camera, signs, renderOf) = (header.camera, header.signs, header.renderOf)
  }

  init(_ facts: PhotoFacts) {
    (width, height, orientation) = (facts.pixelWidth, facts.pixelHeight, facts.orientation)
    captureDate = facts.creationDate
    (latitude, longitude) = (facts.location?.latitude, facts.location?.longitude)
    camera = facts.camera
    renderOf = facts.derivedFrom?.fileName
  }
}
