import Foundation

@testable import PhotoLibraryKit
@testable import SafelightFiles

/// A user who answers what was agreed on, and remembers what was asked.
final class AskedUser: Sendable {
  let questions = Box<[AuthorizationPrompt.Question]>([])
  private let answers: Box<[AuthorizationPrompt.Answer]>
  private let meanwhile: @Sendable () async -> Void

  /// - Parameters:
  ///   - answers: What is answered, the last of them again and again.
  ///   - meanwhile: What happens while the question is open.
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

  /// A client that says why.
  static let frames = Client(
    identifier: name, usageDescription: "To show your photos in a frame.",
    addUsageDescription: "To keep what you frame.")
}

extension TestLibrary {
  /// The library as another program sees it.
  func opened(by client: Client = .frames, _ user: AskedUser? = nil) throws -> PhotoLibrary {
    try PhotoLibrary(at: library.path, client: client, prompt: user?.prompt)
  }

  /// The library as a program sees it of which something was said.
  func opened(_ status: AuthorizationStatus, for level: AccessLevel) async throws -> PhotoLibrary {
    try await library.setAccess(status, level: level, for: Client.name)
    return try opened()
  }

  /// The library as a program sees it that may see some assets.
  func opened(seeing identifiers: [String]) async throws -> PhotoLibrary {
    try await library.limitAccess(of: Client.name, to: identifiers)
    return try opened()
  }
}

extension FetchResult where Object == Asset {
  var identifiers: [String] { map(\.localIdentifier) }
}
