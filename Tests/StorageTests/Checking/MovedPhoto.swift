import Glibc

@testable import SafelightFiles
@testable import SafelightStorage

/// A photo that was edited twice, with two named versions, and then got another name or folder.
enum MovedPhoto: String, Sendable, CaseIterable {
  /// Renamed, its sidecar left behind.
  case renamed
  /// Only the ending is another, so that the render's name still fits.
  case otherEnding
  /// Moved to another folder.
  case movedAway
  /// Moved to another folder under another name, where a name is taken already.
  case movedAndRenamed
  /// Renamed together with its sidecar.
  case renamedTogether
  /// Renamed after a change had been decided and before it was carried out.
  case renamedAfterCrash

  /// The files around one such photo.
  final class Scene: Sendable {
    let old: PhotoFolder
    let new: PhotoFolder
    /// Where the photo was; `nil` when its sidecar is beside it.
    let former: FilePath?
    let photo: FilePath

    init(old: PhotoFolder, new: PhotoFolder, former: FilePath?, photo: FilePath) {
      self.old = old
      self.new = new
      self.former = former
      self.photo = photo
    }

    /// What relinking came to.
    struct Relinked {
      let move: EditMove
      let unfinished: StorageError?
    }

    @discardableResult
    func relink(through fileSystem: FileSystem = .real) throws -> Relinked {
      let transaction = try PhotoFiles(photo, fileSystem: fileSystem)
        .begin(timeout: .zero, former: former)
      defer { transaction.end() }
      let move = try transaction.snapshot.editMove(from: former)
      return Relinked(move: move, unfinished: try transaction.moveEdit(move))
    }

    /// Everything in both folders.
    var contents: [FilePath: [UInt8]] {
      var contents: [FilePath: [UInt8]] = [:]
      for folder in [old, new] {
        let prefix: FilePath = folder === old ? "old" : "new"
        for name in folder.names {
          contents[prefix.appending(name)] = folder.bytes(folder.path.appending(name))
        }
      }
      return contents
    }
  }

  /// The sidecar, render and base of the edits, to be put into many folders.
  func preparedFiles() throws -> [FilePath: [UInt8]] {
    let folder = PhotoFolder()
    try folder.edit("first", by: "com.example.other")
    try folder.saveVersion("warm")
    try folder.saveVersion("cold")
    if self == .renamedAfterCrash {
      // Deciding renames the first file, carrying out renames those after it.
      let fileSystem = FileSystem { step in
        step.kind == .rename && !step.path.string.hasSuffix(".pending") ? .failure(EIO) : nil
      }
      try folder.edit("second", base: .currentRender, through: fileSystem)
    } else {
      try folder.edit("second", base: .currentRender)
    }
    let names = folder.names.filter { $0 != "beach.jpg" }
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, folder.bytes(folder.path.appending($0)) ?? []) })
  }

  /// Puts the files into new folders and moves the photo.
  func scene(_ files: [FilePath: [UInt8]]) throws -> Scene {
    let old = PhotoFolder()
    for (name, bytes) in files { old.put(bytes, at: old.path.appending(name)) }
    var new = old
    var name: FilePath = "shore.jpg"
    switch self {
    case .renamed, .renamedAfterCrash, .renamedTogether: break
    case .otherEnding: name = "beach.jpeg"
    case .movedAway:
      new = PhotoFolder("another.jpg")
      name = "beach.jpg"
    case .movedAndRenamed:
      new = PhotoFolder("another.jpg")
      new.put("somebody's", at: new.path.appending("shore_edited.jpg"))
    }
    let photo = new.path.appending(name)
    _ = rename(old.photo.string, photo.string)
    if self == .renamedTogether {
      _ = rename(old.sidecar.string, photo.suffixed(".aae").string)
    }
    return Scene(
      old: old, new: new, former: self == .renamedTogether ? nil : old.photo, photo: photo)
  }

  /// The names in both folders once the edit has moved.
  var finalNames: [FilePath] {
    switch self {
    case .renamed, .renamedTogether, .renamedAfterCrash:
      ["shore.jpg", "shore.jpg.aae", "shore_base.jpg"] + Self.renders("shore")
    case .otherEnding:
      ["beach.jpeg", "beach.jpeg.aae", "beach_base.jpg"] + Self.renders("beach")
    case .movedAway:
      ["another.jpg", "beach.jpg", "beach.jpg.aae", "beach_base.jpg"] + Self.renders("beach")
    case .movedAndRenamed:
      ["another.jpg", "shore.jpg", "shore.jpg.aae", "shore.jpg_edited.jpg", "shore_base.jpg"]
        + Self.renders("shore")
    }
  }

  private static func renders(_ stem: String) -> [FilePath] {
    ["-cold", "-warm", ""].map { FilePath("\(stem)_edited\($0).jpg") }
  }
}
