import Foundation
import Glibc
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog

/// What photographers search by: titles, keywords, ratings, lenses and the time on the camera's clock.
@Suite struct SearchTests {
  private let tree = PhotoTree()

  private static let packet = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
      xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" xmp:Rating="4" aux:Lens="50mm f/1.8"
      exif:FNumber="28/10" exif:ExposureTime="1/200" exif:FocalLength="50/1"
      exif:ISOSpeedRatings="400" exif:DateTimeOriginal="2024-01-01T23:30:00+13:00">
    <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Évening</rdf:li></rdf:Alt></dc:title>
    <dc:description><rdf:Alt><rdf:li xml:lang="x-default">By the sea</rdf:li></rdf:Alt></dc:description>
    <dc:subject><rdf:Bag><rdf:li>Beach</rdf:li><rdf:li>summer sea</rdf:li></rdf:Bag></dc:subject>
    </rdf:Description></rdf:RDF></x:xmpmeta>
    """

  /// A photo with the packet, and a photo without metadata.
  private func library() async throws -> PhotoLibrary {
    tree.photo("plain.jpg")
    tree.photo("described.jpg", SmallJPEG(date: nil))
    let path = tree.photos.appending("described.jpg")
    let bytes = [UInt8](try Data(contentsOf: path.fileURL))
    let payload = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(Self.packet.utf8)
    let length = payload.count + 2
    let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
    path.write(Array(bytes[..<2]) + segment + bytes[2...])
    let library = try tree.open()
    try await library.add([tree.photos])
    return library
  }

  private func names(
    _ library: PhotoLibrary, _ format: String
  ) throws -> [String] {
    let options = FetchOptions(predicate: try FetchPredicate(format: format))
    return try library.fetchAssets(with: options).compactMap(\.path.lastComponent?.string)
  }

  private static let found = [
    "title = 'Évening'", "title CONTAINS[cd] 'even'", "caption BEGINSWITH 'By'", "rating >= 4",
    "lens CONTAINS '50mm'", "iso = 400", "aperture <= 2.8", "exposureTime < 0.01",
    "focalLength BETWEEN {35, 70}", "keywords CONTAINS 'Beach'", "keywords CONTAINS[c] 'beach'",
    "ANY keywords = 'summer sea'", "ANY keywords BEGINSWITH 'sum'", "ANY keywords CONTAINS 'sea'",
    "keywords != nil", "timeZoneOffset = 46800",
    "creationDate >= '2024-01-01' AND creationDate < '2024-01-02'",
    "creationDate = '2024-01-01 23:30'", "creationDate = '2024-01-01T10:30:00Z'",
    "localDate > '2024-01-01 23:00' AND localDate < '2024-01-02'",
  ]

  @Test func findsWhatTheHeaderSays() async throws {
    let library = try await library()
    for format in Self.found {
      #expect(try names(library, format) == ["described.jpg"], "\(format)")
    }
    for format in [
      "keywords CONTAINS 'beach'", "keywords CONTAINS 'sea'", "ANY keywords = 'Beac'", "rating < 4",
      "creationDate >= '2024-01-02' AND creationDate < '2024-01-03'",
    ] {
      #expect(try !names(library, format).contains("described.jpg"), "\(format)")
    }
    let asset = try #require(
      try library.fetchAssets(with: FetchOptions(predicate: .rating >= 4)).firstObject)
    #expect(asset.title == "Évening")
    #expect(asset.caption == "By the sea")
    #expect(asset.keywords == ["Beach", "summer sea"])
    #expect(asset.lens == "50mm f/1.8")
    #expect((asset.iso, asset.exposureTime) == (400, 0.005))
    #expect((asset.aperture, asset.focalLength) == (2.8, 50))
    #expect(asset.timeZoneOffset == 13 * 3600)
    #expect(asset.localDate == Date(timeIntervalSince1970: 1_704_151_800))
  }

  /// The rows of a catalog that an earlier version made get their values with the next scan.
  @Test func photosOfAnOlderCatalogAreReadAgain() async throws {
    var library: PhotoLibrary? = try await library()
    try await library?.write(
      "UPDATE asset SET headerVersion = 0, rating = NULL, keywords = NULL, timeZoneOffset = NULL")
    #expect(try names(try #require(library), "rating = 4") == [])
    library = nil
    let reopened = try tree.open()
    #expect(try await reopened.scan().updated == 2)
    #expect(try names(reopened, "rating = 4 AND keywords CONTAINS 'Beach'") == ["described.jpg"])
    #expect(try await reopened.scan().isUnchanged)
  }

  /// Phones write how far their clocks are ahead of UTC, and cameras do not.
  @Test func photosComeInTheOrderOfTheirClocks() async throws {
    let sample = try SampleLibrary()
    let noon = Date(timeIntervalSince1970: 1_719_835_200)
    var samples: [Sample] = []
    for (number, offset) in [7200, nil, 7200, nil, -3600].enumerated() {
      var one = Sample("\(number)")
      one.creationDate = noon + Double(300 * number - (offset ?? 0))
      one.timeZoneOffset = offset
      samples.insert(one, at: 0)
    }
    try await sample.add(samples)
    let clocks = ["0", "1", "2", "3", "4"]
    #expect(try sample.library.fetchAssets().map(\.localIdentifier) == clocks)
    // What a user writes.
    let order = try FetchSortDescriptor(checking: "creationDate", ascending: false)
    let options = FetchOptions(sortDescriptors: [order])
    let found = try sample.library.fetchAssets(with: options).map(\.localIdentifier)
    #expect(found == clocks.reversed())
    options.sortDescriptors = [FetchSortDescriptor(.creationDate)]
    #expect(
      try sample.library.fetchAssets(with: options).map(\.localIdentifier)
        == ["0", "2", "1", "3", "4"])
  }

  @Test(arguments: ["Pacific/Auckland", "America/Los_Angeles", "UTC"])
  func aDayIsThatOfTheCamerasClockWhateverTheTimeZone(zone: String) async throws {
    // The zone is the process's.
    await #expect(processExitsWith: .success) { [zone] in
      setenv("TZ", zone, 1)
      tzset()
      let sample = try SampleLibrary()
      let day = Date(timeIntervalSince1970: 1_704_067_200)
      var samples: [Sample] = []
      for (number, hour) in [-0.5, 0, 12, 23.5, 24].enumerated() {
        for (name, offset) in [("plain", nil), ("east", 46_800), ("west", -43_200)] {
          var one = Sample("\(name)-\(number)")
          one.creationDate = day + hour * 3600 - Double(offset ?? 0)
          one.timeZoneOffset = offset
          samples.append(one)
        }
      }
      try await sample.add(samples)
      let predicate = try FetchPredicate(
        format: "creationDate >= '2024-01-01' AND creationDate < '2024-01-02'")
      let found = try sample.library.fetchAssets(with: FetchOptions(predicate: predicate))
      #expect(found.count == 9)
      #expect(
        Set(found.map(\.localIdentifier))
          == Set(["plain", "east", "west"].flatMap { name in (1...3).map { "\(name)-\($0)" } }))
      // The counters of whole days give the right number, by instants and by clocks.
      for format in [
        "creationDate >= '2023-12-20' AND creationDate < '2024-01-02'",
        "creationDate >= '2023-12-20T00:00Z' AND creationDate < '2024-01-01T23:45Z'",
      ] {
        let options = FetchOptions(predicate: try FetchPredicate(format: format))
        let counted = try sample.library.fetchAssets(with: options).count
        #expect(counted == Array(try sample.library.fetchAssets(with: options)).count, "\(format)")
        #expect(counted >= 10)
      }
    }
  }
}
