import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightCatalog
import SafelightDarkroom
import SafelightFiles
import SafelightFormats
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// The facts that the catalog keeps about a photo's file and its sidecar.
struct IndexedPhoto: Sendable {
  let folder: FilePath
  let name: FilePath
  /// The file when it was read.
  let status: FileStatus
  let format: PhotoFormat
  /// The original's header; it says nothing about the edit.
  let header: PhotoHeader
  let subtypes: AssetMediaSubtype
  /// The first 16 bytes of the SHA-256 of the file's length, its first 16 KB and its last 4 KB: Exif,
  /// thumbnail and the end of the pixels. Two photos hardly ever have the same fingerprint, and a moved photo
  /// keeps its fingerprint.
  let fingerprint: [UInt8]
  /// What the picture is recognized by when the photo was renamed and other programs wrote metadata into it; see
  /// `PictureFingerprint`. For files whose pixels are not found it is ``fingerprint``.
  let pictureFingerprint: [UInt8]
  let sidecar: Sidecar?
  /// Whether somebody named the photo; see ``IndexingJob/isNamed``.
  let isNamed: Bool

  /// The sidecar as it was read.
  struct Sidecar: Sendable, Hashable {
    /// The sidecar's modification time in nanoseconds since 1970 UTC.
    let modified: Int64
    /// The edit's format; empty when the sidecar cannot be read, whichever program wrote it, and `nil` when
    /// everything was undone, so that the photo is not edited.
    let adjustmentFormat: String?
    let pixelWidth: Int?
    let pixelHeight: Int?

    /// A sidecar whose bytes the disk did not give, or whose photo is busy. No sidecar has this time, so
    /// each scan tries again.
    static let unread = Self(modified: -1, adjustmentFormat: "", pixelWidth: nil, pixelHeight: nil)
  }

  var path: FilePath { folder.appending(name) }

  /// Whether it says itself that Safelight made it from a photo.
  var isExport: Bool { header.renderOf != nil }

  /// When the photo was taken, by the camera's clock; for a photo that does not say it, when the file changed last.
  var captureTime: ClockTime {
    header.captureTime
      ?? ClockTime(onThisComputer: Date(timeIntervalSince1970: status.modified.inSeconds))
  }
  /// Where ``captureTime`` is from.
  var dateSource: CreationDateSource { header.captureTime == nil ? .file : .metadata }

  /// When the original or its edit last changed, in seconds since 1970 UTC.
  var modificationDate: Double {
    let modified = status.modified.inNanoseconds
    return Double(max(modified, sidecar?.modified ?? modified)) / 1e9
  }

  /// The width in pixels of the picture as it is shown: upright, and cropped when the edit crops.
  var pixelWidth: Int {
    sidecar?.pixelWidth ?? (header.orientation > 4 ? header.height : header.width)
  }
  /// The height in pixels of the picture as it is shown.
  var pixelHeight: Int {
    sidecar?.pixelHeight ?? (header.orientation > 4 ? header.width : header.height)
  }

  /// Must grow when ``facts`` gets another column. A scan then reads the files of older rows again.
  static let headerVersion = 2

  /// The facts by their columns in the catalog.
  var facts: AssetFacts {
    var facts = AssetFacts()
    facts[.size] = status.size
    facts[.modified] = status.modified.inNanoseconds
    facts[.inode] = status.inode
    facts[.fingerprint] = fingerprint
    facts[.pictureFingerprint] = pictureFingerprint
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
    let taken = captureTime
    facts[.timeZoneOffset] = taken.secondsFromUTC
    facts[.fileCreationDate] = taken.date
    facts[.dateSource] = dateSource.rawValue
    facts[.fileLatitude] = header.latitude
    facts[.fileLongitude] = header.longitude
    return facts
  }
}

/// A file to read.
struct IndexingJob: Sendable {
  let folder: FilePath
  let name: FilePath
  /// When the sidecar last changed; `nil` when there is none.
  let sidecarModified: Int64?
  /// Whether a change of the edit is decided and not finished yet.
  let isPending: Bool
  /// The names in the folder. A render is recognized when they have the name of its original.
  let neighbors: FolderNames
  /// Whether somebody named the photo, so that it is taken in whatever it is. What a scan finds by itself is not
  /// when Safelight made it from a photo.
  var isNamed = false

  var path: FilePath { folder.appending(name) }
  /// Whether a video with the same name is in the folder.
  var hasVideo: Bool { neighbors.hasVideo(for: name) }
}

extension IndexingJob {
  /// A job for a file in a folder with these names.
  init(_ name: FilePath, in folder: FilePath, among names: FolderNames) {
    self.init(
      folder: folder, name: name,
      sidecarModified: names.sidecar(of: name).flatMap {
        folder.appending($0).status?.modified.inNanoseconds
      }, isPending: names.hasPendingChange(of: name), neighbors: names)
  }

  /// A job for one photo, without a list of its folder.
  ///
  /// The job has no other names than those of the photo's own files, so the photo is never taken for the
  /// render of another.
  init(photoAt path: FilePath) {
    let name = path.lastComponent ?? path
    let folder = path.removingLastComponent()
    let present = FolderNames.belonging(to: name).filter { folder.appending($0).status != nil }
    self.init(name, in: folder, among: FolderNames(present))
  }
}

/// What a file turned out to be.
enum IndexingOutcome: Sendable {
  case photo(IndexedPhoto)
  /// No photo, or the render of a photo in the same folder.
  case somethingElse(IndexingJob)
  /// The file cannot be read, or begins like a photo and is none.
  case unreadable(IndexingJob, detail: String)
}

/// Reads the facts about photos from their files. Several threads may use it at once.
struct PhotoReader: Sendable {
  private let darkroom: PhotoDarkroom
  private let fileSystem: FileSystem

  init(_ fileSystem: FileSystem = .real) {
    var darkroom = PhotoDarkroom.current
    // One file must not hold a scan up.
    darkroom.timeLimit = .seconds(30)
    (self.darkroom, self.fileSystem) = (darkroom, fileSystem)
  }

  /// Inspects a file.
  func read(_ job: IndexingJob) -> IndexingOutcome {
    let (file, status): (OpenFile, FileStatus)
    do {
      file = try fileSystem.openForReading(job.path)
      status = try fileSystem.status(of: file)
    } catch {
      return .unreadable(job, detail: error.description)
    }
    guard status.kind == .file else { return .somethingElse(job) }
    let bytes = HeaderBytes(file, size: Int(status.size))
    if bytes.first.isEmpty, status.size > 0 {
      return .unreadable(job, detail: "\(job.path) cannot be read.")
    }
    guard let format = PhotoFormat.recognized(in: bytes) else {
      return .somethingElse(job)
    }
    let header: PhotoHeader
    if let read = PhotoHeader(bytes) {
      header = read
    } else {
      let source = PhotoSource(file, name: job.name.string)
      do {
        header = try darkroom.open(source).header
      } catch {
        return .unreadable(job, detail: "\(error)")
      }
    }
    if let original = header.renderOf, original != job.name.string,
      job.neighbors.contains(FilePath(original)), job.sidecarModified == nil
    {
      return .somethingElse(job)
    }
    let fingerprint = Self.fingerprint(bytes)
    return .photo(
      IndexedPhoto(
        folder: job.folder, name: job.name, status: status, format: format, header: header,
        subtypes: subtypes(job, header), fingerprint: fingerprint,
        pictureFingerprint: PictureFingerprint.bytes(of: bytes) ?? fingerprint,
        sidecar: sidecar(job), isNamed: job.isNamed))
  }

  /// The kinds of photo in PhotoKit's terms.
  ///
  /// A photo by a camera that is at least two and a half times as long as wide is a panorama, because no
  /// camera has such a sensor. A picture without a camera whose name begins with “screenshot” is a
  /// screenshot.
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

  /// What ``IndexedPhoto/fingerprint`` of a file is now; `nil` when it cannot be read.
  static func fingerprint(ofFileAt path: FilePath, _ fileSystem: FileSystem) -> [UInt8]? {
    guard let file = try? fileSystem.openReadOnly(path),
      let status = try? fileSystem.status(of: file), status.kind == .file
    else { return nil }
    return fingerprint(HeaderBytes(file, size: Int(status.size)))
  }

  private static func fingerprint(_ bytes: HeaderBytes) -> [UInt8] {
    let length = withUnsafeBytes(of: UInt64(bytes.size).bigEndian) { Array($0) }
    let tail = min(bytes.size, 4096)
    let ends =
      length + bytes.first.prefix(16_384)
      + (bytes.bytes(at: bytes.size - tail, count: tail) ?? [])
    return Array(SHA256.digest(of: ends).bytes.prefix(16))
  }

  /// The facts about the sidecar, or about the record of a pending change, which counts already.
  func sidecar(_ job: IndexingJob) -> IndexedPhoto.Sidecar? {
    guard job.sidecarModified != nil || job.isPending else { return nil }
    let record: Record?
    do {
      if job.isPending {
        record = try PhotoFiles(job.path, fileSystem: fileSystem).read(timeout: .seconds(5)).record
      } else {
        record = try Record(
          parsing: fileSystem.contents(
            of: job.path.suffixed(".aae"), limit: Record.maximumSize))
      }
    } catch let error as FileSystemError where error.errno != EFBIG {
      return .unread
    } catch StorageError.busy, StorageError.originalUnreadable {
      return .unread
    } catch {
      return IndexedPhoto.Sidecar(
        modified: job.sidecarModified ?? 0, adjustmentFormat: "", pixelWidth: nil,
        pixelHeight: nil)
    }
    guard let record else { return nil }
    return IndexedPhoto.Sidecar(
      modified: job.sidecarModified ?? 0,
      adjustmentFormat: record.visibleFormat,
      pixelWidth: record.render?.pixelWidth, pixelHeight: record.render?.pixelHeight)
  }

  /// Whether a name has the ending of a photo.
  static func claimsToBePhoto(_ name: FilePath) -> Bool {
    let endings: Set = ["jpg", "jpeg", "png", "tif", "tiff", "webp", "heic", "heif", "avif"]
    return name.extension.map { endings.contains($0.lowercased()) } ?? false
  }
}
