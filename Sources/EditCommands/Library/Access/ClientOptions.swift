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
  /// - Throws: ``PhotoFailure`` or ``PhotoLibraryError``.
  func open() async throws -> PhotoLibrary {
    guard let client = acting.client else { return try location.open() }
    let prompt = CommandSurroundings.questionTerminal.map { terminal in
      AuthorizationPrompt(asking: terminal, about: location)
    }
    let library = try location.open(for: client, prompt: prompt)
    switch await library.requestAuthorization(for: .readWrite) {
    case .authorized, .limited: return library
    case .restricted: throw PhotoLibraryError.accessRestricted
    case .denied: throw PhotoLibraryError.accessUserDenied
    case .notDetermined where Task.isCancelled: throw PhotoFailure.cancelled
    case .notDetermined:
      throw library.authorizationProblem ?? .accessNotDetermined(client: client.identifier)
    }
  }
}
