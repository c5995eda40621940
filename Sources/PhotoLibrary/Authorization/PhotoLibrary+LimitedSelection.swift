extension PhotoLibrary {
  /// Lets the user choose anew which assets this client sees, when its access is limited.
  ///
  /// The user is asked through the library's prompt, with what the client sees now as
  /// ``AuthorizationPrompt/Question/selection``. What changes is told as any other change, as
  /// assets that come and go. Allowing everything is a possible answer too; denying leaves all as it
  /// was.
  /// - Returns: The local identifiers of the assets that the client did not see before, in the order
  ///   in which they were chosen; none when access is not limited.
  /// - Throws: ``PhotoLibraryError/cannotAsk(client:)`` without a prompt,
  ///   ``PhotoLibraryError/missingUsageDescription(client:)``, or
  ///   ``PhotoLibraryError/identifierNotFound(_:)`` when an asset was chosen that is not there.
  public func requestLimitedSelection() async throws(PhotoLibraryError) -> [String] {
    guard try currentStatus(for: .readWrite) == .limited else { return [] }
    await asking.turn.take()
    defer { asking.turn.leave() }
    let before = try snapshots.now().selection(of: client.identifier)
    var consent = ConsentChange(expecting: (.readWrite, .limited))
    var chosen: [String] = []
    switch try await answer(for: .readWrite, selection: before) {
    case .allow: consent.set(.readWrite, .authorized)
    case .limit(let identifiers):
      chosen = identifiers
      consent.selection = identifiers
    case .deny, .undecided: return []
    }
    try await decide(consent, for: client.identifier)
    // Somebody may have decided otherwise while the user chose.
    let now = Set(try snapshots.now().selection(of: client.identifier)).subtracting(before)
    var seen: Set<String> = []
    return chosen.filter { now.contains($0) && seen.insert($0).inserted }
  }
}

extension Snapshot {
  /// The identifiers of the assets that are selected for a client and not in the trash, oldest first.
  func selection(of client: String) throws(PhotoLibraryError) -> [String] {
    try read { (database) throws(DatabaseError) in
      try database.rows(
        """
        SELECT asset.identifier FROM selected CROSS JOIN asset ON asset.id = selected.asset
        WHERE selected.client = ? AND asset.trashedDate IS NULL
        ORDER BY asset.creationDate, asset.id
        """, [client]
      ) { $0[0] as String }
    }
  }
}
