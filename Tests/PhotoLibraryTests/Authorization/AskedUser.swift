import Foundation

@testable import PhotoLibraryKit
@testable import SafelightFiles

/// A user who gives prepared answers, and remembers the questions.
final class AskedUser: Sendable {
  let questions = Box<[AuthorizationPrompt.Question]>([])
  private let answers: Box<[AuthorizationPrompt.Answer]>
  private let meanwhile: @Sendable () async -> Void

  /// - Parameters:
  ///   - answers: The answers; the last is given again and again.
  ///   - meanwhile: Called while a question is open.
  init(
    _ answers: AuthorizationPrompt.Answer..., meanwhile: @escaping @Sendable () async -> Void = {}
  ) {
    self.answers = Box(answers)
    self.meanwhile = meanwhile
  }

  var prompt: AuthorizationPrompt {
    AuthorizationPrompt { question in
      self.questions.value += [question]
      await self.meanwhile()
      let answers = self.answers.value
      if answers.count > 1 { self.answers.value = Array(answers.dropFirst()) }
      return answers[0]
    }
  }
}

extension Client {
  static let name = "org.example.frames"

  /// A client with a usage description.
  static let frames = Client(
    identifier: name, usageDescription: "To show your photos in a frame.",
    addUsageDescription: "To keep what you frame.")
}

extension TestLibrary {
  /// The library for another client.
  func opened(by client: Client = .frames, _ user: AskedUser? = nil) throws -> PhotoLibrary {
    try PhotoLibrary(at: library.path, client: client, prompt: user?.prompt)
  }

  /// The library for a client with a status.
  func opened(_ status: AuthorizationStatus, for level: AccessLevel) async throws -> PhotoLibrary {
    try await library.setAccess(status, level: level, for: Client.name)
    return try opened()
  }

  /// The library for a client that may see some assets.
  func opened(seeing identifiers: [String]) async throws -> PhotoLibrary {
    try await library.limitAccess(of: Client.name, to: identifiers)
    return try opened()
  }
}

extension FetchResult where Object == Asset {
  var identifiers: [String] { map(\.localIdentifier) }
}
