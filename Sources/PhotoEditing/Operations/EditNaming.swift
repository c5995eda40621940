import SafelightAdjustments
import SafelightFiles
import SafelightFormats
import SafelightStorage

extension EditRequest {
  /// The edit that a text names: a request as JSON, the file of one, a sidecar, a filter, or the file of a filter or a
  /// lookup table.
  ///
  /// A text that begins with `{` is JSON. A file whose name ends with `.aae` is the sidecar of an edited photo, one with
  /// `.json` a request or a filter. Anything else is what `Filter.named(_:userFilters:)` takes.
  ///
  /// - Throws: ``EditError``, which is ``EditError/invalidOperation(_:)`` for JSON that is no request.
  public init(named text: String) throws(EditError) {
    if text.first(where: { !$0.isWhitespace }) == "{" {
      try self.init(parsing: Array(text.utf8))
      return
    }
    let path = FilePath(argument: text)
    switch path.extension?.lowercased() {
    case "aae": self = try Self(sidecar: path)
    case "json":
      let bytes = try Self.contents(of: path, limit: Filter.largestFile)
      // A filter has a name of its own, which no request has.
      let isFilter = (try? JSONValue(parsing: bytes))?["name"] != nil
      if isFilter { fallthrough }
      try self.init(parsing: bytes)
    default:
      var action = EditActions.Apply()
      action.filter = .named(text)
      self.init([EditOperation(action)])
    }
  }

  /// Reads a request from JSON.
  ///
  /// - Throws: ``EditError/invalidOperation(_:)``.
  public init(parsing bytes: some Collection<UInt8>) throws(EditError) {
    guard let json = try? JSONValue(parsing: bytes) else { throw .invalidOperation(.notAnEdit) }
    do {
      try self.init(json: json)
    } catch {
      throw .invalidOperation(error)
    }
  }

  /// The edit in a sidecar.
  private init(sidecar path: FilePath) throws(EditError) {
    let bytes = try Self.contents(of: path, limit: Record.maximumSize)
    do {
      let data = try Record(parsing: bytes).adjustmentData
      guard EditStack.canHandle(data) else {
        throw EditError.nothingToCopy(path: path, reason: .anotherProgramsEdit)
      }
      self.init([.replace(with: try EditStack(data))])
    } catch let error as RecordError {
      throw .storage(.recordUnreadable(path, error))
    } catch {
      throw EditError(error, path: path)
    }
  }

  private static func contents(of path: FilePath, limit: Int) throws(EditError) -> [UInt8] {
    do {
      return try FileSystem.real.contents(of: path, limit: limit)
    } catch {
      throw EditError(error, path: path)
    }
  }
}
