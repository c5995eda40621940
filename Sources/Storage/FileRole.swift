import SafelightAdjustments
import SafelightFiles

/// What a file is to a photo: a row of the table of roles, and a name where a photo may have several such files.
///
/// What Storage does with a photo's files follows from the table: how they are named, staged, recorded, compared,
/// moved with the photo and removed. A new kind of file is a row in it.
package struct FileRole: Sendable, Hashable {
  /// Its row.
  package let kind: Kind
  /// The name of the version that the file belongs to; `nil` for files of which a photo has one.
  package let name: String?

  private init(_ kind: Kind, _ name: String? = nil) { (self.kind, self.name) = (kind, name) }

  /// The photo as it was taken. Safelight never writes it.
  package static let original = FileRole(.original)
  /// The record of a change that is being made, until it is the sidecar.
  static let record = FileRole(.record)
  /// The sidecar: the record that counts, or another program's that a revert puts back.
  package static let sidecar = FileRole(.sidecar)
  /// The rendered JPEG of the present edit.
  package static let render = FileRole(.render)
  /// The pixels that the present edit starts from.
  package static let base = FileRole(.base)
  /// The video of a Live Photo with the present edit.
  package static let video = FileRole(.video)
  /// The rendered JPEG of the version of this name.
  package static func version(_ name: String) -> FileRole { FileRole(.version, name) }

  /// The rendered JPEG of a named version, or of the present edit.
  package static func render(of version: String?) -> FileRole {
    version.map(FileRole.version) ?? .render
  }

  /// The files that a record names and of which a photo has one, in the order of the record.
  package static let single = Kind.recorded.filter { !$0.isMany }.map { FileRole($0) }
}

extension FileRole {
  /// A row of the table.
  package struct Kind: Sendable, Hashable {
    /// Who the file belongs to.
    enum Owner: Sendable, Hashable {
      /// The photo, whatever its edit is.
      case original
      /// The edit: the file goes where the edit goes, and when it is dropped.
      case edit
    }

    /// What stands for such a file in the hidden names of staged files, and in what a record says of them.
    let word: String
    /// What follows the photo's name, before a version's name.
    var mark = ""
    /// What follows it all.
    var ending = ""
    /// Its key in Safelight's part of a record; `nil` for what no record names.
    var key: String?
    let owner: Owner
    /// Whether it is rendered from an edit, names that edit, and can be made again.
    package var isRendered = false
    /// Whether a record says its size in pixels and what rendered it.
    var isPicture = false
    /// Whether a photo may have several, told apart by names of versions.
    var isMany = false
    /// What PhotoKit calls the file among the photo's resources; `nil` for what is none.
    package var resource: String?
    /// The uniform type identifier of the content; `nil` for the original's own. A video may be an MP4 instead, which its
    /// bytes say.
    package var contentType: String?

    /// The table. Kinds of which a photo has one file come first.
    package static let all = [original, record, sidecar, render, base, video, version]

    static let original = Kind(
      word: "original", key: "original", owner: .original, resource: "photo")
    static let record = Kind(word: "record", owner: .edit)
    static let sidecar = Kind(
      word: "sidecar", ending: ".aae", owner: .edit, resource: "adjustmentData",
      contentType: "com.apple.photos.apple-adjustment-envelope")
    static let render = Kind(
      word: "render", mark: "_edited", ending: ".jpg", key: "render", owner: .edit,
      isRendered: true, isPicture: true,
      resource: "fullSizePhoto", contentType: "public.jpeg")
    static let base = Kind(
      word: "base", mark: "_base", ending: ".jpg", key: "base", owner: .edit,
      resource: "adjustmentBasePhoto", contentType: "public.jpeg")
    static let video = Kind(
      word: "video", mark: "_edited", ending: ".mov", key: "video", owner: .edit,
      isRendered: true, resource: "fullSizePairedVideo",
      contentType: "com.apple.quicktime-movie")
    static let version = Kind(
      word: "version", mark: "_edited-", ending: ".jpg", key: "versions", owner: .edit,
      isRendered: true, isPicture: true, isMany: true, resource: "alternatePhoto",
      contentType: "public.jpeg")

    /// The files of an edit that a record names.
    static let recorded = all.filter { $0.owner == .edit && $0.key != nil }
    /// The keys under which records name them.
    static let recordKeys = Set(recorded.compactMap(\.key))

    /// Whether a file of this kind may have the name, around a photo of any name.
    func hasMark(in name: String) -> Bool { name.hasSuffix(ending) && name.contains(mark) }
  }

  /// What the names of such files end in.
  package var suffix: String { kind.mark + (name ?? "") + kind.ending }

  /// Whether the file is rendered from an edit, and can be made again.
  package var isRendered: Bool { kind.isRendered }

  /// The error for such a file that is not as it was recorded.
  func changed(_ path: FilePath) -> StorageError {
    isRendered ? .renderChanged(path) : .baseChanged(path)
  }
}

extension Record {
  /// A file that the record names beside the sidecar and the original.
  package struct File: Sendable, Hashable {
    /// What it is to the edit.
    package let role: FileRole
    /// What it was when it was recorded.
    package let file: RecordedFile
  }

  /// The files that belong to the photo by this record. Those that the versions of a copied photo share with the
  /// first are not among them.
  package var files: [File] {
    let shared = Set(versions.filter(\.isShared).map { FileRole.version($0.name) })
    return namedFiles.filter { !shared.contains($0.role) }
  }

  /// All files that the record names, those of another photo too.
  package var namedFiles: [File] {
    FileRole.single.compactMap { role in
      members[role].map { File(role: role, file: $0.file) }
    } + versions.map { File(role: .version($0.name), file: $0.render.file) }
  }

  /// The edit that a file was rendered from; `nil` for a file that is no render, and for one that the record does
  /// not know.
  package func edit(renderedAs role: FileRole) -> AdjustmentData? {
    guard role.isRendered else { return nil }
    guard let name = role.name else { return adjustmentData }
    return version(named: name)?.adjustmentData
  }

  /// How a file was staged with this record; `nil` for a file that was there before.
  func stagedKind(of role: FileRole) -> HiddenFile.StagedKind? {
    if let name = role.name {
      return newVersions.firstIndex(of: name).map { HiddenFile.StagedKind(role.kind, $0) }
    }
    return staging?.roles.contains(role) == false ? nil : HiddenFile.StagedKind(role.kind)
  }
}
