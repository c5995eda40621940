import PhotoEditing
import SafelightArguments

/// Something that `edit help` explains besides the commands.
struct HelpTopic: Sendable {
  /// The topic's name, such as `files`.
  let name: String
  /// What the topic is about, in one line.
  let abstract: String
  /// The explanation, in parts.
  let parts: [ManualSection.Content]

  /// Every topic, in the order in which help lists them.
  static var all: [HelpTopic] { [errors, files, formats, exclude, json, sandbox, environment] }

  /// The codes of errors.
  static let errors = HelpTopic(
    name: "errors", abstract: "The error codes that --json prints.",
    parts: [
      .text(
        """
        With --json, a photo that failed has an error with a code, a message and often a hint, and \
        what “edit verify” finds has its code under “kind”. \
        Codes stay the same from version to version. Whatever failed, the original is as it was, \
        and so is the edit that was there.
        """)
    ] + entries(ErrorExplanation.all))

  /// The files beside a photo.
  static let files = HelpTopic(
    name: "files", abstract: "The files beside a photo.",
    parts: [
      .text("For beach.jpg, all in the same folder:"),
      .entry("beach.jpg", "The original. It is only ever read."),
      .entry(
        "beach.jpg.aae",
        """
        The sidecar: an AAE property list that exiftool reads, with the edit, the sizes and \
        hashes of original and render, and the edits before it. When you move a photo, move \
        it along.
        """),
      .entry(
        "beach_edited.jpg",
        """
        The render: the edited picture, upright, in the original's color profile, with its \
        metadata. When another file has that name already, it is beach.jpg_edited.jpg. A render \
        can be made again at any time.
        """),
      .entry(
        "beach_edited-warm.jpg", "The render of a version that “edit version save” called warm."),
      .entry(
        "beach_base.jpg",
        """
        Only after another program's edit: the picture that the newer edit starts from. It cannot \
        be made again.
        """),
      .text(
        """
        “edit revert” removes all of them but the original; versions only with --versions. Files \
        that Safelight did not write are never overwritten or removed.

        A photo given as a symbolic link is edited in the folder that the link leads to; beside the link \
        when files of its edit are there already, or when it leads into a hidden folder as with git-annex. \
        Names may have any bytes that Linux allows.
        """),
      .entry(
        "~/.local/share/safelight/filters",
        """
        The filters that you saved, a JSON file for each; under $XDG_DATA_HOME when that is set.
        """),
      .entry(
        "~/.local/share/safelight/library",
        """
        The library of “edit library”: its catalog, and beside it, as JSON, the data that only the \
        catalog has. Photos stay in their folders; “originals” has photos that other programs added.
        """),
      .entry(
        ".safelight-trash",
        """
        Beside photos: those that “edit library trash empty” took out of the library, edits of photos \
        that are gone, and copies that a sync made and nobody needs. Each set is in a folder with its \
        photo's name; to get it back, move its files into the folder above.
        """),
    ])

  /// The variables that matter.
  static let environment = HelpTopic(
    name: "environment", abstract: "The environment variables that matter.",
    parts: [
      .entry(
        "XDG_DATA_HOME",
        "Where safelight/filters with your filters and safelight/library are; else ~/.local/share."),
      .entry(
        "SAFELIGHT_IN_PROCESS",
        """
        When set to anything, photos are decoded in the process of the command instead of in processes \
        without rights, one after the other. A hostile photo can do what its user can, one that crashes its \
        decoder ends the command, and --memory-limit does not hold. Temporary files of very large pictures then \
        go to TMPDIR, else to /tmp.
        """),
      .entry(
        "SAFELIGHT_REQUIRE_SANDBOX",
        "When set to anything, photos are refused where the sandbox is not whole; see “edit help sandbox”."
      ),
      .entry("NO_COLOR", "When set to anything, nothing is printed in color."),
      .entry("TERM", "When it is “dumb”, nothing is printed in color."),
      .entry("VIPS_CONCURRENCY", "How many threads libvips uses; else one for each processor."),
    ])
}

extension HelpTopic {
  /// What programs that read the output may rely on.
  static let json = HelpTopic(
    name: "json", abstract: "What --json prints, and the exit codes.",
    parts: output + [.text("The exit code says how the whole command ended:")] + exitCodes)

  /// What --json prints.
  static let output: [ManualSection.Content] = [
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
      The result. “edited”: it has a new edit and render. “unchanged”: it was like that \
      already. “reverted”: its edit is gone. “skipped”: it is not a photo to edit, such as a \
      render. “rendered”: a picture was written elsewhere. “shown”: it was only read. \
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
      “edit show” adds “original”, “edited”, “edit”, “resources” and “canRevert”; “edit auto” adds \
      “values”, “edit verify” “problems”, “notes” and “fixed”, and “edit relink” “movedTo”. \
      “unfinished” is true when an edit counts and not all its files are in their places.

      A path whose bytes are not UTF-8 has the character U+FFFD in it, and a second key beside it \
      has the bytes in Base64: “photoBytes” beside “photo”, “pathBytes” beside “path”.

      “edit library list” prints an object for each photo with all of localIdentifier, path, \
      creationDate, modificationDate, pixelWidth, pixelHeight, favorite, hidden, hasAdjustments, \
      location, localDate, timeZoneOffset, title, caption, keywords, rating, camera, lens, iso, \
      exposureTime, aperture and focalLength. Dates are in UTC, but localDate, which is what the \
      camera's clock showed; timeZoneOffset is that clock's distance from UTC in seconds. What is not \
      known is null. “edit library changes” and \
      “watch” print an object for each change, with “token”, “date” and the identifiers of what was \
      inserted, updated or deleted under “assets”, “albums” and “folders”; “fetchAnew” is true where \
      that cannot be told. A command that could do nothing at all prints an object with “status” \
      and “error”, without “photo”.
      """),
  ]

  /// How a command can end.
  static let exitCodes: [ManualSection.Content] = [
    .entry("0", "All was done; help and the version end so too."),
    .entry(
      "1",
      "A photo failed, and the others are done; or edits count, and not all their files are in their "
        + "places."),
    .entry("64", "The command line was wrong, and nothing was done."),
    .entry("130", "The work was interrupted; the photo in hand is as it was."),
  ]
}

extension HelpTopic {
  /// What this machine does with formats of pictures; without abilities, where none were measured.
  static func formats(_ abilities: [FormatAbility]) -> HelpTopic {
    HelpTopic(
      name: "formats", abstract: "The formats of pictures that this machine reads and writes.",
      parts: [
        .text(
          """
          Found out by writing and reading a small picture in each format, with the libraries that are installed \
          here. Metadata that a format has no place for, and whatever else of a photo gets lost, is said by a warning of \
          each picture.
          """)
      ]
        + abilities.map { ability in
          let does =
            ability.reads ? ability.writes ? "Read and written" : "Only read" : "Only written"
          var text = ability.reads || ability.writes ? does : "Neither read nor written"
          if ability.writes {
            let bits = ability.depths.map(String.init).joined(separator: " or ")
            text += ", with \(bits) bits a channel"
          }
          text += "."
          if ability.writes, !ability.losses.isEmpty {
            text += " What is lost: \(ability.losses.joined(separator: "; "))."
          }
          if let package = ability.package { text += " Install \(package) for the rest." }
          return .entry(ability.title, text)
        })
  }

  /// The topic without what only this machine says.
  static let formats = formats([])

  /// A topic of some error codes alone.
  init(_ errors: [ErrorExplanation]) {
    self.init(
      name: Self.errors.name, abstract: Self.errors.abstract,
      parts: Self.entries(errors))
  }

  private static func entries(_ errors: [ErrorExplanation]) -> [ManualSection.Content] {
    errors.map { .entry($0.code, $0.meaning + " " + $0.advice.text) }
  }

  /// The topic for a terminal of 80 characters.
  func text(emphasis: Emphasis = .plain) -> String {
    parts.map { part in
      switch part {
      case .text(let text): wrapped(text, to: 80)
      case .entry(let term, let meaning):
        emphasis.bold(term) + "\n" + wrapped(meaning, to: 80, indent: 4)
      }
    }.joined(separator: "\n\n")
  }
}
