import PhotoLibraryKit
import SafelightArguments

/// `edit library favorite`: marks photos as favorites.
struct FavoriteCommand: MarkingCommand {
  static let mark = Mark(
    name: "favorite", isSet: { $0.isFavorite }, set: { $0.isFavorite = $1 })
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
}

/// `edit library hide`: leaves photos out of what is listed.
struct HideCommand: MarkingCommand {
  static let mark = Mark(name: "hidden", isSet: { $0.isHidden }, set: { $0.isHidden = $1 })
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
}

/// Something that is true or not of a photo.
struct Mark: Sendable {
  let name: String
  let isSet: @Sendable (Asset) -> Bool
  let set: @Sendable (AssetChangeRequest, Bool) -> Void
}

/// A command that puts a mark on photos, or takes it away.
protocol MarkingCommand: CatalogCommand {
  static var mark: Mark { get }
  var photos: [String] { get }
  /// Whether the mark is taken away.
  var off: Bool { get }
}

extension MarkingCommand {
  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let (mark, isOn) = (Self.mark, !off)
    let state = isOn ? mark.name : "not \(mark.name)"
    let change = AssetChange(
      isDue: { mark.isSet($0) != isOn }, status: "changed", done: "\(state) now",
      already: "\(state) already",
      make: { assets in
        for asset in assets { mark.set(AssetChangeRequest(for: asset), isOn) }
      })
    return try await perform(
      change, on: NamedAssets(photos, in: library), in: library, on: console)
  }
}
