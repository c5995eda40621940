import Glibc
import PhotoEditing
import PhotoLibraryKit
import SafelightArguments
import SafelightEditServer
import SafelightFiles

/// `edit serve`: shows photos in a browser, and serves them to programs.
struct ServeCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Look at photos and edit them in a browser, or from programs.",
    discussion: """
      Prints an address with a token in it. A browser that opens the address shows the page; programs send \
      the token as “Authorization: Bearer” and find the interface described under /v1/openapi.json.

      Serves the photos of folders, without any the current one, or those of a library. What is known of \
      the photos of folders, such as albums and favorites, is kept in $XDG_DATA_HOME/safelight/served or in \
      ~/.local/share/safelight/served. Edits are where they always are, beside the photos.

      Only this machine can connect, unless --listen names an address of it; what goes over a network then \
      is not encrypted, so put a proxy with TLS before it. Only files below the folders are read, and photos \
      are decoded in processes without rights. Ctrl-C or SIGTERM ends it after what is being done.

      With --read-only nothing is written: no edit, and nothing in the folder of a library that is named, no \
      thumbnail either. Such a library is shown as it is, and changes that others make to it are followed.

      Example:
        edit serve holiday
        edit serve --library ~/catalog --port 8000
        edit serve --read-only --listen 192.168.1.10 --port 8000 holiday
      """)

  @Argument(help: "The folders; the current one without any.", completion: .directory)
  var folders: [String] = []

  @Option(
    help: ArgumentHelp("Serve the photos of this library instead.", valueName: "folder"),
    completion: .directory)
  var library: String?

  @OptionGroup var exclusion: ExclusionOptions

  @Option(help: ArgumentHelp("Listen on this address of the machine.", valueName: "address"))
  var listen = "127.0.0.1"

  @Option(help: "Listen on this port; 0 is a free one.", in: 0...65_535)
  var port = 0

  @Option(
    help: ArgumentHelp(
      "Answer to this name too, as a proxy gives it; again for a second one.", valueName: "name"))
  var host: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keep the token in this file, so that it is the same after a restart; it is made when it is missing.",
      valueName: "file"), completion: .file())
  var tokenFile: String?

  @Flag(help: "Change nothing: only look.")
  var readOnly = false

  @Option(
    help: ArgumentHelp(
      "Take the page's files from this folder, for work on the page.", valueName: "folder"),
    completion: .directory)
  var page: String?

  @OptionGroup var sandbox: SandboxOption

  @Flag(help: "Print JSON: an object with the address, the token and the port.")
  var json = false

  func validate() throws {
    if library != nil, !folders.isEmpty {
      throw ValidationError("Name folders or a library, not both.")
    }
    if library != nil, !exclusion.exclude.isEmpty {
      throw ValidationError(
        "A library remembers what is left out of its folders: say it with “edit library scan --exclude”."
      )
    }
  }

  func run(on console: Console) async throws -> ExitCode {
    // Each connection and each photo in hand is an open file.
    EditCommand.openFiles(atLeast: 4096)
    signal(SIGPIPE, SIG_IGN)
    do {
      try sandbox.check(on: console)
      let photos = try await openLibrary()
      for text in photos.recoveryNotes { console.message("edit: \(text)".onOneLine) }
      if let problem = photos.imageCacheProblem {
        console.message("edit: Thumbnails are not kept: \(problem).".onOneLine)
      }
      var settings = ServerSettings()
      (settings.address, settings.port, settings.hosts) = (listen, port, host)
      (settings.isReadOnly, settings.isLibrary) = (readOnly, library != nil)
      settings.page = page.map { FilePath(argument: $0) }
      settings.token = try tokenFile.map { try TokenFile(FilePath(argument: $0)).token() }
      let server = try await PhotoServer(photos, settings, words: CommandLineWords())
      say(server, on: console)
      await server.run()
      await photos.finishExport()
      return .success
    } catch  where error is SystemFailure || error is FileSystemError {
      console.message("edit: \(error)".onOneLine)
      return .failure
    } catch let error as RenderError {
      return console.fail(SandboxOption.failure(error))
    } catch {
      return try console.fail(error, json: json)
    }
  }

  private func say(_ server: PhotoServer, on console: Console) {
    if !Self.isLoopback(listen) {
      console.message(
        "edit: Other machines can connect to \(listen): whoever has the token sees the photos"
          + (readOnly ? "" : " and edits them")
          + ", and whoever sees the network's traffic has the token. Put a proxy with TLS before it."
      )
    }
    guard json else {
      console.result(server.address)
      console.message(
        "edit: Open this address in a browser. Ctrl-C ends it."
          + (readOnly ? " Nothing can be changed." : ""))
      return
    }
    console.result(
      JSONValue.object([
        "address": server.address, "token": server.token, "port": server.port, "readOnly": readOnly,
      ]).text)
  }

  /// Whether only this machine reaches an address.
  static func isLoopback(_ address: String) -> Bool {
    address.hasPrefix("127.") || address == "::1" || address == "localhost"
  }

  /// The library that was named, or the one that is kept for the folders.
  private func openLibrary() async throws -> PhotoLibrary {
    if let library {
      var location = LibraryLocation()
      location.library = library
      return try location.open(readOnly: readOnly)
    }
    let paths = try (folders.isEmpty ? ["."] : folders).map { word in
      let path = FilePath(argument: word)
      guard let folder = FileSystem.real.folder(at: path) else {
        throw PhotoLibraryError.invalidResource(path, detail: "It is no folder that can be read.")
      }
      return folder
    }
    let library = try PhotoLibrary(at: ServedLibrary(of: paths).folder)
    // The server takes the photos in while it answers already.
    try await library.addFolders(paths, excluding: exclusion.rules)
    return library
  }
}

/// The library that is kept for folders that are served.
private struct ServedLibrary {
  /// Called after the folders, so that the same folders have the same library.
  let folder: FilePath

  init(of folders: [FilePath]) {
    let bytes = Set(folders).sorted(by: <).reduce(into: [UInt8]()) { $0 += $1.bytes + [0] }
    let name = SHA256.digest(of: bytes).description.prefix(24)
    folder = CommandSurroundings.libraryFolder.removingLastComponent()
      .appending("served").appending(FilePath(String(name)))
  }
}

/// A file with the token of a server, which only its owner may read.
struct TokenFile {
  let path: FilePath

  init(_ path: FilePath) { self.path = path }

  /// The token in the file; makes the file when it is missing.
  ///
  /// - Throws: `FileSystemError`, `ValidationError` when others may read it, know it or guess it, or it holds no token.
  func token() throws -> String {
    let files = FileSystem.real
    guard try files.statusFollowingLinks(of: path) != nil else {
      let token = PhotoServer.makeToken()
      let parent = path.removingLastComponent()
      let folder = try Folder(parent.isEmpty ? "." : parent)
      let file = try folder.create(path.lastComponent ?? path, mode: 0o600)
      try files.write(Array((token + "\n").utf8), to: file)
      return token
    }
    // The file that is open is the one that is asked about, whatever has the name meanwhile.
    let file = try files.openForReading(path)
    let status = try files.status(of: file)
    guard status.kind == .file else { throw ValidationError("\(path) is no file.") }
    guard status.owner == geteuid() else {
      throw ValidationError(
        "\(path) belongs to another user, who knows the token. Choose a file of your own.")
    }
    guard status.mode & 0o077 == 0 else {
      throw ValidationError("\(path) may be read by others; “chmod 600” it.")
    }
    let bytes = try files.contents(of: file, limit: 1024)
    let token = String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
    // It stands in an address and in a cookie as it is.
    let isPlain = token.utf8.allSatisfy { byte in
      let letter = Character(Unicode.Scalar(byte))
      return letter.isASCII && (letter.isLetter || letter.isNumber || "-._~".contains(letter))
    }
    guard token.utf8.count >= 32, isPlain else {
      throw ValidationError(
        "\(path) holds no token of at least 32 letters, digits, “-”, “.”, “_” and “~”.")
    }
    guard Set(token.utf8).count >= 8 else {
      throw ValidationError(
        "\(path) holds a token that is easily guessed. Remove the file: a good one is made then.")
    }
    return token
  }
}
