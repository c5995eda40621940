import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog

/// Fetches with random containers, predicates, orders and limits find what filtering in memory finds.
@Suite struct RandomFetchTests {
  /// Where a fetch looks.
  private enum Container: CustomStringConvertible {
    case library
    case identifiers([String])
    case album(String)
    case smart(AssetCollection.SmartAlbum)

    var description: String {
      switch self {
      case .library: "the library"
      case .identifiers(let identifiers): "\(identifiers)"
      case .album(let name): "album \(name)"
      case .smart(let album): album.rawValue
      }
    }
  }

  /// A library with albums, and everything that is in it.
  private struct Subject {
    let sample: SampleLibrary
    let everything: [Asset]
    let byIdentifier: [String: Asset]
    let albums: [String: AssetCollection]
    let members: [String: [String]]

    init(_ photos: Int, seed: UInt64) async throws {
      sample = try await SampleLibrary(random: photos, seed: seed)
      let library = sample.library
      everything = try library.fetchAssets(with: FetchOptions(includeHiddenAssets: true))
        .allObjects()
      byIdentifier = Dictionary(everything.map { ($0.localIdentifier, $0) }) { first, _ in first }
      var random = RandomPredicates(seed: seed)
      let all = everything.map(\.localIdentifier)
      try await sample.fill("none", with: [])
      for (name, count) in [("few", 7), ("many", 220)] {
        try await sample.fill(
          name, with: Array(all.shuffled(using: &random.generator).prefix(count)))
      }
      let found = try library.fetchAssetCollections(with: .album).allObjects()
      albums = Dictionary(found.map { ($0.localIdentifier, $0) }) { first, _ in first }
      members = try albums.mapValues { try library.members(of: $0) }
    }
  }

  private func container(_ random: inout RandomPredicates, _ subject: Subject) -> Container {
    switch random.number(0..<5) {
    case 0: return .library
    case 1: return .identifiers(random.identifiers())
    case 2: return .smart(random.pick(AssetCollection.SmartAlbum.allCases))
    default: return .album(random.pick(["few", "many", "none"]))
    }
  }

  private func options(_ random: inout RandomPredicates) -> FetchOptions {
    let options = FetchOptions()
    switch random.number(0..<4) {
    case 0: break
    case 1: options.predicate = FetchPredicate(random.naming())
    case 2: options.predicate = FetchPredicate(.all([random.naming(), random.condition(depth: 1)]))
    default: options.predicate = FetchPredicate(random.condition())
    }
    options.includeHiddenAssets = random.number(0..<2) == 0
    options.fetchLimit = random.pick([0, 0, 0, 1, 3, 40])
    let keys = FetchKey.allCases.filter { $0.belongs(to: .asset) }
    options.sortDescriptors = (0..<random.pick([0, 0, 1, 2])).map { _ in
      FetchSortDescriptor(
        AssetKey<Int>(key: random.pick(keys)), ascending: random.number(0..<2) == 0)
    }
    return options
  }

  private func found(
    _ container: Container, _ options: FetchOptions, in library: PhotoLibrary,
    _ albums: [String: AssetCollection]
  ) throws -> FetchResult<Asset> {
    switch container {
    case .library: try library.fetchAssets(with: options)
    case .identifiers(let identifiers):
      try library.fetchAssets(withLocalIdentifiers: identifiers, options: options)
    case .album(let name):
      try library.fetchAssets(in: try #require(albums[name]), options: options)
    case .smart(let smart):
      try library.fetchAssets(
        in: try #require(
          library.fetchAssetCollections(with: .smartAlbum, subtype: smart).firstObject),
        options: options)
    }
  }

  /// The same in memory.
  private func wanted(
    _ container: Container, _ options: FetchOptions, in subject: Subject
  ) -> [Asset] {
    var includesHidden = options.includeHiddenAssets
    var descriptors = options.sortDescriptors
    var assets = subject.everything
    var isInOrder = false
    switch container {
    case .library: break
    case .identifiers(let identifiers):
      let wanted = Set(identifiers)
      assets = assets.filter { wanted.contains($0.localIdentifier) }
      includesHidden = true
    case .album(let name):
      let members = subject.members[name] ?? []
      assets = members.compactMap { subject.byIdentifier[$0] }
      isInOrder = descriptors.isEmpty
    case .smart(let smart):
      assets = assets.filter { smart.assets.condition.holds(for: $0) }
      if smart == .allHidden { includesHidden = true }
      if smart == .recentlyAdded, descriptors.isEmpty {
        descriptors = [FetchSortDescriptor(.addedDate, ascending: false)]
      }
    }
    if !includesHidden { assets = assets.filter { !$0.isHidden } }
    if !isInOrder {
      if descriptors.isEmpty { descriptors = [FetchSortDescriptor(.localDate)] }
      let isAscending = descriptors.last?.ascending ?? true
      assets.sort { isAscending ? $0.row < $1.row : $0.row > $1.row }
    }
    return FetchOptions(
      predicate: options.predicate, sortDescriptors: isInOrder ? [] : descriptors,
      fetchLimit: options.fetchLimit
    ).applied(to: assets)
  }

  // In large libraries other indexes are chosen.
  @Test(arguments: [(21, 300), (22, 300), (23, 1500), (24, 1500)] as [(UInt64, Int)])
  func everyFetchFindsWhatFilteringInMemoryFinds(seed: UInt64, photos: Int) async throws {
    let subject = try await Subject(photos, seed: seed)
    var random = RandomPredicates(seed: seed)
    for _ in 0..<Rounds.count(60_000 / photos, long: 1_800_000 / photos) {
      let container = container(&random, subject)
      let options = options(&random)
      let assets = wanted(container, options, in: subject)
      let wanted = assets.map(\.localIdentifier)
      let words: Comment =
        "\(container), \(String(describing: options.predicate)), \(options.sortDescriptors)"
      let read = try found(container, options, in: subject.sample.library, subject.albums)
      try #require(try read.allObjects().map(\.localIdentifier) == wanted, words)
      // Counted without reading, as programs do that ask for the number first.
      let counted = try found(container, options, in: subject.sample.library, subject.albums)
      try #require(counted.count == wanted.count, words)
      let panoramas = assets.count { $0.mediaSubtypes.contains(.photoPanorama) }
      try #require(counted.countOfAssets(with: .photoPanorama) == panoramas, words)
      try counted.preload(0..<counted.count)
      var enumerated: [String] = []
      counted.enumerateObjects { asset, _, _ in enumerated.append(asset.localIdentifier) }
      try #require(enumerated == wanted && counted.failure == nil, words)
    }
  }

  // The larger selection is too large to be sorted, so all assets are read in order.
  @Test(arguments: [(31, 300, 1), (32, 2000, 3)] as [(UInt64, Int, Int)])
  func aClientWithLimitedAccessFindsTheSameOfWhatWasSelected(
    seed: UInt64, photos: Int, quarters: Int
  ) async throws {
    let subject = try await Subject(photos, seed: seed)
    var random = RandomPredicates(seed: seed)
    let selected = Set(
      subject.everything.map(\.localIdentifier).filter { _ in random.number(0..<4) < quarters })
    try await subject.sample.library.limitAccess(of: Client.name, to: Array(selected))
    let limited = try PhotoLibrary(at: subject.sample.path, client: .frames)
    for _ in 0..<Rounds.count(30_000 / photos, long: 600_000 / photos) {
      let container = container(&random, subject)
      // Such a client sees no albums of the user.
      if case .album = container { continue }
      let options = options(&random)
      let limit = options.fetchLimit
      options.fetchLimit = 0
      let all = wanted(container, options, in: subject)
      let visible = all.filter { selected.contains($0.localIdentifier) }
      options.fetchLimit = limit
      let wanted = limit == 0 ? visible : Array(visible.prefix(limit))
      let read = try found(container, options, in: limited, [:])
      try #require(try read.allObjects() == wanted, "\(container)")
      let counted = try found(container, options, in: limited, [:])
      try #require(counted.count == wanted.count)
      let panoramas = wanted.count { $0.mediaSubtypes.contains(.photoPanorama) }
      try #require(counted.countOfAssets(with: .photoPanorama) == panoramas)
      if let last = wanted.last { #expect(read.index(of: last) == wanted.count - 1) }
      if let other = all.first(where: { !selected.contains($0.localIdentifier) }) {
        #expect(read.index(of: other) == nil)
      }
    }
  }

  @Test func everyFetchOfAlbumsFindsWhatFilteringInMemoryFinds() async throws {
    let sample = try await SampleLibrary(random: 60, seed: 41)
    var random = RandomPredicates(seed: 41)
    for number in 0..<12 {
      let identifiers = (1...60).map { "asset-\($0)" }.shuffled(using: &random.generator)
      try await sample.fill("album-\(number)", with: Array(identifiers.prefix(number)))
    }
    let library = sample.library
    let all = try library.fetchAssetCollections(with: .album).allObjects()
    let keys: [FetchKey] = [.localIdentifier, .title, .creationDate, .estimatedAssetCount]
    for _ in 0..<Rounds.count(200, long: 4000) {
      let identifiers = (0..<random.number(0..<4)).map { _ in "album-\(random.number(0..<14))" }
      let relation: Condition.Relation = random.pick([.equal, .less, .atMost, .greater, .atLeast])
      let parts: [Condition] = [
        .always, .among(.localIdentifier, identifiers.map { .text($0) }),
        .compare(.init(key: .localIdentifier), .equal, .value(.text("album-3"))),
        .compare(.init(key: .estimatedAssetCount), relation, .value(.integer(4))),
        .text(.title, TextMatch(.anywhere, "1", ignoresCase: true, ignoresAccents: false)),
        .not(.among(.localIdentifier, identifiers.map { .text($0) })),
      ]
      let condition: Condition =
        random.number(0..<2) == 0
        ? .all([random.pick(parts), random.pick(parts)])
        : .any([random.pick(parts), random.pick(parts)])
      let options = FetchOptions(
        predicate: FetchPredicate(condition), fetchLimit: random.pick([0, 0, 1, 5]))
      if random.number(0..<2) == 0 {
        options.sortDescriptors = [
          FetchSortDescriptor(
            AssetKey<Int>(key: random.pick(keys)), ascending: random.number(0..<2) == 0)
        ]
      }
      let isNamed = random.number(0..<2) == 0
      let found =
        isNamed
        ? try library.fetchAssetCollections(withLocalIdentifiers: identifiers, options: options)
        : try library.fetchAssetCollections(with: .album, options: options)
      let wanted = options.applied(
        to: isNamed ? all.filter { identifiers.contains($0.localIdentifier) } : all)
      #expect(Array(found) == wanted, "\(condition)")
    }
  }
}

extension RandomPredicates {
  /// Identifiers, some of them unknown and some twice.
  fileprivate mutating func identifiers() -> [String] {
    (0..<pick([0, 1, 1, 2, 5, 40])).map { _ in "asset-\(number(0..<320))" }
  }

  /// A condition that names assets by their identifiers.
  fileprivate mutating func naming() -> Condition {
    let values = identifiers().map { DatabaseValue.text($0) }
    switch number(0..<3) {
    case 0: return .among(.localIdentifier, values)
    case 1:
      return .compare(
        .init(key: .localIdentifier), .equal, .value(values.first ?? .text("asset-1")))
    default: return .not(.among(.localIdentifier, values))
    }
  }
}
