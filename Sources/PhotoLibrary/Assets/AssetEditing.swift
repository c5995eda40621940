import FoundationEssentials
import PhotoEditing
import SafelightFiles

/// What a program may do with an asset; the numbers are PhotoKit's.
public enum AssetEditOperation: Int, Sendable, Hashable, CaseIterable, Codable {
  /// Put it into the trash.
  case delete = 1
  /// Give it an edit, or drop its edit.
  case content = 2
  /// Make it a favorite, hide it, set its date and place.
  case properties = 3
}

/// The number of a request for an editing input.
public typealias ContentEditingInputRequestID = Int

/// What a request for an editing input gives besides the input.
public struct ContentEditingInputRequestInfo: Sendable {
  /// The request.
  public let requestID: ContentEditingInputRequestID
  /// Why there is no input; `nil` when there is one.
  public let error: PhotoLibraryError?

  /// Whether there is no input because the request was cancelled.
  public var isCancelled: Bool { error == .userCancelled }
}

extension Asset {
  /// Whether the program may change the asset in some way now.
  ///
  /// The disk must allow it: an edit needs a folder that may be written, everything else a catalog that may be
  /// written. And the client that fetched the asset must have access to it, which the user may have withdrawn
  /// since; without an open library of that client it has none. Nobody is asked.
  public func canPerform(_ operation: AssetEditOperation) -> Bool {
    guard isOpenToReader else { return false }
    switch operation {
    case .content:
      guard path.leadsSomewhere else { return false }
      return FileSystem.real.mayWrite(in: path.placeOfPhoto.removingLastComponent())
    case .delete, .properties:
      guard let library else { return false }
      return FileSystem.real.mayWrite(in: library.removingLastComponent())
    }
  }

  /// Whether the client that fetched the asset may see and change it now.
  private var isOpenToReader: Bool {
    guard !reader.identifier.isEmpty else { return true }
    return (try? readersLibrary?.snapshots.now().lets(changing: localIdentifier)) ?? false
  }

  /// A library of the client that fetched the asset; `nil` when it has none open, or for the owner.
  private var readersLibrary: PhotoLibrary? {
    guard let library, !reader.identifier.isEmpty else { return nil }
    return OpenLibraries.all.library(of: library, for: reader.identifier)
  }

  /// Hands out what an edit of the asset starts from.
  ///
  /// ```swift
  /// let input = try await asset.contentEditingInput()
  /// let output = ContentEditingOutput(contentEditingInput: input)
  /// output.adjustmentData = data
  /// try render(input.fullSizeImageURL).write(to: output.renderedContentURL)
  /// try await library.performChanges {
  ///   AssetChangeRequest(for: asset).contentEditingOutput = output
  /// }
  /// ```
  /// - Parameter options: Which earlier edits the caller can go on from; `nil` is none.
  /// - Throws: ``PhotoLibraryError/editing(_:)``, ``PhotoLibraryError/userCancelled`` with its task, or
  ///   ``PhotoLibraryError/accessUserDenied`` and the like when the user no longer allows the client to see the
  ///   asset. Only a library that the client still has open is asked.
  public func contentEditingInput(
    with options: ContentEditingInputRequestOptions? = nil
  ) async throws(PhotoLibraryError) -> ContentEditingInput {
    try await editing { editor throws(EditError) in
      try await editor.contentEditingInput(for: photo, options: options)
    }
  }

  /// The asset as a Live Photo.
  ///
  /// - Parameter showsEdit: Whether with its edit, where it has one.
  /// - Returns: `nil` for an asset without a video.
  /// - Throws: ``PhotoLibraryError``, as for an editing input.
  public func livePhoto(showsEdit: Bool = true) async throws(PhotoLibraryError) -> LivePhoto? {
    try await editing { editor throws(EditError) in
      try await editor.livePhoto(of: photo, showsEdit: showsEdit)
    }
  }

  /// Asks an editor about the photo, where the client may still see it.
  private func editing<Result>(
    _ body: (PhotoEditor) async throws(EditError) -> Result
  ) async throws(PhotoLibraryError) -> Result {
    if Task.isCancelled { throw .userCancelled }
    try readersLibrary?.checkVisibility(of: localIdentifier)
    do throws(EditError) {
      return try await body(PhotoEditor())
    } catch {
      throw PhotoLibraryError(error)
    }
  }

  /// Asks for what an edit of the asset starts from, and calls a handler with it.
  ///
  /// - Parameters:
  ///   - options: Which earlier edits the caller can go on from; `nil` is none.
  ///   - completionHandler: Called once, on any thread, with the input or the reason why there is none.
  /// - Returns: The request's number, for ``cancelContentEditingInputRequest(_:)``.
  @discardableResult
  public func requestContentEditingInput(
    with options: ContentEditingInputRequestOptions?,
    completionHandler:
      @escaping @Sendable (ContentEditingInput?, ContentEditingInputRequestInfo) -> Void
  ) -> ContentEditingInputRequestID {
    // The values at the call.
    let options = ContentEditingInputRequestOptions(
      canHandleAdjustmentData: options?.canHandleAdjustmentData)
    let requests = RunningRequests.forInputs
    let id = requests.newID()
    let number = ContentEditingInputRequestID(id)
    requests.begin(id) {
      Task {
        do throws(PhotoLibraryError) {
          let input = try await contentEditingInput(with: options)
          if Task.isCancelled { throw .userCancelled }
          completionHandler(input, ContentEditingInputRequestInfo(requestID: number, error: nil))
        } catch {
          completionHandler(nil, ContentEditingInputRequestInfo(requestID: number, error: error))
        }
        requests.remove(id)
      }
    }
    return number
  }

  /// Cancels a request for an editing input. Its handler gets ``PhotoLibraryError/userCancelled``, unless it
  /// was called before.
  public func cancelContentEditingInputRequest(_ requestID: ContentEditingInputRequestID) {
    Int32(exactly: requestID).map(RunningRequests.forInputs.cancel)
  }
}

extension ContentEditingOutput {
  /// Prepares the edit of an asset that the same change set creates.
  ///
  /// ```swift
  /// try await library.performChanges {
  ///   let request = AssetCreationRequest.creationRequestForAsset(fromImageAt: "beach.jpg")
  ///   let output = ContentEditingOutput(
  ///     placeholderForCreatedAsset: request.placeholderForCreatedAsset)
  ///   output.adjustmentData = data
  ///   try jpeg.write(to: output.renderedContentURL)
  ///   request.contentEditingOutput = output
  /// }
  /// ```
  /// - Parameters:
  ///   - placeholder: Of the creation request that gets the output.
  ///   - editorBundleIdentifier: The program that makes the edit, in reverse DNS order.
  public convenience init(
    placeholderForCreatedAsset placeholder: ObjectPlaceholder,
    editorBundleIdentifier: String = "org.safelight.edit"
  ) {
    self.init(
      createdPhoto: placeholder.localIdentifier, editorBundleIdentifier: editorBundleIdentifier)
  }
}
