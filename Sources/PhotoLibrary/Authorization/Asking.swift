import Synchronization

/// What a library needs for asking the user: one question at a time.
final class Asking: Sendable {
  let prompt: AuthorizationPrompt?
  /// Whose turn it is to ask.
  let turn = Turn()
  /// Why the last request could not be made.
  let problem = Mutex<PhotoLibraryError?>(nil)

  init(_ prompt: AuthorizationPrompt?) { self.prompt = prompt }
}

extension PhotoLibrary {
  /// What the user says, who is asked if nobody did so before.
  func askedStatus(for level: AccessLevel) async throws(PhotoLibraryError) -> AuthorizationStatus {
    let known = try currentStatus(for: level)
    guard known == .notDetermined else { return known }
    await asking.turn.take()
    defer { asking.turn.leave() }
    // The request before this one may have been for the same.
    let status = try currentStatus(for: level)
    guard status == .notDetermined else { return status }
    var consent = ConsentChange(expecting: (level, .notDetermined))
    switch try await answer(for: level) {
    case .allow: consent.set(level, .authorized)
    case .deny: consent.set(level, .denied)
    case .limit(let identifiers):
      guard level == .readWrite else {
        throw .changeNotSupported("Access to add photos cannot be limited to some of them.")
      }
      consent.set(level, .limited)
      consent.selection = identifiers
    case .undecided: return status
    }
    consent.usageDescription = client.reason(for: level)
    try await decide(consent, for: client.identifier)
    return try currentStatus(for: level)
  }

  /// The user's answer to a question.
  ///
  /// - Parameter selection: What the client sees, when others are to be chosen.
  /// - Throws: ``PhotoLibraryError`` when nobody can be asked, or for no reason.
  func answer(
    for level: AccessLevel, selection: [String]? = nil
  ) async throws(PhotoLibraryError) -> AuthorizationPrompt.Answer {
    guard let reason = client.reason(for: level) else {
      throw .missingUsageDescription(client: client.identifier)
    }
    guard let prompt = asking.prompt else { throw .cannotAsk(client: client.identifier) }
    return await prompt.answer(
      AuthorizationPrompt.Question(
        client: client, level: level, usageDescription: reason,
        offersLimit: level == .readWrite, selection: selection))
  }

  /// Writes down what was decided, and tells whoever wants to know.
  func decide(_ consent: ConsentChange, for client: String) async throws(PhotoLibraryError) {
    if let token = try await catalog.change(consent, of: client) { didChange(token) }
  }

  /// What counts for a level now.
  func currentStatus(for level: AccessLevel) throws(PhotoLibraryError) -> AuthorizationStatus {
    client.isOwner ? .authorized : try snapshots.now().access.status(for: level)
  }
}
