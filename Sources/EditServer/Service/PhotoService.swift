import PhotoEditing
import PhotoLibraryKit
import SafelightFiles
import Synchronization

/// What the server does: the photos, their pictures and edits, jobs and events. Knows requests and answers, but
/// nothing of connections.
final class PhotoService: Sendable {
  let library: PhotoLibrary
  let settings: ServerSettings
  let words: any ServerWords
  let photos: ServedPhotos
  let lists: PhotoLists
  let events: Events
  let jobs = Jobs()
  let idempotency = Idempotency()
  private let isIndexing = Atomic(true)
  /// The state of the library before anybody could ask.
  private let begin: PersistentChangeToken

  init(_ library: PhotoLibrary, _ settings: ServerSettings, words: any ServerWords) throws {
    (self.library, self.settings, self.words) = (library, settings, words)
    photos = ServedPhotos(library)
    lists = PhotoLists(library)
    events = Events(settings.limits)
    begin = try library.currentChangeToken
  }

  /// Everything that clients can ask for.
  var routes: [Route] {
    serviceRoutes + photoRoutes + pictureRoutes + editRoutes + jobRoutes + libraryRoutes
      + goneRoutes
  }

  /// The photo that the address of a request names.
  func photo(of call: Call) throws -> ServedPhoto {
    try photos.photo(call.parameter("photo"))
  }

  /// Follows the library until the task is cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.events.follow(self.photos, since: self.begin) }
      group.addTask { await self.index() }
      group.addTask {
        while !Task.isCancelled {
          try? await Task.sleep(for: .seconds(15))
          self.events.keepOpen()
          self.library.pictures.sessions.closeIdle()
        }
      }
    }
  }

  /// Takes in what is in the folders, and from then on what changes there.
  private func index() async {
    // Whoever may change the library keeps it up to date.
    guard !library.isReadOnly else { return isIndexing.store(false, ordering: .relaxed) }
    let folders = (try? await library.folders) ?? []
    _ = try? await library.scan { [events] result in
      events.send("indexing", .object(["done": .integer(result.added + result.updated)]))
    }
    isIndexing.store(false, ordering: .relaxed)
    try? await photos.openFolders()
    events.send("indexing", .object(["done": .integer(0), "ended": .bool(true)]))
    guard !folders.isEmpty, !Task.isCancelled else { return }
    do {
      try await library.startWatching()
    } catch {
      guard !Task.isCancelled else { return }
      // Some network disks cannot be watched, and the kernel watches a limited number of folders.
      words.warn("\(error.description) They are read again every minute.")
      while !Task.isCancelled {
        try? await Task.sleep(for: Self.rereading)
        _ = try? await library.scan()
      }
    }
  }

  /// Ends jobs, after the photos in hand.
  func stopWork() async {
    library.stopWatching()
    library.pictures.sessions.close()
    await jobs.end()
  }

  /// The time between two scans of folders that cannot be watched.
  private static let rereading = Duration.seconds(60)

  /// How long an answer waits for the library to know of a change.
  private static let patience = Duration.milliseconds(250)

  /// Tells clients that the server changed a photo, and refreshes the photo in the library.
  ///
  /// Waits for the refresh for ``patience`` at most: during a scan of many photos it comes after the scan.
  func noteChange(of asset: Asset, _ revision: String) async {
    let (waiting, ended) = AsyncStream.makeStream(of: Bool.self)
    let refreshing = Task {
      let isRefreshed = (try? await library.refresh([asset.path])) != nil
      ended.yield(isRefreshed)
      ended.finish()
      return isRefreshed
    }
    Task {
      try? await Task.sleep(for: Self.patience)
      ended.yield(false)
      ended.finish()
    }
    // The library tells of what it has read itself.
    for await isRefreshed in waiting where !isRefreshed {
      events.tellEarly(asset.localIdentifier, revision)
      break
    }
    // The scan that reads the photo at last is news then.
    Task { if await !refreshing.value { events.forgetEarly(asset.localIdentifier, revision) } }
  }

  // MARK: - Errors

  /// The answer to an error.
  ///
  /// - Parameter methods: What the address takes, for the wrong method.
  func response(to error: any Error, _ methods: [String] = []) -> HTTPResponse {
    let failure = failure(error)
    var response = HTTPResponse(
      status: failure.status, .object(["error": failure.json]))
    switch failure.status {
    case 401: response.fields.append(("WWW-Authenticate", "Bearer realm=\"safelight\""))
    case 405: response.fields.append(("Allow", methods.joined(separator: ", ")))
    case 503: response.fields.append(("Retry-After", "1"))
    default: break
    }
    return response
  }

  /// What is said of an error.
  func failure(_ error: any Error) -> ServerFailure {
    switch error {
    case is SupersededPicture:
      return failure(ServerError.superseded)
    case is CancellationError:
      return failure(PhotoLibraryError.userCancelled)
    case let error as FileSystemError:
      return failure(EditError.fileSystem(path: error.operation.path, error))
    case let error as AdjustmentError:
      return failure(ServerError.badRequest("The adjustments cannot be used: \(error.description)"))
    default:
      return words.failure(error)
        ?? ServerFailure(code: "unexpected", message: "Something unexpected failed.", hint: nil)
    }
  }

  // MARK: - What the server is

  private var serviceRoutes: [Route] {
    [
      .task("service") { [self] _ in HTTPResponse(try description()) },
      .quick("openapi") { _ in
        var response = HTTPResponse(Self.interface, type: "application/json; charset=utf-8")
        response.fields.append(("Cache-Control", "no-cache"))
        return response
      },
      .quick("errors") { [words] _ in HTTPResponse(.object(["errors": .array(words.errors)])) },
      .quick("adjustments") { _ in Self.adjustments },
      .task("filters") { [words] _ in
        let own = try words.userFilters.list().filters
        let all = (Filter.shipped + own).map { filter in
          JSONValue.object(
            (filter.json.compact.members ?? []) + [.init("own", .bool(own.contains(filter)))])
        }
        return HTTPResponse(.object(["filters": .array(all)]))
      },
      .task("saveFilter") { [self] call in try await saveFilter(call) },
      .task("removeFilter") { [self] call in
        let name = call.parameter("filter")
        _ = try words.userFilters.remove(named: name)
        events.send("filters", .object([] as [JSONValue.Member]))
        return HTTPResponse(.object(["status": .string("removed"), "name": .string(name)]))
      },
      .quick("events") { [events] call in
        // A browser sends the header when it connects again by itself, with the address of the first time.
        let after = try call.request["last-event-id"] ?? call.text("after", atMost: 100)
        return HTTPResponse(try events.stream(after: after))
      },
    ]
  }

  private static let interface = SharedBytes(InterfaceDescription.bytes)

  private static let adjustments = tagged(
    .object(["adjustments": .array(AdjustmentDescription.all.map(\.json))]))

  private func description() throws -> JSONValue {
    // First: what changes while the rest is found out is told after it.
    let event = events.last
    return .object([
      "name": .string("safelight"), "version": .string(words.version),
      "renderer": .string(PhotoEditor.rendererVersion), "run": .string(events.run),
      "event": .string(event),
      "readOnly": .bool(settings.isReadOnly), "library": .bool(settings.isLibrary),
      "folders": .array(photos.folders.map { ServedFolder(path: $0).json }),
      "photos": .integer(try library.fetchAssets().counted()),
      "indexing": .bool(isIndexing.load(ordering: .relaxed)),
      "sortKeys": .strings(FetchSortDescriptor.assetKeys),
    ])
  }

  private func saveFilter(_ call: Call) async throws -> HTTPResponse {
    let body = try call.body()
    let name = try body.requiredText("name")
    let photo = try photos.photo(try body.requiredText("from"))
    let saved = try await PhotoEditor().saveFilter(
      named: name, from: photo.photo, title: try body.text("title"),
      summary: try body.text("summary"), in: words.userFilters,
      replacing: try body.truth("replace") ?? false)
    events.send("filters", .object([] as [JSONValue.Member]))
    let members = (saved.filter.json.compact.members ?? []) + [.init("own", .bool(true))]
    return HTTPResponse(status: 201, .object(members))
  }
}
