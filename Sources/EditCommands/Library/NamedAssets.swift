import PhotoLibraryKit

/// The photos of a library that a command line names, by paths or by local identifiers.
struct NamedAssets: Sendable {
  /// What a word stands for.
  struct Item: Sendable {
    let name: FilePath
    let found: Result<Asset, PhotoFailure>
  }

  /// In the order given.
  let items: [Item]

  /// The photos that were found, each once.
  var assets: [Asset] {
    var seen: Set<String> = []
    return items.compactMap { try? $0.found.get() }
      .filter { seen.insert($0.localIdentifier).inserted }
  }

  /// Looks for photos in a library, hidden ones too.
  init(_ words: [String], in library: PhotoLibrary) throws(PhotoLibraryError) {
    let names = words.map { FilePath(argument: $0) }
    let paths = names.filter { !$0.isLocalIdentifier }
    let byPath = Dictionary(
      zip(paths, try library.fetchAssets(at: paths)), uniquingKeysWith: { first, _ in first })
    var byIdentifier: [String: Asset] = [:]
    let identifiers = names.filter(\.isLocalIdentifier).map(\.string)
    for asset in try library.fetchAssets(withLocalIdentifiers: identifiers) {
      byIdentifier[asset.localIdentifier] = asset
    }
    items = names.map { name in
      let asset = name.isLocalIdentifier ? byIdentifier[name.string] : byPath[name] ?? nil
      return Item(name: name, found: asset.map { .success($0) } ?? .failure(.notInLibrary(name)))
    }
  }

  /// Looks for photos among some that are at hand.
  init(_ words: [String], among assets: [Asset], otherwise: (FilePath) -> PhotoFailure) {
    items = words.map { word in
      let name = FilePath(argument: word)
      let asset = assets.first {
        $0.localIdentifier == name.string || name.leadsToSameFile(as: $0.path)
      }
      return Item(name: name, found: asset.map { .success($0) } ?? .failure(otherwise(name)))
    }
  }
}

extension FilePath {
  /// Whether it has the form of a photo's identifier: a UUID and `/L0/001`. A file that is called so
  /// is named with `./` before it.
  var isLocalIdentifier: Bool {
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].elementsEqual("L0".utf8), parts[2].elementsEqual("001".utf8)
    else { return false }
    let groups = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
  }
}
