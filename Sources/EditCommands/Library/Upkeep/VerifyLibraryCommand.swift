import PhotoLibraryKit
import SafelightArguments

/// `edit library verify`: checks a library.
struct VerifyLibraryCommand: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check that the catalog is sound and agrees with its export and the photos.",
    discussion: """
      Has SQLite check the catalog, compares it with the JSON beside it, and looks whether every \
      photo is in its place, is the file that was looked at, and has the edit that the library \
      knows. What is in the photos is checked by “edit verify”. Nothing is written without --fix, \
      which looks at changed photos again, takes out what is gone, and writes the JSON anew.

      Example:
        edit library verify
        edit library verify --fix

      The exit code is 1 when something is wrong.
      """)

  @Flag(help: "Look again at what changed, and write the JSON anew.")
  var fix = false

  @OptionGroup var options: LibraryOptions

  func run(in library: PhotoLibrary, on console: Console) async throws -> ExitCode {
    let check = try await library.verify(fixing: fix)
    for problem in check.problems + check.fixed {
      let isFixed = check.fixed.contains(problem)
      let words = String(problem.code.map { $0 == "-" ? " " : $0 })
      print(
        problem.json(isFixed: isFixed),
        ["\(problem.file): \(words)" + (isFixed ? ", put right" : "")]
          + (isFixed ? [] : ["  \(problem.description) \(problem.hint)"]), on: console)
    }
    let fixed = check.fixed.isEmpty ? "" : " \(check.fixed.count) put right."
    note(
      (check.problems.isEmpty
        ? "\(counted(check.photos, "photo")) checked, the library is sound."
        : "\(counted(check.photos, "photo")) checked, \(counted(check.problems.count, "problem")).")
        + fixed, on: console)
    return check.problems.isEmpty ? .success : .failure
  }
}

extension LibraryProblem {
  fileprivate func json(isFixed: Bool) -> JSONValue {
    var members = [
      JSONValue.Member("status", .string(isFixed ? "fixed" : "failed")),
      JSONValue.Member("kind", .string(code)), JSONValue.Member("file", .string(file.string)),
      JSONValue.Member("message", .string(description)),
    ]
    if !isFixed { members.append(JSONValue.Member("hint", .string(hint))) }
    return .object(members)
  }
}
