import PhotoLibraryKit
import SafelightArguments

/// `edit library favorite`: marks photos as favorites.
struct FavoriteCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "favorite",
    abstract: "Mark photos as favorites.",
    discussion: """
      The photos' files stay as they are. All are marked together, in one change.

      Example:
        edit library favorite beach.jpg harbour.jpg
        edit library favorite --off beach.jpg
      """)

  @Argument(help: "The photos, by path or identifier.", completion: .photos)
  var photos: [String]

  @Flag(help: "Take the mark away.")
  var off = false

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let mark = Mark(name: "favorite", isSet: { $0.isFavorite }, set: { $0.isFavorite = $1 })
    return try await put(mark, !off, on: photos, in: library, on: console)
  }
}

/// `edit library hide`: leaves photos out of what is listed.
struct HideCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "hide",
    abstract: "Leave photos out of lists, albums and batches.",
    discussion: """
      Hidden photos keep their places in albums, and their files stay as they are. “edit library \
      list --hidden” lists them too, and the album Hidden has them all.

      Example:
        edit library hide receipt.jpg
        edit library hide --off receipt.jpg
      """)

  @Argument(help: "The photos, by path or identifier.", completion: .photos)
  var photos: [String]

  @Flag(help: "Show them again.")
  var off = false

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let mark = Mark(name: "hidden", isSet: { $0.isHidden }, set: { $0.isHidden = $1 })
    return try await put(mark, !off, on: photos, in: library, on: console)
  }
}

/// Something that is true or not of a photo.
private struct Mark: Sendable {
  let name: String
  let isSet: @Sendable (Asset) -> Bool
  let set: @Sendable (AssetChangeRequest, Bool) -> Void
}

extension CatalogCommand {
  fileprivate func put(
    _ mark: Mark, _ isOn: Bool, on photos: [String], in library: PhotoLibrary, on console: Console
  ) async throws -> ExitCode {
    let named = try NamedAssets(photos, in: library)
    let due = named.assets.filter { mark.isSet($0) != isOn }
    if !due.isEmpty {
      try await library.performChanges {
        for asset in due { mark.set(AssetChangeRequest(for: asset), isOn) }
      }
    }
    let state = isOn ? mark.name : "not \(mark.name)"
    return try report(named.items.map(\.name), on: console) { index in
      let asset = try named.items[index].found.get()
      return mark.isSet(asset) == isOn
        ? asset.result("unchanged", "unchanged, it is \(state) already")
        : asset.result("changed", "\(state) now")
    }
  }
}
