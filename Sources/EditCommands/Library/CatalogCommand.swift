import PhotoLibraryKit
import SafelightArguments

/// A command on a library.
protocol CatalogCommand: ConsoleCommand {
  /// Which library, and how results are printed.
  var options: LibraryOptions { get }

  /// Whether it is the owner's alone, so that it cannot act for another program.
  static var isForOwner: Bool { get }

  /// Whether it only reads the library, which is then opened for nothing else.
  var isReading: Bool { get }

  /// Does the command's work in a library that is there.
  ///
  /// - Returns: The code to end with. Errors have been printed.
  /// - Throws: ``EditCommandError``, ``PhotoLibraryError`` or ``EditError``, which are printed.
  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode
}

extension CatalogCommand {
  static var isForOwner: Bool { false }
  var isReading: Bool { false }

  func run(on console: Console) async throws -> ExitCode {
    try await reporting(on: console) {
      let library = try await options.open(toRead: isReading)
      for text in library.recoveryNotes { note(text, on: console) }
      let code = try await run(in: library, on: console)
      await library.finishExport()
      if let problem = library.exportProblem {
        note("The library's export could not be written: \(problem).", on: console)
      }
      return code
    }
  }

  /// Does work, and prints why when it fails.
  func reporting(
    on console: Console, _ work: () async throws -> ExitCode
  ) async throws -> ExitCode {
    if Self.isForOwner, options.acting.client != nil {
      throw ValidationError("This is for the owner of the library: leave --client out.")
    }
    do {
      return try await work()
    } catch {
      return try console.fail(error, json: options.json)
    }
  }

  /// Prints a result: an object for programs, or lines for people.
  func print(
    _ json: @autoclosure () -> JSONValue, _ lines: @autoclosure () -> [String],
    on console: Console
  ) {
    if options.json {
      console.result(json().text)
    } else if !options.quiet {
      for line in lines() { console.result(line.onOneLine) }
    }
  }

  /// Says something besides the results.
  func note(_ text: String, on console: Console) {
    if !options.quiet { console.message("edit: \(text)".onOneLine) }
  }
}

extension Console {
  /// Says why a command on a library did nothing at all.
  ///
  /// - Returns: The code to end with.
  /// - Throws: The error itself when it is about the command line rather than the library.
  func fail(_ error: any Error, json: Bool) throws -> ExitCode {
    guard let explained = error as? any Explained else { throw error }
    let failure = PhotoFailure(explained)
    if failure.code == EditCommandError.cancelled.code {
      message("edit: " + failure.text)
      return ExitCode(130)
    }
    if json { result(JSONValue.object(["status": "failed", "error": failure.json]).text) }
    fail(failure)
    if case EditCommandError.invalidPredicate(let text, let error) = error {
      // The place of the mistake.
      let before = String(text.prefix(error.column - 1)).onOneLine
      message("  " + text.onOneLine)
      message("  " + "".filled(to: before.columns) + "^")
    }
    return .failure
  }
}

extension PhotoLibrary {
  /// What opening the library found of changes that were interrupted, in sentences for people.
  var recoveryNotes: [String] {
    var notes: [String] = []
    let recovery = recovery
    if !recovery.finished.isEmpty {
      notes.append(
        "Finished a change of the library that was interrupted: \(recovery.finished.firstNames).")
    }
    if !recovery.waiting.isEmpty {
      notes.append(
        "A change of the library was interrupted and is not finished: \(recovery.waiting.firstNames). "
          + (isReadOnly
            ? "The next command that changes the library finishes it."
            : "The next command tries again; see that the disk is mounted and may be written."))
    }
    if !recovery.unproven.isEmpty {
      notes.append(
        """
        The catalog asks to move or change \(recovery.unproven.firstNames), and nothing proves that you decided that on \
        this computer, so nothing was done. When the library comes from another computer or user of yours, open it \
        there, or do it with “edit library verify --finish-changes”. When you got the library from somebody else, \
        leave it.
        """)
    }
    return notes
  }
}

extension [FilePath] {
  /// The first of the files, and how many more there are.
  var firstNames: String {
    prefix(3).map(\.description).joined(separator: ", ")
      + (count > 3 ? ", and \(count - 3) more" : "")
  }
}
