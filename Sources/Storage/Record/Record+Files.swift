extension Record {
  /// What a file is to a photo's edit.
  public enum FileRole: Sendable, Hashable {
    /// The rendered JPEG of the present edit.
    case render
    /// The pixels that the present edit starts from.
    case base
    /// The rendered JPEG of the version of this name.
    case version(String)
  }

  /// A file that the record names beside the sidecar and the original.
  public struct File: Sendable, Hashable {
    /// What it is to the edit.
    public let role: FileRole
    /// What it was when it was recorded.
    public let file: RecordedFile
  }

  /// The files that belong to the photo by this record: its render, its base, and the renders of its
  /// versions. Those that the versions of a copied photo share with the first are not among them.
  public var files: [File] {
    namedFiles.filter { file in
      !versions.contains { $0.isShared && .version($0.name) == file.role }
    }
  }

  /// All files that the record names, those of another photo too.
  var namedFiles: [File] {
    var files: [File] = []
    if let render { files.append(File(role: .render, file: render.file)) }
    if let base { files.append(File(role: .base, file: base)) }
    return files + versions.map { File(role: .version($0.name), file: $0.render.file) }
  }
}

extension Record.FileRole {
  /// What the names of such files end in.
  var suffix: String {
    switch self {
    case .render: PhotoNames.renderSuffix
    case .base: PhotoNames.baseSuffix
    case .version(let name): PhotoNames.versionMark + name + ".jpg"
    }
  }

  /// The error for such a file that is not as it was recorded.
  func changed(_ path: FilePath) -> StorageError {
    self == .base ? .baseChanged(path) : .renderChanged(path)
  }
}
