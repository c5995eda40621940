import PhotoLibraryKit

extension AuthorizationPrompt {
  /// Asks at a terminal.
  ///
  /// - Parameter location: The library that is asked for, in which chosen photos are looked up.
  init(asking terminal: QuestionTerminal, about location: LibraryLocation) {
    self.init { question in
      let wish = question.level == .addOnly ? "add photos to" : "see and change the photos of"
      let text = """
        \(question.client.identifier.onOneLine) wants to \(wish) \(location.folder.string.onOneLine):
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
        let library = try location.open()
        if let album = try? Albums(of: library).album(named: answer) {
          return try library.fetchAssets(in: album).map(\.localIdentifier)
        }
        let words = answer.split(separator: " ").map(String.init)
        let chosen = try NamedAssets(words, in: library)
        for item in chosen.items { _ = try item.found.get() }
        if !words.isEmpty { return chosen.assets.map(\.localIdentifier) }
      } catch let failure as PhotoFailure {
        question = failure.message.onOneLine + " Which photos?"
      } catch {
        question = "\(error)".onOneLine + " Which photos?"
      }
    }
    return nil
  }
}
