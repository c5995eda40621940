import PhotoLibraryKit
import SafelightArguments

/// For which program a command acts.
struct ClientOptions: ParsableArguments {
  @Option(
    name: .customLong("client"),
    help: ArgumentHelp(
      "Act for this program, such as org.example.frames, and not for the owner.",
      valueName: "identifier"))
  var identifier: String?

  @Option(
    help: ArgumentHelp(
      "What that program wants the library for: shown when it asks.",
      valueName: "sentence"))
  var usage: String?

  func validate() throws {
    if identifier?.allSatisfy(\.isWhitespace) == true {
      throw ValidationError("--client is empty.")
    }
    if usage != nil, identifier == nil {
      throw ValidationError("--usage says what another program wants: name that with --client.")
    }
  }

  /// The program; `nil` for the owner.
  var client: Client? {
    identifier.map {
      Client(identifier: $0, usageDescription: usage, addUsageDescription: usage)
    }
  }
}

extension LibraryOptions {
  /// Opens the library, for another program if one is named: then somebody is asked unless it was
  /// decided before.
  ///
  /// - Parameter isReading: Whether nothing is changed in the library. For another program it may be, because the
  ///   answer is kept there.
  /// - Throws: ``EditCommandError`` or ``PhotoLibraryError``.
  func open(toRead isReading: Bool = false) async throws -> PhotoLibrary {
    guard let client = acting.client else {
      return try isReading ? location.openToRead() : location.open()
    }
    let prompt = CommandSurroundings.questionTerminal.map { terminal in
      AuthorizationPrompt(asking: terminal, about: location)
    }
    let library = try location.open(for: client, prompt: prompt)
    switch await library.requestAuthorization(for: .readWrite) {
    case .authorized, .limited: return library
    case .restricted: throw PhotoLibraryError.accessRestricted
    case .denied: throw PhotoLibraryError.accessUserDenied
    case .notDetermined where Task.isCancelled: throw EditCommandError.cancelled
    case .notDetermined:
      throw library.authorizationProblem ?? .accessNotDetermined(client: client.identifier)
    }
  }
}

extension AuthorizationPrompt {
  /// Asks at a terminal.
  ///
  /// - Parameter location: The library that is asked for, in which chosen photos are looked up.
  init(asking terminal: QuestionTerminal, about location: LibraryLocation) {
    self.init { question in
      let wish = question.level == .addOnly ? "add photos to" : "see and change the photos of"
      let text = """
        \(question.client.identifier.onOneLine) wants to \(wish) \(location.folder.description.onOneLine):
          \(question.usageDescription.onOneLine)
        Allow it? y for yes, n for no\(question.offersLimit ? ", l for only some photos" : ""):
        """
      while let answer = await terminal.ask(text)?.lowercased() {
        switch answer {
        case "y", "yes": return .allow
        case "n", "no": return .deny
        case "l" where question.offersLimit:
          guard let chosen = await Self.selection(asking: terminal, location) else {
            return .undecided
          }
          return .limit(to: chosen)
        default: continue
        }
      }
      return .undecided
    }
  }

  /// The identifiers of the photos that somebody chooses; `nil` when nobody does.
  private static func selection(
    asking terminal: QuestionTerminal, _ location: LibraryLocation
  ) async -> [String]? {
    var question = "Which photos? Name an album, or photos with spaces between:"
    while let answer = await terminal.ask(question) {
      do {
        let library = try location.openToRead()
        if let album = try? Albums(of: library).album(named: answer) {
          return try library.fetchAssets(in: album).allObjects().map(\.localIdentifier)
        }
        let words = answer.split(separator: " ").map(String.init)
        let chosen = try NamedAssets(words, in: library)
        for item in chosen.items { _ = try item.found.get() }
        if !words.isEmpty { return chosen.assets.map(\.localIdentifier) }
      } catch let error as EditCommandError {
        question = error.description.onOneLine + " Which photos?"
      } catch {
        question = "\(error)".onOneLine + " Which photos?"
      }
    }
    return nil
  }
}
