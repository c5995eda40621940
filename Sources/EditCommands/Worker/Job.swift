import PhotoEditing

/// One line for a worker: a photo, and what to do to it in the words of the command line.
///
/// ```json
/// {"id": 7, "photo": "beach.jpg", "command": ["apply", "noir", "--intensity=0.6"]}
/// ```
struct Job: Sendable {
  /// Comes back in the answer; any JSON value.
  var id: JSONValue?
  var photo: FilePath
  /// The words of a command line without the program's name and the photo.
  var command: [String] = []
  /// When the change is made.
  var moment = Moment.now
  /// Pictures of the photo to make once the work is done; `nil` for none.
  var pictures: ReportPictures?

  /// When a job's change of a photo is made.
  enum Moment: Sendable {
    /// At once.
    case now
    /// Later, by the same worker: everything is made ready, and the photo stays locked.
    case hold
    /// Now that it was held; the job has no command of its own. Changes that are held when the
    /// worker's input ends are dropped.
    case make
  }

  /// The line, without its end. Bytes of a name that are not UTF-8 travel as
  /// ``PhotoEditing/FilePath/argument`` says.
  var line: String {
    JSONValue.object([
      "id": id, "photo": photo.argument, "hold": moment == .hold ? true : nil,
      "make": moment == .make ? true : nil, "command": moment == .make ? nil : command,
      "pictures": pictures?.json,
    ]).text
  }
}

extension Job {
  /// Reads a line.
  ///
  /// - Throws: ``EditCommandError/badJob(_:)``.
  init(line: [UInt8]) throws(EditCommandError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: line)
    } catch {
      throw .badJob("it is not JSON: \(error.description)")
    }
    guard json.members != nil else { throw .badJob("it is no object.") }
    guard let photo = json["photo"]?.string, !photo.isEmpty else {
      throw .badJob("“photo” is not the name of a file.")
    }
    if json["make"]?.text == "true" {
      moment = .make
    } else if json["hold"]?.text == "true" {
      moment = .hold
    }
    let words = json["command"]?.elements ?? []
    guard moment == .make || !words.isEmpty, words.allSatisfy({ $0.string != nil }) else {
      throw .badJob("“command” is not a list of words.")
    }
    guard !([photo] + words.compactMap(\.string)).contains(where: { $0.utf8.contains(0) }) else {
      throw .badJob("it has a NUL in it, which no name can have.")
    }
    id = json["id"]
    pictures = json["pictures"].map(ReportPictures.init)
    self.photo = FilePath(argument: photo)
    command = words.compactMap(\.string)
  }
}
