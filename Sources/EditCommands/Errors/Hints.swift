import Glibc
import PhotoEditing
import PhotoLibraryKit
import SafelightArguments
import SafelightFiles

// Hints for errors whose values allow a better hint than the table of errors has for their codes.

extension RelinkError {
  var hint: Advice? {
    switch self {
    case .failed(let error): error.hint
    case .ambiguous(_, let candidates) where candidates.count == 1:
      Advice(
        """
        It has been there since before the photo was edited, as a backup has, and another picture has the photo's \
        name. Name the sidecar, and the folder with --in, to move the edit there.
        """, elsewhere: nil)
    default: ErrorExplanation.advice(for: code)
    }
  }
}

extension EditError {
  var hint: Advice? {
    switch self {
    case .fileSystem(_, let error), .storage(.fileSystem(let error)),
      .storage(.originalUnreadable(let error)):
      return error.hint ?? ErrorExplanation.advice(for: code)
    case .storage(.recordUnreadable(_, let error)): return error.hint
    case .storage(.versionMissing(_, let name, let present)):
      if let meant = Advice(meaning: nearest(to: name, among: present)) { return meant }
      return present.isEmpty
        ? "“edit version save” makes one of the present edit."
        : "The photo has \(present.joined(separator: ", "))."
    case .render(_, .missingDecoder(_, let package)): return "Install \(package)."
    case .render(_, .tooManyBytes):
      return "Allow more bytes, or ask for a smaller picture, such as by its longest side."
    case .render(_, let error):
      return error.help.map { Advice(stringLiteral: $0) } ?? ErrorExplanation.advice(for: code)
    case .cropOutside(_, let size, _):
      return
        "Choose a part of the uncropped picture, which has \(size.width) × \(size.height) pixels."
    case .unknownFilter(let name):
      return Advice(meaning: Self.filter(like: name)) ?? ErrorExplanation.advice(for: code)
    case .unusableLookupTable(let path, let error): return error.hint(for: path)
    case .filterName(_, .shipped): return "Shipped filters stay as they are; choose another name."
    case .nothingToCopy(_, .onlyGeometry):
      return "Give it a filter or adjustments, or copy its geometry with “edit sync --geometry”."
    case .nothingToCopy(_, .anotherProgramsEdit):
      return "Only edits made with Safelight can be copied."
    case .versionUnusable(_, _, .renderMissing):
      return "Put the render back; it cannot be made again."
    case .destinationTaken(_, .exists): return ErrorExplanation.advice(for: code)
    case .destinationTaken: return "Choose another name or folder."
    default: return ErrorExplanation.advice(for: code)
    }
  }

  /// The filter whose name is most like one that does not exist.
  static func filter(like name: String) -> String? {
    // When the user's filters cannot be read, only those that ship are offered.
    let own = try? CommandSurroundings.userFilters.list().filters
    return nearest(to: name, among: (Filter.shipped + (own ?? [])).map(\.name))
  }
}

extension FileSystemError {
  /// What can be done about the system's reason; `nil` when nothing general helps.
  var hint: Advice? {
    switch errno {
    case ENOSPC: "Free some space on that disk and try again."
    case EDQUOT: "Free some of the quota and try again."
    case EACCES, EPERM:
      "Change the permissions of the file or its folder, or work as a user who may do this."
    case EROFS: "Make the disk writable, or copy the photo to a folder that is."
    case EIO: "Check the disk and its cable; the photo may need restoring from a backup."
    case ENOENT: "Check the name, and that its folder is there."
    case ENOTDIR: "Check the folders in its path."
    case EISDIR: "Name a file, or move the folder away."
    case ESPIPE: "Name a file, or move this away."
    case ENOMEDIUM: "The folder is empty: mount its disk, or leave it out."
    case EEXIST: "Choose another name."
    case ENAMETOOLONG: "Choose a shorter name."
    case EFBIG where operation.kind == .write: "Raise the limit on the size of files (“ulimit -f”)."
    case EMFILE, ENFILE: "Close some files, or raise the limit on open files."
    case ELOOP: "Replace the symbolic link by the file that it names."
    default: nil
    }
  }
}

extension RecordError {
  /// What can be done about a sidecar that cannot be read. It is left as it is.
  var hint: Advice? {
    switch self {
    case .binaryPropertyList:
      "Convert it with “plutil -convert xml1” or “plistutil -i … -o …”, then try again."
    case .newerVersion: "Use a newer Safelight."
    default: ErrorExplanation.advice(for: "record-unreadable")
    }
  }
}

extension LookupTableError {
  /// What can be done about a look's file.
  fileprivate func hint(for path: FilePath) -> Advice {
    switch self {
    case .cubeFile(_, let problem): problem.hint
    case .notHald:
      // When the filter is forgotten, the first photo is read as a look.
      """
      If it is a photo, put a filter before it, as in “edit apply noir \(path)”; a HaldCLUT needs \
      its own size.
      """
    case .invalid: "Make the table again with numbers that fit its size."
    case .tooLarge: "Make a table of 65 or fewer places along each edge."
    case .damaged: "Apply the look again from its file, or revert the photo."
    }
  }
}

extension CubeFileProblem {
  /// What can be done about a line of a `.cube` file.
  fileprivate var hint: Advice {
    switch self {
    case .empty, .tooFewRows, .missingNumbers, .leftover:
      "The file may have been cut short or mangled; get it again."
    case .notANumber(let word) where word.contains(","):
      "Write numbers with a point, and nothing but spaces between them."
    case .notANumber, .notFinite: "A row is three numbers such as “0.5 0.25 1e-3”."
    case .noSize: "Put “LUT_3D_SIZE n” or “LUT_1D_SIZE n” before the rows."
    case .size: "Export the table in another size; 33 is usual for LUT_3D_SIZE."
    case .repeated, .keywordAmongRows: "Say everything once, before the rows."
    case .bothSizes:
      """
      A file has one size; a shaper before a cube needs LUT_1D_INPUT_RANGE or LUT_3D_INPUT_RANGE.
      """
    case .emptyDomain: "Give each channel a DOMAIN_MIN below its DOMAIN_MAX."
    case .tooManyRows: "Check that the size is the one that the rows were made for."
    }
  }
}

extension PhotoProblem {
  var hint: Advice? {
    switch kind {
    case .originalMissing:
      """
      Put it back, or let “edit relink” find it under its new name. If it is gone for good, “edit verify \
      --fix --gone” puts its edit away.
      """
    case .originalLinkBroken:
      "Get the file back that it leads to, as “git annex get” does, or mount its disk."
    case .notSynced(isNewer: false):
      "Wait until it has come, or make it with “edit render --stale”; the next edit does that too."
    case .notSynced(isNewer: true):
      """
      Wait until the sidecar has come. “edit render --stale” and the next edit make a new render and \
      keep this picture in .safelight-trash.
      """
    case .partialCopy: "Wait until it is done; if nothing is being copied, remove the file."
    case .conflictCopy(let conflict) where conflict.isContained:
      "“edit verify --fix” puts it into .safelight-trash."
    case .conflictCopy(let conflict) where !conflict.isBesideRecord:
      "Rename it to “\(conflict.ownRecord)” to give the photo this edit."
    case .conflictCopy(let conflict) where conflict.isRender:
      """
      Wait for the sidecar of that machine; “edit history --merge” keeps its edit. If none comes, \
      rename the picture to keep it; commands take it when it is named.
      """
    case .conflictCopy(let conflict):
      """
      “edit history \(conflict.photo)” shows it; “edit history --merge \(conflict.photo)” keeps it as a \
      version of the photo.
      """
    case .renderMissing, .renderOfTwin: "“edit render --stale” makes it again."
    case .orphanRender(let original) where !isBeside(original):
      """
      It may be the last picture of that photo. If the photo was renamed, let “edit relink” find it; else put \
      it back with its sidecar, or move the picture to another folder to keep it.
      """
    case .foreignSidecar, .editedElsewhere: nil
    case .interrupted(true): "“edit verify --fix” finishes it, and so does the next edit."
    case .interrupted(false): "Put the photo back, or let “edit relink” find it."
    case .leftover(false):
      "If its photo is gone for good, “edit verify --fix --gone” puts it away with the edit."
    case .recordUnreadable(let error): error.hint
    case .failed(let error): error.hint
    default: ErrorExplanation.advice(for: code)
    }
  }
  /// Whether a file of this name is in the folder of the file that the problem is about.
  private func isBeside(_ name: String) -> Bool {
    (try? FileSystem.real.exists(file.removingLastComponent().appending(FilePath(name)))) == true
  }
}

extension PhotoLibraryError {
  var hint: Advice? {
    switch self {
    case .identifierNotFound, .objectOfAnotherLibrary, .invalidValue, .predicateNotSupported,
      .changeNotSupported, .operationInterrupted, .invalidResource, .missingResource:
      nil
    case .accessNotDetermined(let client), .cannotAsk(let client):
      "The owner of the library can allow it with “edit library access grant \(client)”."
    default: ErrorExplanation.advice(for: code)
    }
  }
}

extension PredicateFormatError {
  /// What can be done about it; `nil` when the message says it all.
  fileprivate var hint: Advice? {
    switch reason {
    case .tooLong: "Fetch by identifiers, or in several steps."
    case .tooDeep: "Leave out parentheses."
    case .unknownKey(_, let nearest):
      Advice(meaning: nearest) ?? ErrorExplanation.advice(for: "invalid-predicate")
    case .unclosedQuotation: "Put “\\” before a quotation mark that belongs to the text."
    case .invalidDate:
      "Write it as '2024-05-01' or '2024-05-01 18:30:00'; with Z behind it, it is in UTC."
    case .wrongKind(_, "a date", _): "Write a date as '2024-05-01'."
    case .wrongKind(_, "a list of texts", _):
      "Write keywords CONTAINS 'beach' or ANY keywords = 'beach'."
    case .expected, .wrongKind, .argument, .unsupported: nil
    }
  }
}

extension EditCommandError {
  var hint: Advice? {
    let advice = ErrorExplanation.advice(for: code)
    return switch self {
    case .cancelled: nil
    case .noLibrary(let folder, true): "Make one with “edit library init --library \(folder)”."
    case .cannotAsk(_, let instead): Advice(instead, elsewhere: advice?.elsewhere)
    case .invalidPredicate(_, let error), .invalidSortKey(_, let error): error.hint
    case .invalidOrder:
      Advice(
        "Write --sort creationDate or --sort creationDate:descending.",
        elsewhere: "Write creationDate or creationDate:descending.")
    case .noSuchClient(_, let name), .noSuchAlbum(_, let name): Advice(meaning: name) ?? advice
    case .noSuchAlbumFolder(_, let name):
      Advice(meaning: name) ?? "Make it with “edit library album create --folder”."
    case .ambiguousAlbum(_, let identifiers):
      "Name one as “folder/name” or by identifier: \(identifiers.joined(separator: ", "))."
    case .fillsItself: "Make an album of your own with “edit library album create”."
    default: advice
    }
  }
}

/// The question whether another name was meant; `nil` without one.
func didYouMean(_ name: String?) -> String? { name.map { "Did you mean “\($0)”?" } }
