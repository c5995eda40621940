import PhotoEditing
import SafelightArguments
import SafelightFiles

/// What commands leave out that look for photos in folders.
struct ExclusionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Leave out what fits this pattern, as in .gitignore; again for more. “edit help exclude” says what is left "
        + "out without it.", valueName: "pattern"))
  var exclude: [String] = []

  /// The rules; the standard ones without the option.
  var rules: FolderRules {
    get throws(ValidationError) {
      do {
        return try FolderRules(arguments: exclude)
      } catch {
        throw ValidationError("The pattern “\(error.pattern)” of --exclude fits no name.")
      }
    }
  }

  func validate() throws(ValidationError) { _ = try rules }
}

extension HelpTopic {
  /// What is left out of folders.
  static let exclude = HelpTopic(
    name: "exclude", abstract: "What is left out of folders, and how to leave out more.",
    parts: [
      .text(
        """
        Commands that look for photos in folders leave out hidden files and folders, symbolic links, renders and \
        sidecars, pictures that Safelight exported and that have no edit of their own, and by their names what disks, NAS and programs keep for \
        themselves:
        """),
      .text(FolderRules.usual.joined(separator: ", ")),
      .text(
        """
        “--exclude PATTERN” leaves out more, and so does a file \(FolderRules.fileName) in any folder, for that \
        folder and all below it: a pattern on each line, as in .gitignore. A library remembers what was excluded \
        from its folders. Photos that are left out later leave the library; their albums and marks come back when \
        the rule goes.

        A photo or a folder that you name is taken whatever the rules say, and so is an export.
        """),
      .entry("drafts", "Files and folders called drafts, at any depth."),
      .entry("drafts/", "Folders alone."),
      .entry(
        "/drafts",
        "That of the folder with the file, or of the folder where a command begins, and no other."),
      .entry(
        "2024/*.png",
        """
        A pattern with a slash within it counts from that folder too. On a command line it may also be a path.
        """),
      .entry("**/raw/**", "Two stars are any number of folders."),
      .entry("*  ?  [a-z]  \\*", "Any letters, one letter, one of these letters, a star itself."),
      .entry(
        "!drafts/best.jpg",
        """
        Takes in again what a pattern before it left out, also one of the list above: the last pattern that fits \
        decides, and of the files the nearest one; --exclude comes last. Nothing comes back from a folder that is \
        left out.
        """),
      .entry("# words", "A line of a file that says nothing."),
    ])
}
