import PhotoEditing
import SafelightArguments

/// The option of commands that decode photos to do so only behind a whole wall.
struct SandboxOption: ParsableArguments {
  @Flag(
    help:
      "Refuse to decode photos where the system lacks a part of the sandbox; see “edit help sandbox”."
  )
  var requireSandbox = false

  /// Requires it of all photos from here on.
  func validate() throws {
    guard requireSandbox else { return }
    guard PhotoDarkroom.current.place == .ownProcess else {
      throw ValidationError("--require-sandbox cannot hold while SAFELIGHT_IN_PROCESS is set.")
    }
    PhotoDarkroom.current.requiredGuards = .all
  }

  /// Throws where what is required does not hold, and warns where it need not, before a server takes its first photo.
  ///
  /// - Throws: ``RenderError/noDarkroom(detail:)``.
  func check(on console: Console) throws(RenderError) {
    do throws(RenderError) {
      _ = try PhotoDarkroom.current.guards()
    } catch  where !requireSandbox {
      // The first photo says why.
    }
    if let warning = Self.warning { console.message("edit: \(warning)") }
  }

  /// What is said of ``check(on:)``'s error.
  static func failure(_ error: RenderError) -> PhotoFailure {
    PhotoFailure(
      code: error.code, message: error.description,
      hint: "“edit help sandbox” says what the system must have.")
  }

  /// What is said once of a system on which the sandbox is not whole; `nil` where it is, and before the first photo.
  static var warning: String? {
    let missing = PhotoDarkroom.missingGuards
    guard PhotoDarkroom.current.place == .ownProcess, !missing.isEmpty else { return nil }
    return "This system has no \(missing.words): a hostile photo can do more than it should. See "
      + "“edit help sandbox”."
  }
}

extension HelpTopic {
  /// The processes that decode photos.
  static let sandbox = HelpTopic(
    name: "sandbox", abstract: "What keeps a hostile photo from doing harm.",
    parts: [
      .text(
        """
        Decoders are large programs that read files of strangers. Each photo is decoded in a process of its own, which \
        gives up its rights first. A photo that takes over its decoder can then compute, and say something wrong about \
        itself: its answers are checked, and one that cannot be costs that photo alone.
        """),
      .entry(
        "Landlock",
        """
        Linux 5.13 and later: the process opens no file but the system's libraries and fonts. Without it, as on older \
        kernels and in some containers, it can read what its user can, but has no way to send it anywhere.
        """),
      .entry(
        "seccomp",
        """
        The process makes few system calls: no network, no program, no other process, no writing to files by their \
        names. Where the system refuses the filter, photos are not decoded (worker-unavailable).
        """),
      .entry(
        "limits",
        "4 GB of memory and ten minutes for a photo; --memory-limit and --timeout change them."),
      .text(
        """
        Where a part is missing, a warning says so. --require-sandbox, or SAFELIGHT_REQUIRE_SANDBOX in the environment \
        with any value, refuses photos instead. SAFELIGHT_IN_PROCESS does without all of this.
        """),
    ])
}
