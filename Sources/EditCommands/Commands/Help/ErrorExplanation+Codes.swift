import PhotoEditing

extension EditError.Code {
  /// What happened and what to do, for people who meet the code in JSON.
  var explanation: (meaning: String, advice: String) {
    switch self {
    case .originalMissing:
      (
        "There is no file of this name, or it is a symbolic link that leads nowhere.",
        "Check the name, and that the disk is mounted."
      )
    case .originalNotAFile:
      (
        "The name is that of a folder, a device or a pipe, not of a photo.",
        "Name the photos in it instead, for instance as “folder/*.jpg”."
      )
    case .originalUnreadable:
      (
        "The system does not let this user read the photo, or the disk reported an error.",
        "Change the file's permissions, or work as a user who may read it."
      )
    case .originalChanged:
      (
        """
        The photo has an edit, but it is not the picture that was edited: another file has taken \
        its name, or another program has written to it.
        """,
        """
        Put the original back, or drop the edit with “edit revert” and start anew with the \
        picture that is there.
        """
      )
    case .empty:
      ("The photo has no bytes at all.", "Copy it again from where it came from.")
    case .notAPicture:
      (
        "The file's content is of no kind of picture that Safelight knows, whatever its name says.",
        "Name JPEG, PNG, TIFF, WebP, HEIC or AVIF files."
      )
    case .unsupportedFormat:
      (
        "The file is a picture of a kind that Safelight does not edit, such as a camera raw file.",
        "Convert a copy to JPEG, PNG or TIFF and edit that."
      )
    case .missingDecoder:
      (
        "The libvips of this machine was built without the decoder for this kind of picture.",
        "Install the package that the message names."
      )
    case .damaged:
      (
        "The picture is truncated or damaged, so that it cannot be decoded to its end.",
        """
        Copy it again from where it came from. To edit what there is of it, use --allow-damaged.
        """
      )
    case .tooManyPixels:
      (
        """
        The picture's header announces more pixels than the limit, which keeps a small file from \
        filling the memory. Nothing was decoded.
        """,
        "If you trust the file, raise the limit with --pixel-limit."
      )
    case .cannotEncode:
      (
        """
        The edited picture could not be written in the format asked for; JPEG has room for 65,535 \
        pixels along a side, and WebP for 16,383.
        """,
        "Use “edit render” with --longest-side, or with --format png or tiff."
      )
    case .notUpright:
      (
        "Another program's render has an orientation tag other than 1.",
        "In that program, turn the pixels upright and set the tag to 1, or leave it out."
      )
    case .busy:
      (
        "Another program has worked on the same photo for as long as this one waited.",
        "Try again when the other program is done."
      )
    case .lockingUnavailable:
      (
        "The photo is on a disk without file locks, or on a network disk that locks only photos which "
          + "may be written to.",
        "Give yourself the right to write to the photo, or copy it to a local disk."
      )
    case .recordUnreadable:
      (
        """
        The sidecar cannot be read: it is empty, damaged, or written by a newer Safelight. It is \
        left as it is.
        """,
        "Restore it from a backup, or move it away to start with an unedited photo."
      )
    case .recordChanged:
      (
        "Another program replaced the sidecar while this one worked. The other's edit stands.",
        "See with “edit show” what it did, then try again."
      )
    case .recordTooLarge:
      (
        "The sidecar, with the photo's earlier edits, would be larger than allowed.",
        "Drop the earlier edits with “edit revert”, then edit the photo again."
      )
    case .recordOfAnotherPhoto:
      (
        "The sidecar beside the photo was written for a photo of another name and content.",
        "Move the sidecar back beside its own photo, or away."
      )
    case .foreignSidecar:
      (
        "The sidecar is another program's, so “edit revert” does not remove it.",
        "Remove the sidecar yourself if its edit is not wanted."
      )
    case .invalidAdjustments:
      (
        "The edit in the sidecar, or the one to be stored, breaks a rule of the adjustments.",
        """
        See the parameters with “edit adjustments”; if the sidecar is at fault, restore it from a \
        backup or drop it with “edit revert”.
        """
      )
    case .unknownAdjustment:
      (
        "The edit uses an adjustment of a newer Safelight. It is kept as it is.",
        "Update Safelight, or drop the edit with “edit revert”."
      )
    case .damagedLookupTable:
      (
        "The lookup table that the edit holds cannot be read.",
        "Give the photo the look again from its file, or drop the edit with “edit revert”."
      )
    case .renderChanged:
      (
        """
        The file that the edited picture goes to is not the one that Safelight wrote: somebody \
        retouched or replaced it. It is left as it is.
        """,
        "Move the file away to keep it, or use “edit revert --keep-render”; then try again."
      )
    case .renderMissing:
      (
        "The edited picture that another edit starts from is missing.",
        "Put it back, or drop the edit with “edit revert” and edit the photo anew."
      )
    case .baseChanged:
      (
        """
        The “_base.jpg” that the edit starts from is not the one that Safelight kept: somebody \
        changed or replaced it.
        """,
        "Restore it from a backup, or move it away."
      )
    case .nameTaken:
      (
        "Other files have both names that the edited picture may have.",
        "Rename or move one of the files that the message names."
      )
    case .nameTooLong:
      (
        "With the ending that Safelight adds, the file's name would be longer than Linux allows.",
        "Give the photo a shorter name."
      )
    case .destinationTaken:
      (
        "The output of “edit render” exists already, or is the photo itself or a file of its edit.",
        "Choose another name, or allow existing files to be replaced with --overwrite."
      )
    case .unknownFilter:
      (
        "There is no filter of this name, neither shipped nor your own, and no file of a filter.",
        "List the filters with “edit filters”; a file in this folder is named as “./look.json”."
      )
    case .unusableFilter:
      (
        "The filter's file is not JSON, or not the JSON of a filter.",
        "Compare it with the JSON that “edit filters noir --json” prints."
      )
    case .unusableLookupTable:
      (
        "The file is no lookup table: the message says on which line a .cube file is wrong.",
        "Correct the line or get the file again; a HaldCLUT must have its original size."
      )
    case .invalidFilterName:
      (
        "A filter cannot be called so.",
        "Use at most 100 lower case letters, digits and hyphens, such as “my-look”."
      )
    case .filterNameTaken:
      (
        "A filter of this name ships with Safelight, or you saved one before.",
        "Choose another name, or replace your own filter with --replace."
      )
    case .nothingToCopy:
      (
        "The photo has no edit that could be copied to others or saved as a filter.",
        "Edit it first; if all it has is a crop or another turn, use “edit sync --geometry”."
      )
    case .nothingToCompare:
      (
        "The photo has no edit, so there is nothing to show beside the original.",
        "Name a look with “edit compare --filter”, or edit the photo first."
      )
    case .noSuchStep:
      (
        "The photo's history has no step of this number.",
        "See with “edit history” which steps there are."
      )
    case .stepUnavailable:
      (
        """
        The photo cannot be brought to that step of its history: on the way is an edit of another \
        program, or of a newer Safelight, that cannot be rendered again.
        """,
        "Go to a step after it, or drop all edits with “edit revert”."
      )
    case .noSuchVersion:
      (
        "The photo has no version of this name.",
        "See with “edit version list” which versions it has."
      )
    case .versionUnusable:
      (
        """
        The photo has the version, but giving it the version's edit would lose pixels that cannot \
        be made again: another program's edit is below one of the two.
        """,
        "Keep the present edit with “edit version save”, or take the version's render as a picture."
      )
    case .versionExists:
      (
        "The photo has a version of this name already.",
        "Choose another name, or replace the version with --replace."
      )
    case .invalidVersionName:
      (
        "A version cannot be called so.",
        "Use at most 64 letters, digits, hyphens, underscores and dots, with no dot in front."
      )
    case .hasVersions:
      (
        "A revert would drop the photo's named versions too.",
        "Allow that with “edit revert --versions”, or see the original with “edit history --to 0”."
      )
    case .cropOutside:
      (
        "The part of the picture to keep does not lie inside it.",
        "Choose a part of the picture's size, which the message tells."
      )
    case .diskFull:
      (
        "There is no room left on the disk, or in your quota. The old edit stands.",
        "Free some space and try again."
      )
    case .fileSystem:
      (
        "The system refused a step on one of the files. The old edit stands.",
        "Do what the message says; often the folder's permissions need to change."
      )
    case .outputRefused:
      (
        """
        An editor other than the “edit” commands handed in an edit without data, without a \
        rendered JPEG, or with a text that a sidecar cannot carry.
        """,
        "Correct the program that made it, as the message says."
      )
    case .inputOutdated:
      (
        "The photo was edited, reverted or replaced after the editor had asked for it.",
        "Ask for the photo again and repeat the edit."
      )
    case .cancelled:
      ("The work was interrupted. The old edit stands.", "Start it again when you like.")
    case .internal:
      (
        "Safelight took steps in the wrong order. The old edit stands.",
        "Please report it, with what you did."
      )
    }
  }
}
