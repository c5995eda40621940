import Foundation
import Glibc
import SafelightTestSupport

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// A library in a folder of its own, with rows and without photos. The folder is removed when the tests end,
/// because fetch results live longer than the library.
final class SampleLibrary: Sendable {
  let path: FilePath
  let library: PhotoLibrary

  /// The first instant of the samples' dates.
  static let start = Date(timeIntervalSince1970: 1_500_000_000)

  init() throws {
    path = FilePath(Self.folder).appending(FilePath(UUID().uuidString))
    library = try PhotoLibrary(at: path)
  }

  private static let folder: String = {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    atexit { try? FileManager.default.removeItem(atPath: SampleLibrary.folder) }
    return "\(parent)/safelight-fetching-\(getpid())"
  }()

  /// A library with random assets; a seed always gives the same assets.
  convenience init(random count: Int, seed: UInt64 = 1) async throws {
    try self.init()
    var generator = SeededGenerator(seed: seed)
    let samples = (1...count).map { Sample(number: $0, using: &generator) }
    try await add(samples)
  }

  func add(_ samples: [Sample]) async throws {
    try await change { (database) throws(DatabaseError) in
      for sample in samples { try sample.insert(into: database) }
    }
  }

  /// Makes an album, or adds assets to it.
  func fill(_ album: String, with identifiers: [String], in list: String? = nil) async throws {
    try await change { (database) throws(DatabaseError) in
      try database.run(
        """
        INSERT INTO collection (identifier, title, list, position, creationDate)
        SELECT ?, ?, (SELECT id FROM collection WHERE identifier = ?), count(*), 0
        FROM collection WHERE true ON CONFLICT DO NOTHING
        """, album, album.capitalized, list)
      for identifier in identifiers {
        try database.run(
          """
          INSERT INTO member (album, position, asset) SELECT collection.id,
            (SELECT coalesce(max(position), 0) + 10 FROM member WHERE album = collection.id),
            asset.id FROM collection, asset
          WHERE collection.identifier = ? AND asset.identifier = ?
          """, album, identifier)
      }
    }
  }

  func run(_ text: String, _ values: any DatabaseConvertible...) async throws {
    try await change { (database) throws(DatabaseError) in
      try database.run(text, values: values)
    }
  }

  func change(_ work: @Sendable (Database) throws(DatabaseError) -> Void) async throws {
    try await library.catalog.change { database in
      try work(database)
      return [Catalog.ChangedObject(kind: .asset, identifier: "*", how: .updated)]
    }
  }

  /// Reads from the present snapshot.
  func read<Value: Sendable>(
    _ work: (Database) throws(DatabaseError) -> Value
  ) throws -> Value {
    try library.snapshots.now().read { (database) throws(DatabaseError) in try work(database) }
  }
}

/// An asset to write into a catalog.
struct Sample: Sendable {
  var identifier: String
  var folder = "/photos"
  var name: String
  var creationDate: Date?
  var modificationDate = SampleLibrary.start
  var addedDate = SampleLibrary.start
  var size = (width: 400, height: 300)
  var subtypes: AssetMediaSubtype = []
  var place: Asset.Location?
  var isFavorite = false
  var isHidden = false
  var isTrashed = false
  var format: String?
  var camera: String?
  var title: String?
  var keywords: [String] = []
  var rating: Int?
  var aperture: Double?
  var timeZoneOffset: Int?

  init(_ identifier: String, seconds: Double? = 0) {
    self.identifier = identifier
    name = "\(identifier).jpg"
    creationDate = seconds.map { SampleLibrary.start.addingTimeInterval($0) }
  }

  /// Each property has few different values, so that many assets have equal values.
  init(number: Int, using generator: inout SeededGenerator) {
    func oneIn(_ share: Int) -> Bool { Int.random(in: 0..<share, using: &generator) == 0 }
    self.init("asset-\(number)", seconds: Double(Int.random(in: 0..<200, using: &generator)))
    if oneIn(10) { creationDate = nil }
    folder = oneIn(3) ? "/photos/Süden" : "/photos"
    name = ["IMG_\(number).jpg", "Straße \(number).HEIC", "été_\(number).png"]
      .randomElement(using: &generator)!
    modificationDate += Double(Int.random(in: 0..<50, using: &generator))
    addedDate += Double(number / 20)
    size = [(400, 300), (300, 400), (400, 400), (9000, 3000)].randomElement(using: &generator)!
    subtypes = AssetMediaSubtype(
      rawValue: [0, 0, 0, 1, 2, 4, 8, 12, 16].randomElement(using: &generator)!)
    if oneIn(3) {
      place = Asset.Location(
        latitude: Double(Int.random(in: -90...90, using: &generator)), longitude: 8.5)
    }
    isFavorite = oneIn(8)
    isHidden = oneIn(10)
    isTrashed = oneIn(20)
    format = oneIn(4) ? "org.safelight.edit" : nil
    camera = ["NIKON D750", "Canon EOS R6", "Pixel 8", nil].randomElement(using: &generator)!
    title = ["IMG", "Été au Süden", nil, nil].randomElement(using: &generator)!
    keywords = [[], [], ["beach"], ["Süden", "beach"], ["Beaches"]].randomElement(
      using: &generator)!
    rating = [nil, nil, -1, 0, 3, 5].randomElement(using: &generator)!
    aperture = [nil, 2.8, 8].randomElement(using: &generator)!
    timeZoneOffset = [nil, 0, 60, -43_200, 46_800].randomElement(using: &generator)!
  }

  func insert(into database: Database) throws(DatabaseError) {
    try database.run(
      "INSERT OR IGNORE INTO folder (path) VALUES (?)", Array(folder.utf8) as [UInt8])
    try database.run(
      """
      INSERT INTO asset (identifier, folder, name, size, modified, inode, format, pixelWidth,
        pixelHeight, orientation, mediaSubtypes, camera, creationDate, modificationDate, addedDate,
        latitude, longitude, favorite, hidden, adjustmentFormat, trashedDate, title, keywords, rating,
        aperture, timeZoneOffset)
      VALUES (?, (SELECT id FROM folder WHERE path = ?), ?, 1, 1, 1, 'jpeg', ?, ?, 1, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      values: [
        identifier, Array(folder.utf8) as [UInt8], Array(name.utf8) as [UInt8], size.width,
        size.height, subtypes.rawValue, camera, creationDate, modificationDate, addedDate,
        place?.latitude, place?.longitude, isFavorite, isHidden, format,
        isTrashed ? SampleLibrary.start : nil, title, KeywordText.joined(keywords), rating,
        aperture,
        timeZoneOffset,
      ])
  }
}
