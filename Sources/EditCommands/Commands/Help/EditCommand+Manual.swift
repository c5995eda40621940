import SafelightArguments

extension EditCommand {
  /// The manual page edit(1), as roff.
  static var manualPage: String {
    commandDescription.manualPage(
      date: Version.date, source: "Safelight \(Version.number)",
      sections: [
        ManualSection("FILES", HelpTopic.files.parts.map(\.manualContent)),
        ManualSection("OUTPUT", HelpTopic.output.map(\.manualContent)),
        ManualSection("EXIT STATUS", HelpTopic.exitCodes.map(\.manualContent)),
        ManualSection("ENVIRONMENT", HelpTopic.environment.parts.map(\.manualContent)),
        ManualSection("ERRORS", HelpTopic.errors.parts.map(\.manualContent)),
        ManualSection("EXAMPLES", [.text(examples)]),
        ManualSection("SEE ALSO", [.text("exiftool(1), vips(1), parallel(1)")]),
      ])
  }

  private static let examples = """
    Give all photos of a folder a filter, and see what became of one:

      edit apply vivid-warm --intensity 0.6 holiday/*.jpg
      edit show holiday/beach.jpg

    Edit one photo by hand and copy the edit to others:

      edit adjust beach.jpg --exposure 0.5 --contrast 12
      edit sync --from beach.jpg holiday/*.jpg

    Write small copies for the web, then drop the edits:

      edit render holiday/*.jpg -o web --longest-side 1600 --quality 85
      edit revert holiday/*.jpg

    Name the photos that failed, with the reason for programs:

      edit apply noir *.jpg --json | jq -r 'select(.error) | .photo + " " + .error.code'
    """
}
