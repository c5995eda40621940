import SafelightFiles

/// The name that a program which syncs folders gave to one of two files that were changed on two machines.
///
/// Syncthing: `beach.jpg.sync-conflict-20240101-120000-ABCDEFG.aae`. Nextcloud: `beach.jpg (conflicted copy
/// 2024-01-01 120000).aae`. Dropbox: `beach.jpg (Anna's conflicted copy 2024-01-01).aae`. OneDrive:
/// `beach.jpg-LAPTOP.aae`. Many others: `beach.jpg (1).aae`. All put something before an extension, so
/// that is what counts; what the file holds must say the same.
package struct ConflictMark: Sendable, Hashable {
  private let bytes: [UInt8]

  /// What one name has more than another; `nil` when it is no copy's name.
  package init?(in copy: FilePath, of name: FilePath) {
    guard let mark = Self.marks(in: copy).first(where: { $0.name == name })?.mark else {
      return nil
    }
    self = mark
  }

  private init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The names that a file may be a copy of, with what stands between. The longest name comes first.
  static func marks(in copy: FilePath) -> [(name: FilePath, mark: ConflictMark)] {
    let bytes = copy.bytes
    let dots = bytes.indices.filter { $0 > 0 && bytes[$0] == UInt8(ascii: ".") }.reversed()
    // An extension, and the sidecar's behind the photo's.
    var found: [(name: FilePath, mark: ConflictMark)] = []
    for end in dots.prefix(2) {
      for start in (1..<end).reversed() where Self.isBeginning(bytes[start]) {
        found.append(
          (FilePath(bytes: bytes[..<start] + bytes[end...]), ConflictMark(bytes[start..<end])))
      }
    }
    return found
  }

  private static func isBeginning(_ byte: UInt8) -> Bool {
    " .-_(~[".utf8.contains(byte)
  }

  /// Whether programs that syncs folders put this into names: the word conflict, a date, or a number in parentheses.
  /// People and file managers put other words there, and a computer's name may as well be that of a version.
  fileprivate var isOfSync: Bool {
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    let digits = text.split { !$0.isASCII || !$0.isNumber }.map(\.count)
    let isDate = digits.contains(8) || zip(digits, digits.dropFirst()).contains { $0 == (4, 2) }
    let isNumber = text.wholeMatch(of: /\s*\([0-9]+\)/) != nil
    return text.contains("conflict") || isDate || isNumber
  }

  /// A name for a version that keeps the copy's edit, such as `sync-conflict-20240101-120000-ABCDEFG`.
  ///
  /// - Parameter isTaken: Whether a version has the name.
  package func versionName(unless isTaken: (String) -> Bool) -> String {
    var words: [String] = []
    var word = ""
    for byte in bytes + [0] {
      let letter = Character(Unicode.Scalar(byte))
      if letter.isASCII, letter.isLetter || letter.isNumber {
        word.append(letter)
      } else if !word.isEmpty {
        words.append(word)
        word = ""
      }
    }
    if !words.contains(where: { $0.lowercased().hasPrefix("conflict") }) {
      words.insert("conflict", at: 0)
    }
    let name = String(words.joined(separator: "-").prefix(56))
    var candidate = name
    var number = 1
    while isTaken(candidate) {
      number += 1
      candidate = "\(name)-\(number)"
    }
    return candidate
  }
}

/// A record that a program which syncs folders put beside a photo's own, because two machines edited the
/// photo.
///
/// Its name alone does not make it one: it holds a record of Safelight's, of this photo.
package struct ConflictCopy: Sendable {
  /// The copy.
  package let path: FilePath
  /// The photo, in the same folder.
  package let photo: FilePath
  /// What the copy says.
  package let record: Record
  /// What its name has more than the sidecar's.
  package let mark: ConflictMark

  /// Looks whether a sidecar that has no photo of its own is such a copy.
  ///
  /// - Returns: `nil` for any other file, and for a missing one.
  package static func load(
    _ path: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> ConflictCopy? {
    guard let name = path.lastComponent, let namesake = path.originalOfRecord,
      try onDisk({ () throws(FileSystemError) in try !fileSystem.exists(namesake) }),
      let loaded = try? LoadedRecord.load(path, fileSystem),
      case .commit(let record)? = try? loaded.change(),
      // A photo may be called like a copy. Its record names it.
      record.original?.name != namesake.lastComponent,
      let found = try photo(of: record, in: name, path.removingLastComponent(), fileSystem),
      try !hasFilesOfItsOwn(record, namesake, besides: found.photo, fileSystem)
    else { return nil }
    return ConflictCopy(path: path, photo: found.photo, record: record, mark: found.mark)
  }

  /// Whether renders of a record are beside it under names of its own: then it is that of a duplicate, which was renamed
  /// with its files. A sync gives each file a mark of its own.
  private static func hasFilesOfItsOwn(
    _ record: Record, _ namesake: FilePath, besides photo: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> Bool {
    let (own, others) = (PhotoNames(namesake), PhotoNames(photo))
    for named in record.files where named.role.isRendered {
      let taken = others.candidates(named.role.suffix)
      for name in own.candidates(named.role.suffix) where !taken.contains(name) {
        let path = own.path(of: name)
        let size = try onDisk { () throws(FileSystemError) in try fileSystem.sizeOfFile(at: path) }
        guard size == named.file.size else { continue }
        if (try? fileSystem.digestOfFile(at: path)) == named.file.sha256 { return true }
      }
    }
    return false
  }

  /// The photo that a copy's record is about, which may have been renamed since, with the copy or without it; the place
  /// of a photo that is gone and whose own record is still there.
  ///
  /// - Parameter name: The copy's name.
  private static func photo(
    of record: Record, in name: FilePath, _ folder: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> (photo: FilePath, mark: ConflictMark)? {
    guard let original = record.original else { return nil }
    let recorded = ConflictMark(in: name, of: original.name.recordPath)
    if let recorded, try isAbout(folder.appending(original.name), record, fileSystem) {
      return (folder.appending(original.name), recorded)
    }
    // A duplicate may be called like a copy of the photo too; a sync leaves the photo's own name in the record.
    let duplicateOf = Set(ConflictMark.marks(in: original.name.recordPath).map(\.name))
    for (own, mark) in ConflictMark.marks(in: name) where !duplicateOf.contains(own) {
      guard let photo = own.originalOfRecord.map(folder.appending) else { continue }
      if try isAbout(photo, record, fileSystem) { return (photo, mark) }
    }
    guard let recorded else { return nil }
    func isTwin(_ sidecar: FilePath) -> Bool {
      guard let own = try? LoadedRecord.load(folder.appending(sidecar), fileSystem)?.record() else {
        return false
      }
      return own.original?.sha256 == original.sha256
        || own.picture != nil && own.picture == record.picture
    }
    let names = try onDisk { () throws(FileSystemError) in try fileSystem.names(in: folder) }
    for sidecar in names.sorted(by: <) where sidecar != name {
      guard let photo = sidecar.originalOfRecord.map(folder.appending),
        try onDisk({ () throws(FileSystemError) in try fileSystem.exists(photo) }),
        isTwin(sidecar)
      else { continue }
      return (photo, recorded)
    }
    return isTwin(original.name.recordPath) ? (folder.appending(original.name), recorded) : nil
  }

  /// All copies of a photo's record, in the order of their names. Lists the folder.
  package static func all(
    of photo: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> [ConflictCopy] {
    guard let own = photo.lastComponent?.recordPath else { return [] }
    let folder = photo.removingLastComponent()
    let names = try onDisk { () throws(FileSystemError) in try fileSystem.names(in: folder) }
    var copies: [ConflictCopy] = []
    for name in names.sorted(by: <)
    where name != own && name.originalOfRecord != nil && !ConflictMark.marks(in: name).isEmpty {
      guard let copy = try load(folder.appending(name), fileSystem), copy.photo == photo else {
        continue
      }
      copies.append(copy)
    }
    return copies
  }

  /// Whether a photo is there and is the one that a record is about.
  private static func isAbout(
    _ photo: FilePath, _ record: Record, _ fileSystem: FileSystem
  ) throws(StorageError) -> Bool {
    guard let original = record.original,
      try onDisk({ () throws(FileSystemError) in
        try fileSystem.kind(of: photo, following: true)
      }) == .file
    else { return false }
    if let present = try? LoadedRecord.load(photo.recordPath, fileSystem)?.record() {
      if present.original?.sha256 == original.sha256 { return true }
      if let picture = present.picture, picture == record.picture { return true }
    }
    if (try? fileSystem.digestOfFile(at: photo)) == original.sha256 { return true }
    return record.picture.map { picture in
      (try? fileSystem.pictureDigests(at: photo))?.contains(picture) == true
    } ?? false
  }
}

/// A render that a program which syncs folders put beside a photo's own.
package struct ConflictRender: Sendable {
  /// The copy.
  package let path: FilePath
  /// The photo, in the same folder.
  package let photo: FilePath
  /// Whether the photo's record knows its edit, so that the copy is not needed.
  package let isKnown: Bool

  /// Looks whether a picture of Safelight's is a copy of a photo's render.
  ///
  /// - Parameters:
  ///   - path: The picture, whose metadata say that Safelight rendered it from `photo`.
  ///   - photo: A photo in the same folder.
  /// - Returns: `nil` when its name is not like that of a render that the photo's record names.
  package init?(_ path: FilePath, of photo: FilePath, _ fileSystem: FileSystem) {
    guard let name = path.lastComponent,
      let record = try? LoadedRecord.load(photo.recordPath, fileSystem)?.record(),
      Self.isCopy(name, ofRenderIn: record, of: photo, fileSystem),
      !record.namedFiles.contains(where: { $0.file.name == name }),
      let digest = try? fileSystem.digestOfFile(at: path)
    else { return nil }
    let isKnown =
      record.ownRenders.contains(digest)
      || record.namedFiles.contains { file in
        // The same bytes are there under the name that the record gives them.
        let own = photo.removingLastComponent().appending(file.file.name)
        return file.file.sha256 == digest
          && (try? fileSystem.digestOfFile(at: own)) == digest
      }
    // Other bytes for an edit that the record knows are somebody's retouch.
    if !isKnown, let reference = fileSystem.referenceOfRender(at: path),
      record.isAware(of: reference)
    {
      return nil
    }
    self.path = path
    self.photo = photo
    self.isKnown = isKnown
  }

  /// Whether a name is that of a render in a record, with something that a sync puts there. A computer's name alone
  /// needs a copy of the record that has it too.
  private static func isCopy(
    _ name: FilePath, ofRenderIn record: Record, of photo: FilePath, _ fileSystem: FileSystem
  ) -> Bool {
    let marks = record.files.filter(\.role.isRendered)
      .compactMap { ConflictMark(in: name, of: $0.file.name) }
    if marks.contains(where: \.isOfSync) { return true }
    if marks.isEmpty { return false }
    let copies = (try? ConflictCopy.all(of: photo, fileSystem)) ?? []
    return copies.contains { marks.contains($0.mark) }
  }
}
