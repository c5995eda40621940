import FoundationEssentials
import PhotoEditing
import SafelightCatalog
import SafelightFiles
import SafelightFormats

import struct SafelightMetadata.PhotoHeader
import struct SafelightStorage.CompanionNames

/// The facts that the catalog keeps about a photo's file and its sidecar.
struct IndexedPhoto: Sendable {
  let folder: FilePath
  let name: FilePath
  let original: OriginalFacts
  let subtypes: AssetMediaSubtype
  let sidecar: SidecarFacts?
  /// Whether somebody named the photo; see ``IndexingJob/isNamed``.
  let isNamed: Bool

  var path: FilePath { folder.appending(name) }
  var status: FileStatus { original.status }
  private var header: PhotoHeader { original.header }

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
  static let headerVersion = 3

  /// The facts by their columns in the catalog.
  var facts: AssetFacts {
    var facts = AssetFacts()
    facts[.size] = status.size
    facts[.modified] = status.modified.inNanoseconds
    facts[.inode] = status.inode
    facts[.fingerprint] = original.fingerprint
    facts[.pictureFingerprint] = original.pictureFingerprint
    facts[.format] = original.format.rawValue
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
  /// When the sidecar last changed, Safelight's or else Apple's; `nil` when there is none.
  let sidecarModified: Int64?
  /// Apple's sidecar, when that counts because the photo has no other.
  var applesSidecar: FilePath?
  /// Google's description of the photo; `nil` when there is none.
  var description: FilePath?
  /// Whether a change of the edit is decided and not finished yet.
  let isPending: Bool
  /// The names in the folder. A render is recognized when they have the name of its original.
  let neighbors: FolderNames
  /// Whether somebody named the photo, so that it is taken in whatever it is. What a scan finds by itself is not
  /// when Safelight made it from a photo.
  var isNamed = false

  var path: FilePath { folder.appending(name) }
  /// Whether the video of a photo with this header is in the folder.
  fileprivate func hasVideo(_ header: PhotoHeader) -> Bool {
    neighbors.hasVideo(for: name, header.contentIdentifier, in: folder)
  }

  /// Whether a file with this header is the render of another photo in the folder.
  fileprivate func isRender(_ header: PhotoHeader) -> Bool {
    guard let original = header.renderOf, original != name.string else { return false }
    return neighbors.contains(FilePath(original))
      && (sidecarModified == nil || applesSidecar != nil)
  }
}

extension IndexingJob {
  /// A job for a file in a folder with these names.
  init(_ name: FilePath, in folder: FilePath, among names: FolderNames) {
    let own = names.sidecar(of: name)
    let companions = names.companions.companions(of: name)
    let apples = own == nil ? companions.sidecar : nil
    self.init(
      folder: folder, name: name,
      sidecarModified: (own ?? apples).flatMap {
        folder.appending($0).status?.modified.inNanoseconds
      }, applesSidecar: apples.map(folder.appending),
      description: companions.description.map(folder.appending),
      isPending: names.hasPendingChange(of: name),
      neighbors: names)
  }

  /// A job for one photo, without a list of its folder.
  ///
  /// The job has no other names than those of the photo's own files, so the photo is never taken for the
  /// render of another.
  init(photoAt path: FilePath) {
    let name = path.lastComponent ?? path
    let folder = path.removingLastComponent()
    let present = FolderNames.belonging(to: name).filter { folder.appending($0).status != nil }
    self.init(
      name, in: folder, among: FolderNames(present, CompanionNames(in: folder, .real)))
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
  private let reader: OriginalReader

  init(_ fileSystem: FileSystem = .real) { reader = OriginalReader(fileSystem) }

  /// Inspects a file.
  func read(_ job: IndexingJob) -> IndexingOutcome {
    do throws(UnreadableOriginal) {
      let original = try reader.read(
        job.path, describedBy: job.description, unless: job.isRender)
      guard let original else { return .somethingElse(job) }
      return .photo(
        IndexedPhoto(
          folder: job.folder, name: job.name, original: original,
          subtypes: subtypes(job, original.header), sidecar: sidecar(job), isNamed: job.isNamed))
    } catch {
      return .unreadable(job, detail: error.description)
    }
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
    if header.signs.contains(.motionPhoto) || job.hasVideo(header) {
      subtypes.insert(.photoLive)
    }
    if header.signs.contains(.depth) { subtypes.insert(.photoDepthEffect) }
    return subtypes
  }

  /// The facts about the sidecar, or about the record of a pending change, which counts already.
  func sidecar(_ job: IndexingJob) -> SidecarFacts? {
    reader.sidecar(
      of: job.path, modified: job.sidecarModified, isPending: job.isPending,
      apples: job.applesSidecar)
  }
}
