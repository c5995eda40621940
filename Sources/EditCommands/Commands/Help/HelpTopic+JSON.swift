extension HelpTopic {
  /// What programs that read the output may rely on.
  static let json = HelpTopic(
    name: "json", abstract: "What --json prints, and the exit codes.",
    parts: output + [.text("The exit code tells how the whole command ended:")] + exitCodes)

  /// What --json prints.
  static let output: [Part] = [
    .text(
      """
      With --json, a command on photos prints one JSON object for each photo, one on a line, in \
      the order in which the photos were given. Results go to standard output; messages and \
      warnings for people go to standard error besides, unless --quiet is given. Members that \
      would be empty are left out, and later versions may add some.

        {"photo":"beach.jpg","status":"edited","rendered":"beach_edited.jpg",
         "record":"beach.jpg.aae","milliseconds":412}
      """),
    .entry("photo", "The photo, as it was given."),
    .entry(
      "status",
      """
      What became of it. “edited”: it has a new edit and render. “unchanged”: it was like that \
      already. “reverted”: its edit is gone. “skipped”: it is not a photo to edit, such as a \
      render. “rendered”: a picture was written elsewhere. “shown”: it was only looked at. \
      “verified”: it is as recorded. “relinked”: its edit was moved along with it. \
      “failed”: nothing was done, and “error” says why.
      """),
    .entry("rendered", "Where the edited picture is."),
    .entry("record", "Where the sidecar is."),
    .entry("warnings", "What could not be kept or done: sentences for people."),
    .entry("dryRun", "Is true when --dry-run was given and nothing was written."),
    .entry("milliseconds", "How long it took."),
    .entry(
      "error",
      """
      An object with “code”, “message” and often “hint”. “edit help errors” explains the codes; \
      message and hint are for people and may change.
      """),
    .text(
      """
      “edit show” adds “original”, “edit”, “resources” and “canRevert”; “edit auto” adds \
      “values”, “edit verify” “problems”, “notes” and “fixed”, and “edit relink” “movedTo”. A name whose bytes are not UTF-8 has the character U+FFFD in it.

      “edit library list” prints an object for each photo with all of localIdentifier, path, \
      creationDate, modificationDate, pixelWidth, pixelHeight, favorite, hidden, hasAdjustments \
      and location; dates are in UTC, and what is not known is null. “edit library changes” and \
      “watch” print an object for each change, with “token”, “date” and the identifiers of what was \
      inserted, updated or deleted under “assets”, “albums” and “folders”; “fetchAnew” is true where \
      that cannot be told. A command that could do nothing at all prints an object with “status” \
      and “error”, without “photo”.
      """),
  ]

  /// How a command can end.
  static let exitCodes: [Part] = [
    .entry("0", "All was done; help and the version end so too."),
    .entry("1", "A photo failed, and the others are done; or a value was out of its range."),
    .entry("64", "The command line was wrong, and nothing was done."),
    .entry("130", "The work was interrupted; the photo in hand is as it was."),
  ]
}
