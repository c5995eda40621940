import Glibc
import SafelightArguments

/// `edit completions`: prints what makes a shell complete the command lines of `edit`.
struct CompletionsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print a script that completes command lines in a shell.",
    discussion: """
      The script completes commands, options, filters and photos with the tab key. To install it, \
      for bash with the package bash-completion, then without:
        edit completions bash > ~/.local/share/bash-completion/completions/edit
        echo 'source <(edit completions bash)' >> ~/.bashrc

      For zsh, in a folder of $fpath, or after compinit:
        edit completions zsh > "${fpath[1]}/_edit"
        echo 'source <(edit completions zsh)' >> ~/.zshrc

      For fish:
        edit completions fish > ~/.config/fish/completions/edit.fish

      Example:
        edit completions bash
        edit completions fish > ~/.config/fish/completions/edit.fish
      """)

  @Argument(help: "The shell.")
  var shell: CompletionShell

  @Flag(help: .hidden)
  var answer = false

  /// What a script asks about.
  @Argument(help: .hidden)
  var question: [String] = []

  func run(on console: Console) async throws -> ExitCode {
    guard answer else {
      if !question.isEmpty { throw UsageError.unexpectedArguments(question) }
      console.result(
        EditCommand.completionScript(
          for: shell, request: "completions \(shell.rawValue) --answer"))
      return .success
    }
    let rows = await EditCommand.completionAnswer(to: question, for: shell) { name in
      getenv(name).map { String(cString: $0) }
    }
    console.result(rows)
    return .success
  }
}
