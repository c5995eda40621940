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
