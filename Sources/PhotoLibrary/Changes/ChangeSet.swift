import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightFiles
import Synchronization

/// Collects the changes that the requests of one `performChanges` block ask for, in their order.
final class ChangeSet: Sendable {
  @TaskLocal private static var innermost: ChangeSet?

  private struct State {
    var changes: [RequestedChange] = []
    var isOpen = true
    var requests = 0
    var refusal: PhotoLibraryError?
  }

  /// The file of the library's catalog.
  let library: FilePath
  private let state = Mutex(State())

  private init(_ library: FilePath) { self.library = library }

  // A task that the block starts inherits the task-local value, but is no part of the block.
  private let thread = pthread_self()

  /// The change set of the running block; `nil` outside of blocks.
  static var current: ChangeSet? {
    guard let set = innermost, set.thread == pthread_self(), set.state.withLock(\.isOpen) else {
      return nil
    }
    return set
  }

  /// The change set of the running block; ends the program outside of blocks.
  static func required(by request: String) -> ChangeSet {
    guard let current else {
      preconditionFailure("\(request) is used outside of a performChanges block")
    }
    return current
  }

  /// Runs a block and collects its changes.
  ///
  /// - Parameter library: The file of the library's catalog.
  /// - Returns: What the block returned, and the changes that it asked for or the reason why they are not
  ///   possible.
  static func collect<Value, Failure: Error>(
    for library: FilePath, _ changes: () throws(Failure) -> Value
  ) throws(Failure) -> (Value, Result<[RequestedChange], PhotoLibraryError>) {
    precondition(current == nil, "performChanges is called inside a performChanges block")
    let set = ChangeSet(library)
    defer { set.state.withLock { $0.isOpen = false } }
    let value = try $innermost.withValue(set) {
      do throws(Failure) { return Result<Value, Failure>.success(try changes()) } catch {
        return .failure(error)
      }
    }.get()
    let outcome = set.state.withLock { state -> Result<[RequestedChange], PhotoLibraryError> in
      state.refusal.map { .failure($0) } ?? .success(state.changes)
    }
    return (value, outcome)
  }

  /// Lets the change set fail after its block; the first reason counts.
  func refuse(_ error: PhotoLibraryError) {
    state.withLock { $0.refusal = $0.refusal ?? error }
  }

  /// The identifier of an object; refuses objects of other libraries.
  func identifier(of object: any PhotoLibraryObject) -> String {
    if !object.belongs(to: library) { refuse(.objectOfAnotherLibrary(object.localIdentifier)) }
    return object.localIdentifier
  }

  /// The identifiers of objects; refuses objects of other libraries.
  func identifiers(of objects: [any PhotoLibraryObject]) -> [String] {
    objects.map { identifier(of: $0) }
  }

  func append(_ request: RequestedChange) {
    state.withLock { state in
      precondition(state.isOpen, "a change request is used after its performChanges block")
      state.changes.append(request)
    }
  }

  /// A number that no other request of the set has.
  func nextRequest() -> Int {
    state.withLock { state in
      state.requests += 1
      return state.requests
    }
  }
}

/// One change of a change set.
enum RequestedChange: Sendable {
  case asset(String, RequestedAssetChange)
  case createAsset(String)
  case addResource(String, NewResource)
  case trash([String])
  case restore([String])
  case emptyTrash
  case createCollection(String, title: String, isList: Bool)
  case rename(String, title: String, isList: Bool)
  case arrange(ContainerArrangement)
  case deleteCollections([String], isList: Bool)
}

/// A change of one asset.
enum RequestedAssetChange: Sendable {
  case favorite(Bool)
  case hidden(Bool)
  case creationDate(Date?)
  case location(Asset.Location?)
  case edit(ContentEditingOutput)
  case revert
}

/// A file of a creation request.
struct NewResource: Sendable {
  enum Source: Sendable {
    case file(FilePath)
    case data(Data)
  }

  let type: AssetResource.ResourceType
  let source: Source
  let originalFilename: String?
  let shouldMoveFile: Bool

  init(
    type: AssetResource.ResourceType, source: Source, _ options: AssetResourceCreationOptions?
  ) {
    (self.type, self.source) = (type, source)
    originalFilename = options?.originalFilename
    shouldMoveFile = options?.shouldMoveFile ?? false
  }
}

/// A change of the order of an album's assets, or of a list's albums and lists.
struct ContainerArrangement: Sendable {
  /// An album or a list; `nil` for the top level.
  let container: String?
  let isList: Bool
  /// The request's number: an anchored request has positions of its own.
  let request: Int
  /// The rows in which positions count; `nil` for the rows at the time of the change.
  let anchor: ContiguousArray<Int64>?
  let arrangement: Arrangement<String>
}
