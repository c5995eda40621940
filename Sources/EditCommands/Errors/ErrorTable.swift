import PhotoEditing

/// A row of the table of errors: what a code means, and what to do about it.
///
/// The libraries name what happened and give values. What to do on the command line is said here and
/// nowhere else: messages have the advice behind them, and “edit help errors” prints the table.
struct ErrorExplanation: Sendable, Hashable {
  /// The code that JSON has under `error.code`, such as `original-missing`.
  let code: String
  /// What happened, and what is as before.
  let meaning: String
  /// What to do, in one sentence or two.
  let advice: String

  private init(_ code: String, means meaning: String, advice: String) {
    self.code = code
    self.meaning = meaning
    self.advice = advice
  }

  /// The explanation as JSON has it.
  var json: JSONValue {
    .object([
      JSONValue.Member("code", .string(code)), JSONValue.Member("meaning", .string(meaning)),
      JSONValue.Member("advice", .string(advice)),
    ])
  }

  /// What to do about an error of a code; `nil` for a code that is not in the table.
  static func advice(for code: String) -> String? { byCode[code]?.advice }

  private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })
}

extension ErrorExplanation {
  /// Every code. Codes that belong together are beside each other.
  static let all: [ErrorExplanation] = [
    // Reading and rendering a photo.
    ErrorExplanation(
      "original-missing",
      means: "There is no file of this name, or it is a symbolic link that leads nowhere.",
      advice: "Check the name, and that the disk is mounted."),
    ErrorExplanation(
      "original-not-a-file",
      means: "The name is that of a folder, a device or a pipe, not of a photo.",
      advice: "Name the photos in it instead, for instance as “folder/*.jpg”."),
    ErrorExplanation(
      "original-unreadable",
      means: "The system does not let this user read the photo, or the disk reported an error.",
      advice: "Change the file's permissions, or work as a user who may read it."),
    ErrorExplanation(
      "original-changed",
      means: """
        The photo has an edit, but it is not the picture that was edited: another file has taken \
        its name, or another program has written to it.
        """,
      advice: """
        Put the original back, or drop the edit with “edit revert” and start again with the \
        picture that is there.
        """),
    ErrorExplanation(
      "empty", means: "The photo has no bytes at all.",
      advice: "Copy it again from where it came from."),
    ErrorExplanation(
      "not-a-picture",
      means: """
        The file's content is of no kind of picture that Safelight knows, whatever its name \
        says.
        """,
      advice: """
        Safelight edits JPEG, PNG, TIFF, WebP, HEIC and AVIF; it goes by the content, not the \
        name.
        """),
    ErrorExplanation(
      "unsupported-format",
      means: """
        The file is a picture of a kind that Safelight does not edit, such as a camera raw file.
        """, advice: "Convert a copy to JPEG, PNG or TIFF and edit that."),
    ErrorExplanation(
      "missing-decoder",
      means: "The libvips of this machine was built without the decoder for this kind of picture.",
      advice: "Install the package that the message names."),
    ErrorExplanation(
      "damaged",
      means: "The picture is truncated or damaged, so that it cannot be decoded to its end.",
      advice: "Look for an intact copy, or take what there is of it with --allow-damaged."),
    ErrorExplanation(
      "too-many-pixels",
      means: """
        The picture's header announces more pixels than the limit, which keeps a small file from \
        filling the memory. Nothing was decoded.
        """, advice: "If you trust the file, raise the limit with --pixel-limit MEGAPIXELS."),
    ErrorExplanation(
      "cannot-encode",
      means: """
        The edited picture could not be written in the format asked for; JPEG has room for \
        65,535 pixels along a side, and WebP for 16,383.
        """, advice: "Render it smaller with “edit render --longest-side”, or as PNG or TIFF."),
    ErrorExplanation(
      "render-failed",
      means: """
        The imaging library, libvips, failed while the picture was rendered. The old edit \
        stands.
        """, advice: "Try again; if it fails again, please report it with the message."),
    ErrorExplanation(
      "not-upright", means: "Another program's render has an orientation tag other than 1.",
      advice: "In that program, turn the pixels upright and set the tag to 1, or leave it out."),
    // Files beside a photo.
    ErrorExplanation(
      "busy", means: "Another program has worked on the same photo for as long as this one waited.",
      advice: "Try again when the other program is done."),
    ErrorExplanation(
      "locking-unavailable",
      means: """
        The photo is on a disk without file locks, or on a network disk that locks only photos \
        which may be written to.
        """, advice: "Give yourself the right to write to the photo, or copy it to a local disk."),
    ErrorExplanation(
      "record-unreadable",
      means: """
        The sidecar cannot be read: it is empty, damaged, or written by a newer Safelight. It is \
        left as it is.
        """, advice: "Restore it from a backup, or move it away to start with an unedited photo."),
    ErrorExplanation(
      "record-changed",
      means: """
        Another program replaced the sidecar while this one worked. The edit of the other \
        program stays.
        """, advice: "See with “edit show” what it did, then try again."),
    ErrorExplanation(
      "record-too-large",
      means: "The sidecar, with the photo's earlier edits, would be larger than allowed.",
      advice: "Drop the earlier edits with “edit revert”, then edit the photo again."),
    ErrorExplanation(
      "record-of-another-photo",
      means: "The sidecar beside the photo was written for a photo of another name and content.",
      advice: "Move the sidecar back beside its own photo, or move it away."),
    ErrorExplanation(
      "foreign-sidecar",
      means: "The sidecar is another program's, so “edit revert” does not remove it.",
      advice: "Remove the sidecar yourself if its edit is not wanted."),
    ErrorExplanation(
      "invalid-adjustments",
      means: "The edit in the sidecar, or the one to be stored, breaks a rule of the adjustments.",
      advice: """
        See the parameters with “edit adjustments”; if the sidecar is at fault, restore it from \
        a backup or drop it with “edit revert”.
        """),
    ErrorExplanation(
      "unknown-adjustment",
      means: "The edit uses an adjustment of a newer Safelight. It is kept as it is.",
      advice: "Update Safelight, or drop the edit with “edit revert”."),
    ErrorExplanation(
      "damaged-lookup-table", means: "The lookup table that the edit holds cannot be read.",
      advice: "Apply the look again from its file, or drop the edit with “edit revert”."),
    ErrorExplanation(
      "render-changed",
      means: """
        The file that the edited picture goes to is not the one that Safelight wrote: somebody \
        retouched or replaced it. It is left as it is.
        """,
      advice: """
        Move it away to keep it; the photo can then be edited or reverted. “edit revert \
        --keep-render” leaves it where it is.
        """),
    ErrorExplanation(
      "render-missing", means: "The edited picture that another edit starts from is missing.",
      advice: "Put it back, or drop the edit with “edit revert” and edit the photo again."),
    ErrorExplanation(
      "base-changed",
      means: """
        The “_base.jpg” that the edit starts from is not the one that Safelight kept: somebody \
        changed or replaced it.
        """, advice: "Restore it from a backup, or move it away."),
    ErrorExplanation(
      "name-taken", means: "Other files have both names that the edited picture may have.",
      advice: "Rename or move one of the files that the message names."),
    ErrorExplanation(
      "name-too-long",
      means: """
        With the ending that Safelight adds, the file's name would be longer than Linux allows.
        """, advice: "Give the photo a shorter name."),
    ErrorExplanation(
      "destination-taken",
      means: """
        The output of “edit render” exists already, or is the photo itself or a file of its \
        edit.
        """, advice: "Choose another name, or allow it with --overwrite."),
    // Filters and looks.
    ErrorExplanation(
      "unknown-filter",
      means: """
        There is no filter of this name, neither shipped nor your own, and no file of a filter.
        """,
      advice: "“edit filters” lists them; a file is named with its ending, such as look.cube."),
    ErrorExplanation(
      "unusable-filter", means: "The filter's file is not JSON, or not the JSON of a filter.",
      advice: "“edit filters noir --json” shows what a filter looks like."),
    ErrorExplanation(
      "unusable-lookup-table",
      means: "The file is no lookup table: the message says on which line a .cube file is wrong.",
      advice: "Correct the line or get the file again; a HaldCLUT must have its original size."),
    ErrorExplanation(
      "invalid-filter-name", means: "This cannot be the name of a filter.",
      advice: "Use at most 100 lower case letters, digits and hyphens, such as “my-look”."),
    ErrorExplanation(
      "filter-name-taken",
      means: "A filter of this name ships with Safelight, or you saved one before.",
      advice: "Choose another name, or allow it with --replace."),
    ErrorExplanation(
      "nothing-to-copy",
      means: "The photo has no edit that could be copied to others or saved as a filter.",
      advice: "Name a photo that “edit apply” or “edit adjust” has edited."),
    ErrorExplanation(
      "nothing-to-compare",
      means: "The photo has no edit, so there is nothing to show beside the original.",
      advice: "Name a look with “edit compare --filter”, or edit the photo first."),
    // History and versions.
    ErrorExplanation(
      "no-such-step", means: "The photo's history has no step of this number.",
      advice: "“edit history” lists the steps."),
    ErrorExplanation(
      "step-unavailable",
      means: """
        The photo cannot be brought to that step of its history: on the way is an edit of \
        another program, or of a newer Safelight, that cannot be rendered again.
        """,
      advice: """
        “edit revert” gives the original back, and another program's sidecar that was there \
        first.
        """),
    ErrorExplanation(
      "no-such-version", means: "The photo has no version of this name.",
      advice: "“edit version list” lists the versions."),
    ErrorExplanation(
      "version-unusable",
      means: """
        The photo has the version, but giving it the version's edit would lose pixels that \
        cannot be made again: another program's edit is below one of the two.
        """,
      advice: """
        Keep the present edit with “edit version save”, or take the version's render as a \
        picture.
        """),
    ErrorExplanation(
      "version-exists", means: "The photo has a version of this name already.",
      advice: "Choose another name, or allow it with --replace."),
    ErrorExplanation(
      "invalid-version-name", means: "This cannot be the name of a version.",
      advice: "Use 1 to 64 letters, digits, hyphens, underscores and dots, with no dot in front."),
    ErrorExplanation(
      "has-versions", means: "A revert would drop the photo's named versions too.",
      advice: """
        “edit revert --versions” drops them too; “edit history --to 0” shows the original and \
        keeps them.
        """),
    ErrorExplanation(
      "crop-outside", means: "The part of the picture to keep does not lie inside it.",
      advice: "Choose a part of the picture; the message says how large the picture is."),
    // Anything.
    ErrorExplanation(
      "disk-full",
      means: "There is no room left on the disk, or in your quota. The old edit stands.",
      advice: "Free some space and try again."),
    ErrorExplanation(
      "file-system", means: "The system refused a step on one of the files. The old edit stands.",
      advice: "Do what the message says; often the folder's permissions need to change."),
    ErrorExplanation(
      "output-refused",
      means: """
        An editor other than the “edit” commands handed in an edit without data, without a \
        rendered JPEG, or with a text that a sidecar cannot carry.
        """, advice: "Correct the program that made it, as the message says."),
    ErrorExplanation(
      "input-outdated",
      means: "The photo was edited, reverted or replaced after the editor had asked for it.",
      advice: "Ask for the photo again and repeat the edit."),
    ErrorExplanation(
      "cancelled", means: "The work was interrupted. The old edit stands.",
      advice: "Start it again when you like."),
    ErrorExplanation(
      "internal", means: "Safelight took steps in the wrong order. The old edit stands.",
      advice: "Please report it, with what you did."),
    ErrorExplanation(
      "unexpected",
      means: """
        Something failed that Safelight has no name for. The old edit stands; the message has \
        the detail.
        """, advice: "Please report it, with the message and what you did."),
    // “edit relink” and “edit verify”.
    ErrorExplanation(
      "original-not-found",
      means: "“edit relink” found no file with the content of the photo that the sidecar is about.",
      advice: "Name another folder to search with --in."),
    ErrorExplanation(
      "ambiguous-original",
      means: """
        “edit relink” found several files with the content of the photo that the sidecar is \
        about.
        """, advice: "Move all but one of them elsewhere, and put them back afterwards."),
    ErrorExplanation(
      "target-has-an-edit",
      means: """
        “edit relink” found the photo that the sidecar is about, and it has another edit \
        already.
        """,
      advice: """
        Drop the other edit with “edit revert” to give the photo this one, or move the sidecar \
        away.
        """),
    ErrorExplanation(
      "base-missing",
      means: """
        The “_base.jpg” that an edit starts from is missing, so the edit cannot be rendered \
        again.
        """, advice: "Restore it from a backup, or drop the edit with “edit revert”."),
    ErrorExplanation(
      "version-missing", means: "“edit verify” misses the render of a named version.",
      advice: "Make it again with “edit version use NAME” and “edit version save --replace NAME”."),
    ErrorExplanation(
      "record-newer",
      means: "“edit verify” found a sidecar that a newer Safelight wrote, and did not check it.",
      advice: "Update Safelight."),
    ErrorExplanation(
      "orphan-render", means: "“edit verify” found a render that no sidecar names.",
      advice: "Put its sidecar back, remove it, or rename it to keep it as a photo of its own."),
    ErrorExplanation(
      "leftover",
      means: "“edit verify” found a hidden file that a program left behind when it died.",
      advice: "Remove it with “edit verify --fix”."),
    // Batches.
    ErrorExplanation(
      "folder", means: "The name is that of a folder.",
      advice: "Take the photos in it with --recursive, or name them as “folder/*.jpg”."),
    ErrorExplanation(
      "interrupted",
      means: "The command was interrupted before the photo was done. The old edit stands.",
      advice: "Give the same command again; photos that are done stay as they are."),
    ErrorExplanation(
      "timed-out", means: "The photo took longer than --timeout allows, and was given up.",
      advice: "Give it more time with --timeout; 0 sets no limit."),
    ErrorExplanation(
      "worker-crashed",
      means: """
        The process that worked on the photo ended early: a decoder crashed, or the memory that \
        --memory-limit allows was used up. Other photos are not touched by it.
        """,
      advice: """
        If the photo is a large one, allow more with --memory-limit. If not, its file may be \
        damaged: see whether another program opens it.
        """),
    ErrorExplanation(
      "worker-unavailable", means: "The system let no process be started for the photo.",
      advice: "Free memory, or work on fewer photos at the same time with --jobs."),
    ErrorExplanation(
      "bad-job", means: "A line that “edit worker” read is not a job that it can do.",
      advice: "Write a line as “edit worker --help” shows it, with a command on photos."),
    // Changing a library.
    ErrorExplanation(
      "change-refused",
      means: "The library cannot be changed in this way; the message says why. Nothing was done.",
      advice: "Do what the message says, and try again."),
    ErrorExplanation(
      "token-expired",
      means: """
        The history of the library does not go back to the token, or it is another library's.
        """,
      advice: """
        Read the whole library again, and go on from what “edit library changes --now” prints.
        """),
    ErrorExplanation(
      "cannot-ask", means: "The command would ask something, and there is no terminal.",
      advice: "Give the answer as the message says: --yes, or “edit library access grant”."),
    // Access to a library.
    ErrorExplanation(
      "access-denied", means: "The program that the command acts for was not allowed to do this.",
      advice: "The owner of the library can allow it with “edit library access grant”."),
    ErrorExplanation(
      "access-undecided",
      means: "Nobody has said yet whether the program that the command acts for may do this.",
      advice: "Answer the question on the terminal, or use “edit library access grant”."),
    ErrorExplanation(
      "access-restricted",
      means: "The program that the command acts for may not do this, and asking does not help.",
      advice: "The owner of the library can allow it with “edit library access grant”."),
    ErrorExplanation(
      "usage-missing", means: "A program asks for a library and does not say why.",
      advice: "Say it in one sentence with --usage, which the user is shown."),
    ErrorExplanation(
      "no-such-client", means: "No program of this name has ever asked for the library.",
      advice: "“edit library access list” lists those that have."),
    // Opening a library.
    ErrorExplanation(
      "no-library", means: "There is no library in the folder.",
      advice: "Make one with “edit library init”."),
    ErrorExplanation(
      "catalog-missing", means: "The library's catalog is gone, but the export beside it is there.",
      advice: "Make the catalog again with “edit library rebuild”."),
    ErrorExplanation(
      "library-folder-taken", means: "A library was to be made in a folder that holds other files.",
      advice: "Choose a new or empty folder; folders with photos are added to it afterwards."),
    ErrorExplanation(
      "library-newer", means: "A newer Safelight wrote the library's catalog. It was not touched.",
      advice: "Update Safelight."),
    ErrorExplanation(
      "library-damaged", means: "The library's catalog cannot be read.",
      advice: """
        Make it again with “edit library rebuild”, which reads the export beside it and the \
        photos.
        """),
    ErrorExplanation(
      "library-busy", means: "Another program has been writing to the library for too long.",
      advice: "Try again when the other program is done."),
    ErrorExplanation(
      "library-unusable", means: "The system does not let the library's files be read or written.",
      advice: "Do what the message says; often the folder's permissions need to change."),
    ErrorExplanation(
      "folder-unusable", means: "A folder to take photos from is no folder that can be read.",
      advice: "Check its name, its permissions, and that its disk is mounted."),
    // Naming photos and albums.
    ErrorExplanation(
      "not-in-library", means: "The library has no photo at this path or of this identifier.",
      advice: "Take its folder in with “edit library add”, or scan again with “edit library scan”."),
    ErrorExplanation(
      "not-in-trash", means: "The photo is not in the library's trash.",
      advice: "“edit library trash list” lists what is."),
    ErrorExplanation(
      "invalid-predicate",
      means: "What --where or --sort says cannot be understood; the message names the column.",
      advice: "Correct it there; “edit library list --help” lists the keys and the comparisons."),
    ErrorExplanation(
      "no-such-album", means: "The library has no album, or no folder of albums, of this name.",
      advice: "“edit library album list” lists them."),
    ErrorExplanation(
      "ambiguous-album", means: "Several albums have this name.",
      advice: "Name one with its folder as “folder/name”, or by its identifier."),
    ErrorExplanation(
      "album-exists", means: "An album or folder of this name is there already.",
      advice: "Choose another name."),
    ErrorExplanation(
      "folder-not-empty", means: "A folder of albums that is to be deleted has albums in it.",
      advice: "Delete or move these first, or delete them too with --recursive."),
    ErrorExplanation(
      "already-in-album", means: "An album has each photo once, and has this one already.",
      advice: "Change its place with “edit library album move”."),
    ErrorExplanation(
      "not-in-album", means: "The photo does not show in the album: it is not in it, or hidden.",
      advice: "“edit library album add” adds it."),
    // “edit library verify”.
    ErrorExplanation(
      "catalog-damaged", means: "“edit library verify” found the catalog damaged.",
      advice: "Make it again with “edit library rebuild”."),
    ErrorExplanation(
      "counts-wrong",
      means: """
        “edit library verify” counted the photos and found other numbers than the catalog has.
        """, advice: "Make the catalog again with “edit library rebuild”."),
    ErrorExplanation(
      "export-unreadable", means: "The JSON beside the catalog is damaged.",
      advice: "Write it again with “edit library verify --fix”."),
    ErrorExplanation(
      "export-outdated", means: "The JSON beside the catalog does not agree with the catalog.",
      advice: "Write it again with “edit library verify --fix”."),
    ErrorExplanation(
      "folder-missing", means: "A folder of the library is not there, or cannot be read.",
      advice: "Check that its disk is mounted."),
    ErrorExplanation(
      "photo-missing", means: "A photo is not where the library expects it.",
      advice: "“edit library scan” finds it where it was moved to, or takes it out of the library."),
    ErrorExplanation(
      "photo-changed", means: "A photo was changed or replaced since the library read it.",
      advice: "Scan again with “edit library scan”."),
    ErrorExplanation(
      "edit-outdated", means: "A photo's edit is not the one that the library knows.",
      advice: "Scan again with “edit library scan”."),
  ]
}
