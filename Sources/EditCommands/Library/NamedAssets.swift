import PhotoLibraryKit
import SafelightArguments

/// The assets that a command line names, by paths or by local identifiers.
struct NamedAssets: Sendable {
  /// What a word stands for.
  struct Item: Sendable {
    let name: FilePath
    let found: Result<Asset, EditCommandError>
  }

  /// In the order given.
  let items: [Item]

  /// The assets that were found, each once.
  var assets: [Asset] {
    var seen: Set<String> = []
    return items.compactMap { try? $0.found.get() }
      .filter { seen.insert($0.localIdentifier).inserted }
  }

  /// Looks for assets in a library, hidden ones too.
  init(_ words: [String], in library: PhotoLibrary) throws(PhotoLibraryError) {
    let names = words.map { FilePath(argument: $0) }
    let paths = names.filter { !$0.isLocalIdentifier }
    let byPath = Dictionary(
      zip(paths, try library.fetchAssets(at: paths)), uniquingKeysWith: { first, _ in first })
    var byIdentifier: [String: Asset] = [:]
    let identifiers = names.filter(\.isLocalIdentifier).map(\.string)
    for asset in try library.fetchAssets(withLocalIdentifiers: identifiers).allObjects() {
      byIdentifier[asset.localIdentifier] = asset
    }
    items = names.map { name in
      let asset = name.isLocalIdentifier ? byIdentifier[name.string] : byPath[name] ?? nil
      return Item(name: name, found: asset.map { .success($0) } ?? .failure(.notInLibrary(name)))
    }
  }

  /// Looks for assets among given ones.
  init(_ words: [String], among assets: [Asset], otherwise: (FilePath) -> EditCommandError) {
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
  /// Whether it has the form of an asset's identifier: a UUID and `/L0/001`. People write `./` before
  /// the name of a file that has this form.
  var isLocalIdentifier: Bool {
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].elementsEqual("L0".utf8), parts[2].elementsEqual("001".utf8)
    else { return false }
    let groups = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
  }
}

extension CatalogCommand {
  /// Prints a result for each photo, or why it failed.
  ///
  /// - Returns: The code to end with.
  func report(
    _ names: [FilePath], on console: Console, _ result: (Int) throws -> PhotoResult
  ) throws -> ExitCode {
    let printer = ResultPrinter(console: console, json: options.json, quiet: options.quiet)
    var failures = 0
    for (index, name) in names.enumerated() {
      let start = ContinuousClock.now
      do {
        printer.print(
          PhotoReport(photo: name, outcome: .success(try result(index)), since: start))
      } catch let error as any Explained {
        failures += 1
        printer.print(.failed(name, PhotoFailure(error)))
      }
    }
    return failures == 0 ? .success : .failure
  }

  /// Prints a result for each named asset, or why it failed.
  ///
  /// - Returns: The code to end with.
  func report(
    _ named: NamedAssets, on console: Console,
    _ result: (_ name: FilePath, _ asset: Asset) throws -> PhotoResult
  ) throws -> ExitCode {
    try report(named.items.map(\.name), on: console) { index in
      let item = named.items[index]
      return try result(item.name, item.found.get())
    }
  }

  /// Makes a change of the named assets that need it, in one change set, and reports on each.
  ///
  /// - Returns: The code to end with.
  func perform(
    _ change: AssetChange, on named: NamedAssets, in library: PhotoLibrary, on console: Console
  ) async throws -> ExitCode {
    let due = named.assets.filter(change.isDue)
    let make = change.make
    if !due.isEmpty { try await library.performChanges { make(due) } }
    return try report(named, on: console) { _, asset in
      due.contains { $0.localIdentifier == asset.localIdentifier }
        ? asset.result(change.status, change.done)
        : asset.result("unchanged", "unchanged, it is \(change.already)")
    }
  }
}

/// A change of photos, and what is said of each.
struct AssetChange {
  /// Whether a photo needs the change.
  var isDue: (Asset) -> Bool = { _ in true }
  /// The word that JSON has for a photo that needed it.
  let status: String
  /// What people read of such a photo.
  let done: String
  /// What a photo is that does not need it.
  var already = ""
  /// Makes the requests for the photos that need it.
  let make: @Sendable (_ due: [Asset]) -> Void
}

extension Asset {
  /// The result of a change of the asset.
  func result(_ status: String, _ text: String) -> PhotoResult {
    PhotoResult(
      status: status, text: text,
      details: JSONValue.members(["localIdentifier": localIdentifier]))
  }
}
