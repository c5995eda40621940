import Foundation
import PhotoLibraryKit

/// Fetches that are described in JSON: the first page of each, the number of assets, and the assets.
struct Fetches {
  private struct Wanted: Decodable {
    var name: String
    var predicate: String?
    /// Names of keys; a minus before a name sorts in descending order.
    var sort: [String]?
    var limit: Int?
    var hidden: Bool?
    var album: String?
    var identifiers: [String]?
  }

  private struct Found: Encodable {
    var name: String
    /// The first photos' identifiers, in their order.
    var first: [String]
    var count: Int
    var page: [Double] = []
    var counting: [Double] = []
  }

  private static let pageSize = 100

  private let library: PhotoLibrary
  private let runs: Int

  init(_ library: PhotoLibrary, runs: Int) {
    (self.library, self.runs) = (library, runs)
  }

  func run() async throws {
    let list = FileHandle.standardInput.readDataToEndOfFile()
    for wanted in try JSONDecoder().decode([Wanted].self, from: list) {
      var found = Found(
        name: wanted.name, first: Self.page(of: try fetch(wanted)), count: try fetch(wanted).count)
      for _ in 0..<runs {
        // Only the system's cache of the file is kept from one fetch to the next.
        found.page.append(
          try await milliseconds {
            let first = Self.page(of: try fetch(wanted))
            precondition(first.count == found.first.count)
          })
        found.counting.append(
          try await milliseconds {
            let count = try fetch(wanted).count
            precondition(count == found.count)
          })
      }
      try report(found)
    }
  }

  /// The first identifiers; `prefix` would count everything.
  private static func page(of result: FetchResult<Asset>) -> [String] {
    var iterator = result.makeIterator()
    return (0..<pageSize).compactMap { _ in iterator.next()?.localIdentifier }
  }

  private func fetch(_ wanted: Wanted) throws -> FetchResult<Asset> {
    let options = FetchOptions()
    options.predicate = try wanted.predicate.map { try FetchPredicate(format: $0) }
    options.sortDescriptors = (wanted.sort ?? []).map { key in
      FetchSortDescriptor(
        key: key.hasPrefix("-") ? String(key.dropFirst()) : key, ascending: !key.hasPrefix("-"))
    }
    options.fetchLimit = wanted.limit ?? 0
    options.includeHiddenAssets = wanted.hidden ?? false
    if let identifiers = wanted.identifiers {
      return try library.fetchAssets(withLocalIdentifiers: identifiers, options: options)
    }
    if let title = wanted.album {
      return try library.fetchAssets(in: library.album(called: title), options: options)
    }
    return try library.fetchAssets(with: options)
  }
}

extension PhotoLibrary {
  /// The user's album with a title, which must exist.
  func album(called title: String) throws -> AssetCollection {
    let albums = try fetchAssetCollections(with: .album, subtype: nil, options: nil)
    guard let album = albums.first(where: { $0.localizedTitle == title }) else {
      preconditionFailure("there is no album called \(title)")
    }
    return album
  }
}

/// Reads all photos, and measures whether the memory grows.
struct Iteration {
  private struct Result: Encodable {
    var count = 0
    /// The peaks in bytes before, after a tenth, and at the end.
    var before = 0
    var afterATenth = 0
    var after = 0
    var milliseconds = 0.0
  }

  private let library: PhotoLibrary

  init(_ library: PhotoLibrary) { self.library = library }

  func run() throws {
    let assets = try library.fetchAssets()
    var result = Result(count: assets.count, before: try peakMemory())
    let start = ContinuousClock.now
    var number = 0
    for asset in assets {
      precondition(!asset.localIdentifier.isEmpty)
      number += 1
      if number == max(1, result.count / 10) { result.afterATenth = try peakMemory() }
    }
    precondition(number == result.count)
    let elapsed = (ContinuousClock.now - start).components
    result.milliseconds = Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15
    result.after = try peakMemory()
    try report(result)
  }
}
