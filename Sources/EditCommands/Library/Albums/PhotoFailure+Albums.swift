import PhotoEditing

extension PhotoFailure {
  static func noSuchAlbum(_ name: String, near: String?) -> PhotoFailure {
    PhotoFailure(
      code: "no-such-album", message: "The library has no album called “\(name)”.",
      hint: near.map { "Did you mean “\($0)”?" } ?? "“edit library album list” lists them.")
  }

  static func noSuchFolder(_ name: String, near: String?) -> PhotoFailure {
    PhotoFailure(
      code: "no-such-album", message: "The library has no folder of albums called “\(name)”.",
      hint: near.map { "Did you mean “\($0)”?" }
        ?? "Make it with “edit library album create --folder”.")
  }

  static func ambiguousAlbum(_ name: String, _ identifiers: [String]) -> PhotoFailure {
    PhotoFailure(
      code: "ambiguous-album", message: "\(identifiers.count) albums are called “\(name)”.",
      hint: "Name one as “folder/name” or by identifier: \(identifiers.joined(separator: ", ")).")
  }

  static func albumExists(_ name: String) -> PhotoFailure {
    PhotoFailure(
      code: "album-exists", message: "There is an album or folder called “\(name)” already.",
      hint: "Choose another name.")
  }

  static func folderNotEmpty(_ name: String, count: Int) -> PhotoFailure {
    PhotoFailure(
      code: "folder-not-empty",
      message: "The folder “\(name)” has \(counted(count, "album")) in it.",
      hint: "Delete or move these first, or delete them too with --recursive.")
  }

  static func alreadyInAlbum(_ album: String, _ photo: FilePath) -> PhotoFailure {
    PhotoFailure(
      code: "already-in-album", message: "\(photo) is in “\(album)” already.", hint: nil)
  }

  static func fillsItself(_ album: String) -> PhotoFailure {
    PhotoFailure(
      code: "change-refused", message: "“\(album)” fills itself and cannot be arranged.",
      hint: "Make an album of your own with “edit library album create”.")
  }
}
