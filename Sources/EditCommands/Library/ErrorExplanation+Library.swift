extension ErrorExplanation {
  /// Codes of commands on a library.
  static let library: [ErrorExplanation] = opening + choosing + changing + consent + checking

  private static let changing: [ErrorExplanation] = [
    ErrorExplanation(
      "change-refused", "The library cannot be changed so; the message says why. Nothing was done.",
      "Do what the message says, and try again."),
    ErrorExplanation(
      "token-expired",
      "The history of the library does not go back to the token, or it is another library's.",
      "List all photos anew, and go on from the token of “edit library changes --now”."),
    ErrorExplanation(
      "cannot-ask", "The command would ask something, and there is no terminal.",
      "Give the answer as the message says: --yes, or “edit library access grant”."),
  ]

  private static let consent: [ErrorExplanation] = [
    ErrorExplanation(
      "access-denied", "The program that the command acts for was not allowed to do this.",
      "The owner of the library can allow it with “edit library access grant”."),
    ErrorExplanation(
      "access-undecided",
      "Nobody has said yet whether the program that the command acts for may do this.",
      "Answer the question on the terminal, or use “edit library access grant”."),
    ErrorExplanation(
      "access-restricted",
      "The program that the command acts for may not do this, and asking does not help.",
      "The owner of the library can allow it with “edit library access grant”."),
    ErrorExplanation(
      "usage-missing", "A program asks for a library and does not say what for.",
      "Say it in one sentence, which the user is shown, with --usage."),
    ErrorExplanation(
      "no-such-client", "No program of this name has ever asked for the library.",
      "See with “edit library access list” which have."),
  ]

  private static let opening: [ErrorExplanation] = [
    ErrorExplanation(
      "no-library", "There is no library in the folder.",
      "Make one with “edit library init”, or name another folder with --library."),
    ErrorExplanation(
      "catalog-missing", "The library's catalog is gone, and the export beside it is there.",
      "Make the catalog anew with “edit library rebuild”."),
    ErrorExplanation(
      "library-folder-taken", "A library was to be made in a folder that holds other files.",
      "Choose a new or empty folder; folders with photos are added to it afterwards."),
    ErrorExplanation(
      "library-newer", "A newer Safelight wrote the library's catalog. It was not touched.",
      "Update Safelight."),
    ErrorExplanation(
      "library-damaged", "The library's catalog cannot be read.",
      "Make it anew with “edit library rebuild”, which reads the export beside it and the photos."),
    ErrorExplanation(
      "library-busy", "Another program has been writing to the library for too long.",
      "Try again when the other program is done."),
    ErrorExplanation(
      "library-unusable", "The system does not let the library's files be read or written.",
      "Do what the message says; often the folder's permissions need to change."),
    ErrorExplanation(
      "folder-unusable", "A folder to take photos from is no folder that can be read.",
      "Check its name, its permissions, and that its disk is mounted."),
  ]

  private static let choosing: [ErrorExplanation] = [
    ErrorExplanation(
      "not-in-library", "The library has no photo at this path or of this identifier.",
      "Take its folder in with “edit library add”, or look again with “edit library scan”."),
    ErrorExplanation(
      "not-in-trash", "The photo is not in the library's trash.",
      "See with “edit library trash list” what is."),
    ErrorExplanation(
      "invalid-predicate",
      "What --where or --sort says cannot be understood; the message tells the column.",
      "Correct it there; “edit library list --help” tells the keys and the comparisons."),
    ErrorExplanation(
      "no-such-album", "The library has no album, or no folder of albums, of this name.",
      "See with “edit library album list” which there are."),
    ErrorExplanation(
      "ambiguous-album", "Several albums have this name.",
      "Name one with its folder as “folder/name”, or by its identifier."),
    ErrorExplanation(
      "album-exists", "An album or folder of this name is there already.", "Choose another name."),
    ErrorExplanation(
      "folder-not-empty", "A folder of albums that is to be deleted has albums in it.",
      "Delete or move these first, or delete them too with --recursive."),
    ErrorExplanation(
      "already-in-album", "An album has each photo once, and has this one already.",
      "Change its place with “edit library album move”."),
    ErrorExplanation(
      "not-in-album", "The photo does not show in the album: it is not in it, or hidden.",
      "Add it with “edit library album add”."),
  ]

  private static let checking: [ErrorExplanation] = [
    ErrorExplanation(
      "catalog-damaged", "“edit library verify” found the catalog damaged.",
      "Make it anew with “edit library rebuild”."),
    ErrorExplanation(
      "counts-wrong", "“edit library verify” counted other numbers of photos than are kept.",
      "Make the catalog anew with “edit library rebuild”."),
    ErrorExplanation(
      "export-unreadable", "The JSON beside the catalog is damaged.",
      "Write it anew with “edit library verify --fix”."),
    ErrorExplanation(
      "export-outdated", "The JSON beside the catalog does not say what the catalog does.",
      "Write it anew with “edit library verify --fix”."),
    ErrorExplanation(
      "folder-missing", "A folder of the library is not there, or cannot be read.",
      "Check that its disk is mounted."),
    ErrorExplanation(
      "photo-missing", "A photo is not where the library knows it.",
      "Look where it went with “edit library scan”; what is gone then leaves the library."),
    ErrorExplanation(
      "photo-changed", "A photo was changed or replaced since the library looked at it.",
      "Look again with “edit library scan”."),
    ErrorExplanation(
      "edit-outdated", "A photo's edit is not the one that the library knows.",
      "Look again with “edit library scan”."),
  ]
}
