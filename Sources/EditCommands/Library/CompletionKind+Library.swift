import PhotoLibraryKit
import SafelightArguments

extension CompletionKind {
  /// The albums of the library that the words name, or of the usual one.
  static let albums = custom { words, _, _ in
    guard let albums = albums(words) else { return [] }
    let own = albums.entries.compactMap { entry -> CompletionCandidate? in
      guard case .album(let album) = entry.collection else { return nil }
      return candidate(album, entry.folders)
    }
    return own + albums.smartAlbums.map { candidate($0, []) }
  }

  /// The folders of albums.
  static let albumFolders = custom { words, _, _ in
    (albums(words)?.entries ?? []).compactMap { entry in
      guard case .list(let list) = entry.collection else { return nil }
      return CompletionCandidate(list.localizedTitle, section: "folders")
    }
  }

  /// The programs that have asked for the library.
  static let clients = custom { words, _, _ in
    ((try? library(words)?.clients()) ?? []).map {
      CompletionCandidate($0.client, $0.usageDescription ?? "", section: "programs")
    }
  }

  /// What photos can be sorted by.
  static let sortKeys = list(
    [
      "creationDate", "modificationDate", "addedDate", "filename", "path", "pixelWidth",
      "pixelHeight", "favorite", "camera",
    ].flatMap { [$0, $0 + ":descending"] })

  /// What cannot be read offers nothing; the command itself says why.
  private static func library(_ words: [String]) -> PhotoLibrary? {
    let named = words.first { $0.hasPrefix("--library=") }.map { [$0] }
    let separate = words.firstIndex(of: "--library").map { words[$0...].prefix(2) } ?? []
    let location = try? LibraryLocation.parse(named ?? Array(separate))
    return try? location?.open()
  }

  private static func albums(_ words: [String]) -> Albums? {
    library(words).flatMap { try? Albums(of: $0) }
  }

  private static func candidate(
    _ album: AssetCollection, _ folders: [String]
  ) -> CompletionCandidate {
    CompletionCandidate(
      album.localizedTitle, album.estimatedAssetCount.map { counted($0, "photo") } ?? "",
      section: "albums")
  }
}
