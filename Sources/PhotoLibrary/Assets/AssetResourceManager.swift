import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightFiles
import Synchronization

extension AssetResource {
  /// The files of an asset that exist: the original first, then the sidecar with the edit, the render, the
  /// base photo, and the renders of versions.
  ///
  /// Only the original when its sidecar cannot be read, and nothing when the original is gone.
  public static func assetResources(for asset: Asset) -> [AssetResource] {
    do {
      return try all(of: asset.path, asset.format, asset: asset.localIdentifier)
    } catch {
      guard asset.path.leadsSomewhere else { return [] }
      return [
        AssetResource(
          type: .photo, path: asset.path, contentType: asset.format.contentType,
          asset: asset.localIdentifier)
      ]
    }
  }
}

/// How a file of an asset is read.
///
/// Options are a reference, as in PhotoKit. A request takes the values that they have at the call.
public final class AssetResourceRequestOptions: Sendable {
  private struct Values {
    var isNetworkAccessAllowed = false
    var progressHandler: (@Sendable (Double) -> Void)?
  }

  private let values = Mutex(Values())

  /// Has no effect: photos are on this computer.
  public var isNetworkAccessAllowed: Bool {
    get { values.withLock { $0.isNetworkAccessAllowed } }
    set { values.withLock { $0.isNetworkAccessAllowed = newValue } }
  }
  /// Called with the share of the bytes that were handed over, 0 to 1, before the data handler's next call.
  public var progressHandler: (@Sendable (Double) -> Void)? {
    get { values.withLock { $0.progressHandler } }
    set { values.withLock { $0.progressHandler = newValue } }
  }

  /// Options without a handler.
  public init() {}
}

/// The number of a request for a resource's bytes.
public typealias AssetResourceDataRequestID = Int32

/// A number that no request has.
public let invalidAssetResourceDataRequestID: AssetResourceDataRequestID = 0

/// Reads the bytes of any file of an asset, as they are on the disk, a piece at a time.
///
/// ```swift
/// let manager = AssetResourceManager.default()
/// for resource in AssetResource.assetResources(for: asset) {
///   try await manager.writeData(for: resource, toFile: backup.appending(resource.originalFilename))
/// }
/// ```
///
/// A file that is replaced meanwhile by another edit is read to its end as it was at the beginning.
public final class AssetResourceManager: Sendable {
  private static let standard = AssetResourceManager()
  private let requests = RunningRequests()

  /// A manager; all managers are alike.
  public init() {}

  /// The manager of this process.
  public static func `default`() -> AssetResourceManager { standard }

  /// The bytes of a file, a piece at a time.
  ///
  /// The file is opened with the first piece that the program takes.
  public func data(
    for resource: AssetResource, options: AssetResourceRequestOptions? = nil
  ) -> AssetResourceData {
    AssetResourceData(resource: resource, progress: options?.progressHandler)
  }

  /// Writes the bytes of a file to another, which appears whole or not at all.
  ///
  /// - Parameters:
  ///   - resource: The file.
  ///   - path: Where the bytes go; no file may have this path.
  ///   - options: Whether progress is told.
  /// - Throws: ``PhotoLibraryError/missingResource(_:)`` when the file is gone,
  ///   ``PhotoLibraryError/notEnoughSpace(_:)``, ``PhotoLibraryError/userCancelled`` with the task, or
  ///   ``PhotoLibraryError/editing(_:)`` when the path is taken or cannot be written.
  public func writeData(
    for resource: AssetResource, toFile path: FilePath,
    options: AssetResourceRequestOptions? = nil
  ) async throws(PhotoLibraryError) {
    let progress = options?.progressHandler
    let path = path.absolute
    try await onDispatchsThread { () throws(PhotoLibraryError) in
      try Self.write(resource, to: path, progress)
    }
  }

  /// Writes the bytes of a file to another by its URL. A URL that is no file URL is an error.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public func writeData(
    for resource: AssetResource, toFile url: URL, options: AssetResourceRequestOptions? = nil
  ) async throws(PhotoLibraryError) {
    try await writeData(for: resource, toFile: Self.path(of: url), options: options)
  }
}

// PhotoKit's form of requests, with handlers and numbers.
extension AssetResourceManager {
  /// Reads the bytes of a file, and calls a handler with one piece after the other.
  ///
  /// - Parameters:
  ///   - resource: The file.
  ///   - options: Whether progress is told.
  ///   - dataReceivedHandler: Called with each piece, in order, one call after the other on a thread of the
  ///     library. The next piece is read when it returns.
  ///   - completionHandler: Called once, after the last piece: with `nil`, or with the ``PhotoLibraryError``
  ///     because of which the bytes are not complete.
  /// - Returns: The request's number, for ``cancelDataRequest(_:)``.
  @discardableResult
  public func requestData(
    for resource: AssetResource, options: AssetResourceRequestOptions?,
    dataReceivedHandler: @escaping @Sendable (Data) -> Void,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) -> AssetResourceDataRequestID {
    let id = requests.newID()
    let progress = options?.progressHandler
    requests.begin(id) {
      Task(executorPreference: ChangeExecutor.shared) { [requests] in
        let failure = Self.failure { () throws(PhotoLibraryError) in
          try Self.read(resource, progress) { dataReceivedHandler($0) }
        }
        requests.remove(id)
        completionHandler(failure)
      }
    }
    return id
  }

  /// Writes the bytes of a file to another, which must not exist, and calls a handler at the end with `nil` or
  /// with a ``PhotoLibraryError``.
  public func writeData(
    for resource: AssetResource, toFile url: URL, options: AssetResourceRequestOptions?,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let (path, progress) = (Self.path(of: url), options?.progressHandler)
    Task(executorPreference: ChangeExecutor.shared) {
      completionHandler(
        Self.failure { () throws(PhotoLibraryError) in
          try Self.write(resource, to: path, progress)
        })
    }
  }

  /// Cancels a request. Its handler gets ``PhotoLibraryError/userCancelled``, unless it has ended.
  public func cancelDataRequest(_ requestID: AssetResourceDataRequestID) {
    requests.cancel(requestID)
  }
}

// MARK: - Reading and writing

extension AssetResourceManager {
  private static func path(of url: URL) -> FilePath {
    (FilePath(fileURL: url) ?? FilePath(url.absoluteString)).absolute
  }

  /// Why some work failed; `nil` when it did not.
  private static func failure(
    of work: () throws(PhotoLibraryError) -> Void
  ) -> PhotoLibraryError? {
    do throws(PhotoLibraryError) { try work() } catch { return error }
    return nil
  }

  /// Reads a resource piece by piece, until the task is cancelled.
  private static func read(
    _ resource: AssetResource, _ progress: (@Sendable (Double) -> Void)?,
    _ body: (Data) throws(PhotoLibraryError) -> Void
  ) throws(PhotoLibraryError) {
    var reader = try ResourceReader(resource)
    while true {
      if Task.isCancelled { throw .userCancelled }
      guard let chunk = try reader.next() else { return }
      try body(chunk)
      progress?(reader.share)
    }
  }

  private static func write(
    _ resource: AssetResource, to path: FilePath, _ progress: (@Sendable (Double) -> Void)?
  ) throws(PhotoLibraryError) {
    let sink = try onDisk(path) { () throws(FileSystemError) in
      try FileSink(in: Folder(path.removingLastComponent()))
    }
    do throws(PhotoLibraryError) {
      try read(resource, progress) { (chunk) throws(PhotoLibraryError) in
        try onDisk(path) { () throws(FileSystemError) in try sink.write([UInt8](chunk)) }
      }
      let isPlaced = try onDisk(path) { () throws(FileSystemError) in
        try sink.place(as: path.lastComponent ?? path, replacing: false)
      }
      guard isPlaced else { throw .editing(.destinationTaken(path, .exists)) }
    } catch {
      sink.discard()
      throw error
    }
  }

  private static func onDisk<Value>(
    _ path: FilePath, _ work: () throws(FileSystemError) -> Value
  ) throws(PhotoLibraryError) -> Value {
    do throws(FileSystemError) { return try work() } catch {
      if error.errno == ENOSPC || error.errno == EDQUOT { throw .notEnoughSpace(path) }
      throw .editing(.fileSystem(path: path, error))
    }
  }
}

/// Reads a resource from its beginning to its end, as it was when it was opened.
private struct ResourceReader: Sendable {
  /// The length of a piece in bytes.
  private static let chunkSize = 1 << 20

  private let file: OpenFile
  private let path: FilePath
  private let isPart: Bool
  private let range: Range<Int64>
  private var offset: Int64

  init(_ resource: AssetResource) throws(PhotoLibraryError) {
    (path, isPart) = (resource.path, resource.byteRange != nil)
    do throws(FileSystemError) {
      file = try FileSystem.real.openForReading(path)
      let size = try FileSystem.real.status(of: file).size
      range = resource.byteRange ?? 0..<size
    } catch {
      guard [ENOENT, ENOTDIR].contains(error.errno) else {
        throw .editing(.fileSystem(path: path, error))
      }
      throw .missingResource("\(resource.assetLocalIdentifier): \(path)")
    }
    offset = range.lowerBound
  }

  /// The share of the bytes that were read, 0 to 1.
  var share: Double {
    range.isEmpty ? 1 : min(Double(offset - range.lowerBound) / Double(range.count), 1)
  }

  /// The next piece; `nil` at the end.
  mutating func next() throws(PhotoLibraryError) -> Data? {
    do throws(FileSystemError) {
      // Of a whole file, what was written behind its end meanwhile belongs to it too.
      let count = isPart ? min(Self.chunkSize, Int(range.upperBound - offset)) : Self.chunkSize
      if count <= 0 { return nil }
      let bytes = try FileSystem.real.bytes(of: file, from: offset, count: count)
      offset += Int64(bytes.count)
      return bytes.isEmpty ? nil : Data(bytes)
    } catch {
      throw .editing(.fileSystem(path: path, error))
    }
  }
}

/// The bytes of a file of an asset, in pieces of up to 1 MiB. Each iteration reads the file again.
///
/// ```swift
/// for try await piece in AssetResourceManager.default().data(for: resource) { hash.update(piece) }
/// ```
public struct AssetResourceData: AsyncSequence, Sendable {
  /// A piece of the file.
  public typealias Element = Data
  /// Why the bytes are not complete.
  public typealias Failure = PhotoLibraryError

  fileprivate let resource: AssetResource
  fileprivate let progress: (@Sendable (Double) -> Void)?

  /// Reads the file.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let data: AssetResourceData
    private var reader: ResourceReader?
    private var isOver = false

    fileprivate init(_ data: AssetResourceData) { self.data = data }

    /// The next piece; `nil` at the end, and after an error.
    ///
    /// - Throws: ``PhotoLibraryError``.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(PhotoLibraryError) -> Data? {
      guard !isOver else { return nil }
      isOver = true
      if Task.isCancelled { throw .userCancelled }
      let (data, reader) = (data, reader)
      let (next, chunk) = try await onDispatchsThread {
        () throws(PhotoLibraryError) -> (ResourceReader, Data?) in
        var reader = if let reader { reader } else { try ResourceReader(data.resource) }
        let chunk = try reader.next()
        return (reader, chunk)
      }
      guard let chunk else { return nil }
      self.reader = next
      isOver = false
      data.progress?(next.share)
      return chunk
    }

    /// The next piece; `nil` at the end, and after an error.
    ///
    /// - Throws: ``PhotoLibraryError``.
    public mutating func next() async throws(PhotoLibraryError) -> Data? {
      try await next(isolation: nil)
    }
  }

  /// Begins to read the file.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
