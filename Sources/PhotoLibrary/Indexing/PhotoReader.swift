import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightCatalog
import SafelightFiles
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// What the index keeps of a photo's file and of its sidecar.
struct IndexedPhoto: Sendable {
  let folder: FilePath
  let name: FilePath
  let trace: FileTrace
  let format: PhotoFormat
  /// What the file says of the photo, without its edit.
  let header: PhotoHeader
  let subtypes: AssetMediaSubtype
  /// The first 16 bytes of the SHA-256 of the file's length, its first 16 KB and its last 4 KB: Exif,
  /// thumbnail and the end of the pixels. So two photos hardly ever share it, and a moved photo keeps it.
  let fingerprint: [UInt8]
  let sidecar: Sidecar?

  /// The sidecar as it was read.
  struct Sidecar: Sendable, Hashable {
    /// When its content last changed, in nanoseconds since 1970 UTC.
    let modified: Int64
    /// The edit's format; empty when the sidecar cannot be read, whichever program wrote it.
    let adjustmentFormat: String
    let pixelWidth: Int?
    let pixelHeight: Int?
  }

  var path: FilePath { folder.appending(name) }
  var creationDate: Date? { header.captureDate }

  /// When the original or its edit last changed, in seconds since 1970 UTC.
  var modificationDate: Double {
    Double(max(trace.modified, sidecar?.modified ?? trace.modified)) / 1e9
  }

  /// Pixels from left to right as the photo is seen: upright, and of the edit when it is edited.
  var pixelWidth: Int {
    sidecar?.pixelWidth ?? (header.orientation > 4 ? header.height : header.width)
  }
  /// Pixels from top to bottom, likewise.
  var pixelHeight: Int {
    sidecar?.pixelHeight ?? (header.orientation > 4 ? header.width : header.height)
  }

  /// Grows when ``facts`` has more columns: a scan then reads the files of older rows again.
  static let headerVersion = 1

  /// The same, by the columns of the catalog.
  var facts: AssetFacts {
    var facts = AssetFacts()
    facts[.size] = trace.size
    facts[.modified] = trace.modified
    facts[.inode] = trace.inode
    facts[.fingerprint] = fingerprint
    facts[.format] = format.rawValue
    facts[.pixelWidth] = pixelWidth
    facts[.pixelHeight] = pixelHeight
    facts[.orientation] = header.orientation
    facts[.mediaSubtypes] = subtypes.rawValue
    facts[.camera] = header.camera
    facts[.modificationDate] = modificationDate
    facts[.recordModified] = sidecar?.modified
    facts[.adjustmentFormat] = sidecar?.adjustmentFormat
    facts[.headerVersion] = Self.headerVersion
    facts[.title] = header.title
    facts[.caption] = header.caption
    facts[.keywords] = KeywordText.joined(header.keywords)
    facts[.rating] = header.rating
    facts[.lens] = header.lens
    facts[.iso] = header.sensitivity
    facts[.exposureTime] = header.exposureTime
    facts[.aperture] = header.aperture
    facts[.focalLength] = header.focalLength
    facts[.timeZoneOffset] = header.captureTime?.secondsFromUTC
    facts[.fileCreationDate] = header.captureDate
    facts[.fileLatitude] = header.latitude
    facts[.fileLongitude] = header.longitude
    return facts
  }
}

/// A file that is to be read.
struct IndexingJob: Sendable {
  let folder: FilePath
  let name: FilePath
  /// When the sidecar last changed; `nil` when there is none.
  let sidecarModified: Int64?
  /// Whether a change of the edit is decided and not finished yet.
  let isPending: Bool
  /// Whether a video of the same name stands beside it.
  let hasVideo: Bool
  /// The names beside the file: a render is known by the name of its original.
  let neighbors: FolderNames

  var path: FilePath { folder.appending(name) }
}

extension IndexingJob {
  /// A job for one photo, without a scan of its folder.
  ///
  /// Of the names beside the photo only those that belong to it count, so the photo is never taken for a
  /// render.
  init(photoAt path: FilePath) {
    let name = path.lastComponent ?? path
    let folder = path.removingLastComponent()
    let beside = FolderNames.belonging(to: name).filter { FileTrace(folder.appending($0)) != nil }
    let neighbors = FolderNames(beside)
    self.init(
      folder: folder, name: name,
      sidecarModified: neighbors.sidecar(of: name).flatMap {
        FileTrace(folder.appending($0))?.modified
      }, isPending: neighbors.hasPendingChange(of: name),
      hasVideo: neighbors.hasVideo(for: name), neighbors: neighbors)
  }
}

/// What a file is.
enum IndexingOutcome: Sendable {
  case photo(IndexedPhoto)
  /// No photo, or a render of one that lies beside it.
  case somethingElse(IndexingJob)
  /// The file begins like a photo or has the name of one, and cannot be read.
  case unreadable(IndexingJob, detail: String)
}

/// Reads from files what the index keeps. Several threads may use it at once.
struct PhotoReader: Sendable {
  private let renderer = Renderer()

  /// Inspects a file.
  func read(_ job: IndexingJob) -> IndexingOutcome {
    let file: OpenFile
    do {
      file = try FileSystem.real.openForReading(job.path)
    } catch {
      return claimsToBePhoto(job.name)
        ? .unreadable(job, detail: error.description) : .somethingElse(job)
    }
    guard let trace = FileTrace(file), trace.kind == .file else {
      return .somethingElse(job)
    }
    let bytes = HeaderBytes(descriptor: file.descriptor, size: Int(trace.size))
    guard let format = PhotoFormat.recognized(from: Array(bytes.first.prefix(4096))) else {
      return .somethingElse(job)
    }
    let header: PhotoHeader
    if let read = PhotoHeader(bytes) {
      header = read
    } else {
      let source = PhotoSource(descriptor: file.descriptor, name: job.name.string)
      do {
        header = try renderer.header(of: source)
      } catch {
        return .unreadable(job, detail: "\(error)")
      }
    }
    if let original = header.renderOf, original != job.name.string,
      job.neighbors.contains(FilePath(original)), job.sidecarModified == nil
    {
      return .somethingElse(job)
    }
    return .photo(
      IndexedPhoto(
        folder: job.folder, name: job.name, trace: trace, format: format, header: header,
        subtypes: subtypes(job, header), fingerprint: Self.fingerprint(bytes),
        sidecar: sidecar(job)))
  }

  /// The kinds of photo in PhotoKit's terms. Without a mark, a photo by a camera that is at least two and
  /// a half times as long as wide is a panorama: no camera has such a frame. Without a mark and a camera,
  /// a picture whose name says “screenshot” is one.
  private func subtypes(_ job: IndexingJob, _ header: PhotoHeader) -> AssetMediaSubtype {
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
    return Array(SHA256.digest(of: ends).bytes.prefix(16))
  }

  /// The sidecar, or the record of a change that is decided, which readers already see.
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
