/// A file beside a record that belongs to its edit.
package struct NamedFile: Sendable, Hashable {
  /// What the file is to the edit.
  package enum Role: Sendable, Hashable {
    /// The rendered JPEG.
    case render
    /// The pixels that the edit starts from.
    case base
  }

  /// What the file is to the edit.
  package let role: Role
  /// Its name and content as recorded.
  package let file: RecordedFile

  /// What its name has after the original's stem.
  var suffix: String {
    switch role {
    case .render: AssetNames.renderSuffix
    case .base: AssetNames.baseSuffix
    }
  }

  var stagedRole: StagedFile.Role {
    switch role {
    case .render: .render
    case .base: .base
    }
  }

  /// The error for a file that does not hold what the record says.
  func changed(_ path: FilePath) -> StorageError {
    switch role {
    case .render: .renderChanged(path)
    case .base: .baseChanged(path)
    }
  }
}

extension Record {
  /// All files that the record names beside the original, in a fixed order.
  ///
  /// The one place that says so to whatever checks or moves an edit.
  package var files: [NamedFile] {
    var files: [NamedFile] = []
    if let render { files.append(NamedFile(role: .render, file: render.file)) }
    if let base { files.append(NamedFile(role: .base, file: base)) }
    return files
  }
}

extension FileSystem {
  /// The names of the files that a sidecar or a pending record names.
  ///
  /// - Returns: `nil` when it is there and cannot be read, so that nobody knows.
  package func filesNamed(byRecordAt path: FilePath) throws(StorageError) -> [FilePath]? {
    guard let loaded = try LoadedRecord.load(path, self) else { return [] }
    guard case .commit(let record)? = try? loaded.change() else {
      return (try? loaded.change()).map { _ in [] }
    }
    return record.files.map(\.file.name)
  }
}
