extension PersistentChangeToken: LosslessStringConvertible {
  /// The token as one word, for command lines and files: the catalog's name, a hyphen and a number.
  public var description: String { "\(catalog)-\(number)" }

  /// The token that a word stands for; `nil` when it is none.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let number = Int64(parts[1]), number >= 0 else {
      return nil
    }
    self.init(catalog: String(parts[0]), number: number)
  }
}

extension PhotoLibrary {
  /// The place in the history before the first change set that is still known.
  ///
  /// - Throws: ``PhotoLibraryError`` when the catalog cannot be read.
  public var earliestChangeToken: PersistentChangeToken {
    get throws(PhotoLibraryError) {
      let snapshot = try snapshots.now()
      let first = try snapshot.read { (database) throws(DatabaseError) in
        try database.value("SELECT min(token) FROM change", as: Int64?.self) ?? nil
      }
      return PersistentChangeToken(
        catalog: try snapshot.identity(), number: first.map { $0 - 1 } ?? snapshot.token)
    }
  }
}
