import Glibc
import PhotoEditing
import PhotoLibraryKit
import SafelightArguments
import SafelightFiles

/// `edit completions`: prints what makes a shell complete the command lines of `edit`.
struct CompletionsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print a script that completes command lines in a shell.",
    discussion: """
      The script completes commands, options, filters and photos with the tab key. To install it, \
      for bash with the package bash-completion, then without:
        edit completions bash > ~/.local/share/bash-completion/completions/edit
        echo 'source <(edit completions bash)' >> ~/.bashrc

      For zsh, in a folder of $fpath, or after compinit:
        edit completions zsh > "${fpath[1]}/_edit"
        echo 'source <(edit completions zsh)' >> ~/.zshrc

      For fish:
        edit completions fish > ~/.config/fish/completions/edit.fish

      Example:
        edit completions bash
        edit completions fish > ~/.config/fish/completions/edit.fish
      """)

  @Argument(help: "The shell.")
  var shell: CompletionShell

  @Flag(help: .hidden)
  var answer = false

  /// What a script asks about.
  @Argument(help: .hidden)
  var question: [String] = []

  func run(on console: Console) async throws -> ExitCode {
    guard answer else {
      if !question.isEmpty { throw UsageError.unexpectedArguments(question) }
      console.result(
        EditCommand.completionScript(
          for: shell, request: "completions \(shell.rawValue) --answer"))
      return .success
    }
    let rows = await EditCommand.completionAnswer(to: question, for: shell) { name in
      getenv(name).map { String(cString: $0) }
    }
    console.result(rows)
    return .success
  }
}

extension CompletionKind {
  /// Photos, by the endings of their names. Renders and base photos are offered when nothing else is.
  static let photos = file(extensions: endings, ignoring: renders)

  /// Photos, and the sidecars of their edits.
  static let photosAndSidecars = file(
    extensions: endings + ["aae"], ignoring: renders)

  private static let renders = ["_edited.jpg", "_edited-*.jpg", "_base.jpg"]

  private static let endings = [
    "jpg", "jpeg", "jpe", "png", "tif", "tiff", "webp", "heic", "heif", "hif", "avif",
  ]

  /// Filters by name, shipped and the user's own.
  static let filters = custom { _, _, _ in filterCandidates(Filter.shipped) + ownFilters }

  /// Filters by name, and the files that may stand in their place.
  static let filtersAndFiles = anyOf([filters, file(extensions: ["cube", "json", "png", "tif"])])

  /// The filters that the user saved.
  static let userFilters = custom { _, _, _ in ownFilters }

  /// Adjustments by id or by an option of `edit adjust`.
  static let adjustments = custom { _, _, _ in
    AdjustmentDescription.all.map { adjustment in
      CompletionCandidate(adjustment.id, adjustment.summary, section: adjustment.group.rawValue)
    }
  }

  /// Ids of adjustments with commas between, none twice.
  static let adjustmentList = custom { _, _, typed in
    let ids = typed.split(separator: ",", omittingEmptySubsequences: false).dropLast()
    let start = ids.map { $0 + "," }.joined()
    return AdjustmentDescription.all.filter { !ids.contains(Substring($0.id)) }.map { adjustment in
      CompletionCandidate(
        start + adjustment.id, adjustment.summary, section: adjustment.group.rawValue)
    }
  }

  private static var ownFilters: [CompletionCandidate] {
    // A folder that cannot be read offers nothing; “edit filters” says why.
    filterCandidates((try? CommandSurroundings.userFilters.list())?.filters ?? [], "own filters")
  }

  private static func filterCandidates(
    _ filters: [Filter], _ section: String = "filters"
  ) -> [CompletionCandidate] {
    filters.map { CompletionCandidate($0.name, $0.summary, section: section) }
  }
}

extension CompletionKind {
  /// The named versions of the photos on the line; while there are none, of those in this folder.
  static let versions = custom { words, _, _ in
    var named = words.dropFirst().map { FilePath(argument: $0) }.filter(\.hasSidecar)
    if named.isEmpty { named = FilePath.editedHere }
    // A shell that waits for a locked photo would seem to hang.
    var configuration = PhotoEditor.Configuration()
    configuration.lockTimeout = .milliseconds(100)
    let editor = PhotoEditor(configuration)
    var found: [CompletionCandidate] = []
    for photo in named {
      for version in (try? await editor.versions(of: Photo(path: photo))) ?? [] {
        if found.contains(where: { $0.word == version.name }) { continue }
        found.append(
          CompletionCandidate(
            version.name, version.stack?.summary ?? "another program's edit", section: "versions"))
      }
    }
    return found
  }
}

extension FilePath {
  /// Photos in the current folder that have a sidecar; at most 100, so that a shell need not wait.
  fileprivate static var editedHere: [FilePath] {
    let names = (try? FileSystem.real.names(in: "")) ?? []
    return names.filter { $0.extension == "aae" }.sorted { $0 < $1 }.prefix(100).compactMap(\.stem)
  }

  /// Whether a file of the path's name with a sidecar's ending is there.
  var hasSidecar: Bool { suffixed(".aae").leadsSomewhere }
}

extension CompletionKind {
  /// The albums of the library that the words name, or of the usual one.
  static let albums = custom { words, _, _ in
    guard let albums = albums(words) else { return [] }
    let own = albums.entries.compactMap { entry -> CompletionCandidate? in
      guard let album = entry.collection as? AssetCollection else { return nil }
      return candidate(album, entry.folders)
    }
    return own + albums.smartAlbums.map { candidate($0, []) }
  }

  /// The folders of albums.
  static let albumFolders = custom { words, _, _ in
    (albums(words)?.entries ?? []).compactMap { entry in
      guard let list = entry.collection as? CollectionList else { return nil }
      return CompletionCandidate(list.localizedTitle, section: "folders")
    }
  }

  /// The programs that have asked for the library.
  static let clients = custom { words, _, _ in
    ((try? library(words)?.clients()) ?? []).map {
      CompletionCandidate($0.identifier, $0.usageDescription ?? "", section: "programs")
    }
  }

  /// What photos can be sorted by.
  static let sortKeys = list(
    [
      "creationDate", "localDate", "modificationDate", "addedDate", "filename", "path", "title",
      "rating", "pixelWidth", "pixelHeight", "favorite", "camera", "lens", "iso", "exposureTime",
      "aperture", "focalLength",
    ].flatMap { [$0, $0 + ":descending"] })

  /// The library that the words name; `nil` when it cannot be read. The command itself says why.
  private static func library(_ words: [String]) -> PhotoLibrary? {
    let named = words.first { $0.hasPrefix("--library=") }.map { [$0] }
    let separate = words.firstIndex(of: "--library").map { words[$0...].prefix(2) } ?? []
    let location = try? LibraryLocation.parse(named ?? Array(separate))
    return try? location?.openToRead()
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
