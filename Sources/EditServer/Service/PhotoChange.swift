import PhotoEditing
import SafelightFiles

/// A change of one photo's edit, as a request names it: alone, or one of many in a job.
struct PhotoChange: Sendable {
  /// What is done, in order; several are one step of the history.
  let operations: [EditOperation]
  var dryRun = false
  var quality: Int?
  /// Whether the video of a Live Photo or motion photo stays without the edit.
  var noVideo = false
  /// The revision that the change is based on; `nil` is whatever there is.
  var revision: String?

  /// Does it, and says what was done in the words of `--json`.
  ///
  /// - Throws: ``EditError``; with ``EditError/inputOutdated(_:)`` the photo has another revision.
  func perform(
    on photo: Photo, words: any ServerWords
  ) async throws(EditError) -> [JSONValue.Member] {
    let editor = PhotoEditor(.rendering(noVideo: noVideo))
    let going = try await goingFiles(of: photo, editor)
    let result = try await editor.perform(
      operations, on: photo, quality: quality, dryRun: dryRun, requiring: revision)
    return words.result(result, of: photo.path, dryRun: dryRun) + going
  }

  /// For a dry run of a revert, the files that it would remove.
  private func goingFiles(
    of photo: Photo, _ editor: PhotoEditor
  ) async throws(EditError) -> [JSONValue.Member] {
    guard dryRun, let revert = operations.first?.action as? EditActions.Revert else { return [] }
    let resources = try await editor.state(of: photo).resources.filter { resource in
      switch resource.type {
      case .photo, .pairedVideo: false
      case .fullSizePhoto: !revert.keepRender
      case .alternatePhoto: revert.versions
      case .fullSizePairedVideo, .adjustmentData, .adjustmentBasePhoto: true
      }
    }
    let json = resources.map { resource in
      JSONValue.object([
        "type": .string(resource.type.rawValue), "path": .string(resource.path.string),
        "contentType": .string(resource.contentType),
      ])
    }
    return [.init("resources", .array(json))]
  }
}

extension EditOperationDescription {
  /// The last part of the operation's address below a photo.
  var address: String { Self.addresses[name] ?? name }

  /// Whether the operation has an address that is made from its name. A version's name is part of an address.
  var hasOwnAddress: Bool {
    ![EditActions.UseVersion.id, EditActions.RemoveVersion.id].contains(name)
  }

  /// Addresses that also list what they change.
  private static let addresses = ["go-to-step": "history", "save-version": "versions"]
}

extension EditOperationDescription {
  /// The operation that a request means. Where parts of an edit are set, the whole is taken too.
  func meant(by body: JSONBody) -> EditOperationDescription {
    guard name == EditActions.Adjust.id, body.has("adjustments") else { return self }
    return EditOperation.all.first { $0.name == EditActions.Replace.id } ?? self
  }
}

extension PhotoService {
  /// Reads the change that a request asks for.
  ///
  /// - Parameter body: The parameters of the operation, and how it is performed.
  func change(_ operation: EditOperationDescription, _ body: JSONBody) async throws -> PhotoChange {
    let operation = operation.meant(by: body)
    let members = (body.json.members ?? []).filter {
      !["revision", "dryRun", "quality", "noVideo"].contains($0.key)
    }
    return try change([try await made(operation.name, members)], body)
  }

  /// Reads how operations are performed.
  func change(_ operations: [EditOperation], _ body: JSONBody) throws(ServerError) -> PhotoChange {
    PhotoChange(
      operations: operations, dryRun: try body.truth("dryRun") ?? false,
      quality: try body.integer("quality"), noVideo: try body.truth("noVideo") ?? false,
      revision: try body.text("revision", atMost: 100))
  }

  /// An operation whose names mean what they mean on this server: filters are those that ship and the user's own, and
  /// photos have identifiers. No name leads to a file, but the place that a photo had in the served folders.
  func made(_ name: String, _ members: [JSONValue.Member]) async throws -> EditOperation {
    let operation: EditOperation
    do throws(OperationError) {
      operation = try EditOperation(name, members)
    } catch {
      throw ServerError(error)
    }
    if let copy = operation.action as? EditActions.Copy, let from = copy.from {
      return EditOperation(try await copy.copying(from: photos.photo(from.argument).path))
    }
    if let save = operation.action as? EditActions.SaveVersion, save.from != nil {
      throw ServerError.badRequest(
        "“from” names a file, which no request can; merge-edits keeps such edits.")
    }
    return try await operation.resolved(by: names)
  }

  private var names: EditNames {
    EditNames(
      filter: { [words] name throws(EditError) in try words.filter(named: name) },
      file: { [photos] name throws(EditError) in try photos.formerPath(FilePath(argument: name)) })
  }
}

extension ServerWords {
  /// A filter by its name. Names lead to no files but those of the user's filters.
  func filter(named name: String) throws(EditError) -> Filter {
    guard Filter.isValidName(name) else { throw .unknownFilter(name) }
    return try Filter.named(name, userFilters: userFilters)
  }
}

extension ServerError {
  /// What is said of a request that is no operation.
  init(_ error: OperationError) {
    if let (name, names) = error.unknownName {
      self = .unknownName(error.description, name: name, among: names)
    } else {
      self = .badRequest(error.description)
    }
  }
}
