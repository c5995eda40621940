/// Something that `edit help` explains besides the commands.
struct HelpTopic: Sendable {
  /// What is asked for, such as `files`.
  let name: String
  /// What the topic is about, in one line.
  let abstract: String
  /// The explanation, in parts.
  let parts: [Part]

  /// A piece of an explanation.
  enum Part: Sendable {
    /// A paragraph, or lines that start with a space and are kept as they are.
    case text(String)
    /// A term with what it means.
    case entry(String, String)
  }

  /// Every topic, in the order in which help lists them.
  static var all: [HelpTopic] { [errors, files, json, environment] }

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
    ] + ErrorExplanation.all.map { .entry($0.code, $0.meaning + " " + $0.advice) })

  /// The files beside a photo.
  static let files = HelpTopic(
    name: "files", abstract: "The files that stand beside a photo.",
    parts: [
      .text("For beach.jpg, all in the same folder:"),
      .entry("beach.jpg", "The original. It is only ever read."),
      .entry(
        "beach.jpg.aae",
        """
        The sidecar: an AAE property list that exiftool reads, with the edit, the sizes and \
        hashes of original and render, and the edits before it. Whoever moves a photo should take \
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
        “edit revert” removes all of them but the original; versions only with --versions. Files that Safelight did not write \
        are never overwritten or removed.

        A photo given as a symbolic link is edited in the folder that the link leads to. Names \
        may have any bytes that Linux allows.
        """),
      .entry(
        "~/.local/share/safelight/filters",
        """
        The filters that you saved, a JSON file for each; under $XDG_DATA_HOME when that is set.
        """),
      .entry(
        "~/.local/share/safelight/library",
        """
        The library of “edit library”: its catalog, and beside it as JSON what only that knows. \
        Photos are not in it, but for those that other programs had it take in, in “originals”.
        """),
      .entry(
        ".safelight-trash",
        "Beside photos: those that “edit library trash empty” took out of the library."),
    ])

  /// The variables that matter.
  static let environment = HelpTopic(
    name: "environment", abstract: "The environment variables that matter.",
    parts: [
      .entry(
        "XDG_DATA_HOME",
        "Where safelight/filters with your filters and safelight/library are; else ~/.local/share."),
      .entry("TMPDIR", "Where temporary files of very large pictures go; else /tmp."),
      .entry("NO_COLOR", "When set to anything, nothing is printed in color."),
      .entry("TERM", "When it is “dumb”, nothing is printed in color."),
      .entry("VIPS_CONCURRENCY", "How many threads libvips uses; else one for each processor."),
    ])
}
