extension LoadedRecord {
  /// The bytes of this record for an original and files of other names.
  ///
  /// Whatever is not a name of a file stays byte for byte: the edit, the history, what was undone,
  /// keys nobody here knows. What the record replaced when it was made goes: that is about the old
  /// place.
  /// - Parameters:
  ///   - original: The original's new name.
  ///   - names: The new name of each file that the record names, by its old one.
  ///   - replaced: The SHA-256 of the sidecar that these bytes will take the place of.
  ///   - newVersion: The version whose render comes with these bytes.
  /// - Throws: ``StorageError/recordUnreadable(_:_:)``.
  func renamed(
    for original: FilePath, _ names: [FilePath: FilePath], replacing replaced: Digest? = nil,
    newVersion: String? = nil
  ) throws(StorageError) -> [UInt8] {
    let top: [PropertyList.Entry]
    do {
      top = try RecordDictionary(Record.root(parsing: bytes)).entries
    } catch {
      throw .recordUnreadable(path, error)
    }
    let entries = top.map { entry in
      guard entry.key == Record.Key.own, let own = entry.value.entries else { return entry }
      var renamed = own.compactMap { $0.renamed(for: original, names) }
      if let replaced {
        renamed.append(.init("replacesRecord", .string(replaced.description)))
      }
      if let newVersion { renamed.append(.init("newVersion", .string(newVersion))) }
      return PropertyList.Entry(Record.Key.own, .dictionary(renamed))
    }
    return PropertyListWriter.write(.dictionary(entries))
  }
}

extension PropertyList.Entry {
  /// One of Safelight's own keys in a record whose files have other names; `nil` when it goes.
  fileprivate func renamed(
    for original: FilePath, _ names: [FilePath: FilePath]
  ) -> PropertyList.Entry? {
    switch key {
    case "original": PropertyList.Entry(key, value.renamed { _ in original })
    case "render", "base": PropertyList.Entry(key, value.renamed { names[$0] ?? $0 })
    case "versions": PropertyList.Entry(key, value.renamingVersions(names))
    case "replaces", "replacesRecord", "newVersion": nil
    default: self
    }
  }
}

extension PropertyList {
  /// Versions whose renders have other names; all else that is said of them stays.
  fileprivate func renamingVersions(_ names: [FilePath: FilePath]) -> PropertyList {
    changing(nil) { version in
      version.changing(Record.Key.own) { own in
        own.changing("render") { $0.renamed { names[$0] ?? $0 } }
      }
    }
  }

  /// A dictionary with the value of a key changed; `nil` changes all.
  private func changing(
    _ key: String?, _ change: (PropertyList) -> PropertyList
  ) -> PropertyList {
    guard let entries else { return self }
    return .dictionary(
      entries.map { key == nil || $0.key == key ? .init($0.key, change($0.value)) : $0 })
  }

  /// A recorded file under another name, with everything else that is said of it.
  fileprivate func renamed(_ newName: (FilePath) -> FilePath) -> PropertyList {
    guard let entries, let file = try? RecordedFile(RecordDictionary(self)) else { return self }
    let keys: Set = ["name", "nameBytes"]
    let renamed = RecordedFile(name: newName(file.name), size: file.size, sha256: file.sha256)
    return .dictionary(
      renamed.entries.filter { keys.contains($0.key) }
        + entries.filter { !keys.contains($0.key) })
  }
}
