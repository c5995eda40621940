import PhotoLibraryKit
import SafelightArguments

/// `edit library show`: says everything that a library knows of photos.
struct ShowAssetsCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show all that the library knows of photos.",
    discussion: """
      Photos are named by their paths or identifiers. “edit show” tells what their edits do.

      Example:
        edit library show beach.jpg
        edit library show --json beach.jpg
      """)

  @Argument(help: "The photos, by path or identifier.", completion: .photos)
  var photos: [String]

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) throws -> ExitCode {
    let named = try NamedAssets(photos, in: library)
    return try report(named.items.map(\.name), on: console) { index in
      let asset = try named.items[index].found.get()
      return try AssetDescription(asset, in: library).result
    }
  }
}

extension CatalogCommand {
  /// Prints a result for each of some photos, and why others failed.
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
      } catch let failure as PhotoFailure {
        failures += 1
        printer.print(.failed(name, failure))
      }
    }
    return failures == 0 ? .success : .failure
  }
}
