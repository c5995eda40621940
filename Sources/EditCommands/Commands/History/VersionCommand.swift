import PhotoEditing
import SafelightArguments

/// `edit version`: keeps edits of photos under names.
struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Keep edits of photos under names.",
    discussion: """
      A version is an edit of one photo with a render of its own: “beach_edited-NAME.jpg”. It \
      stays while the photo is edited on, and can be made the photo's edit again.

      A name has 1 to 64 letters, digits, hyphens, underscores and dots, with no dot in front. \
      Capital and small letters count as the same.

      Example:
        edit version save warm beach.jpg
        edit version list beach.jpg
        edit version use warm beach.jpg
        edit version remove warm beach.jpg
      """,
    subcommands: [
      SaveVersionCommand.self, ListVersionsCommand.self, UseVersionCommand.self,
      RemoveVersionCommand.self,
    ])
}
