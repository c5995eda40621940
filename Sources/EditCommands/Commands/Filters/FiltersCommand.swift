import PhotoEditing
import SafelightArguments

/// `edit filters`: lists the filters, shows them on a photo, saves photos' edits as filters, and removes those again.
struct FiltersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters",
    abstract: "List the filters, show them on a photo, or save one of your own.",
    usage: """
      edit filters [<filters> ...] [--json]
             edit filters [<filters> ...] --sheet <photo> --output <path>
             edit filters <subcommand>
      """,
    discussion: """
      Filters of your own are JSON files in $XDG_DATA_HOME/safelight/filters, or in \
      ~/.local/share/safelight/filters. They are used by name like those that ship.

      Example:
        edit filters
        edit filters noir --json > my-noir.json
        edit filters --sheet beach.jpg -o looks.jpg
        edit filters save beach-look --from beach.jpg
        edit filters remove beach-look

      A filter that is called like a subcommand is described by “edit filters list NAME”.
      """,
    subcommands: [
      ListFiltersCommand.self, SaveFilterCommand.self, RemoveFilterCommand.self,
    ],
    defaultSubcommand: ListFiltersCommand.self)
}
