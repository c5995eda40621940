import PhotoLibraryKit
import SafelightArguments

/// `edit library rebuild`: makes a library's catalog anew.
struct RebuildCommand: CatalogCommand {
  static let isForOwner = true
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Make the catalog anew from its export and the folders.",
    discussion: """
      For a catalog that is damaged or gone. Albums, favorites, hidden photos, the trash and \
      consent are read from the JSON beside it, everything else from the photos. The old catalog \
      is kept as “catalogue.before-rebuild.sqlite”. No other program may use the library meanwhile. \
      When the export is gone too, name the folders with photos.

      Example:
        edit library rebuild
        edit library rebuild Photos
      """)

  @Argument(help: "Further folders to take in.", completion: .directory)
  var folders: [String] = []

  @OptionGroup var options: LibraryOptions

  func run(on console: Console) async throws -> ExitCode {
    try await reporting(on: console) {
      let folder = options.location.folder
      if PhotoLibrary.presence(at: folder) == .nothing {
        throw PhotoFailure.noLibrary(folder, isNamed: options.location.library != nil)
      }
      try bringExportUpToDate(folder)
      return try await run(in: try await PhotoLibrary.rebuild(at: folder), on: console)
    }
  }

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    if !folders.isEmpty { try await library.add(folders.map { FilePath(argument: $0) }) }
    let photos = try library.fetchAssets().count
    if try await library.folders.isEmpty {
      note("The library has no folders. Add some with “edit library add”.", on: console)
    }
    let json = JSONValue.object([
      .init("library", .string(library.path.string)), .init("status", .string("rebuilt")),
      .init("photos", .number(Double(photos))),
    ])
    print(json, ["\(library.path): rebuilt, it has \(counted(photos, "photo"))"], on: console)
    return .success
  }

  /// Opening a catalog that can be read writes what its export lacks.
  private func bringExportUpToDate(_ folder: FilePath) throws {
    guard PhotoLibrary.presence(at: folder) == .catalog else { return }
    do {
      let library = try PhotoLibrary(at: folder)
      if let problem = library.exportProblem {
        throw PhotoFailure(
          code: "export-unreadable",
          message: "The export cannot be brought up to date: \(problem).",
          hint: "“edit library verify --fix” writes it anew from the catalog, which can be read.")
      }
    } catch PhotoLibraryError.damagedCatalog {
      // That is what a rebuild is for.
    }
  }
}
