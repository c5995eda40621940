import PhotoEditing

extension PhotoLibrary {
  /// Throws unless a change set is open to this client.
  func check(_ steps: [ChangeStep]) throws(PhotoLibraryError) {
    guard !client.isOwner else { return }
    let snapshot = try snapshots.now()
    let refusal = try snapshot.read { (database) throws(DatabaseError) in
      try snapshot.access.refusal(of: steps, in: database)
    }
    if let refusal { throw refusal }
  }

  /// What this client may do as the transaction that writes sees it.
  ///
  /// - Throws: ``PhotoLibraryError`` when that is less than it was when the change set was checked.
  func checkedAccess(
    _ steps: [ChangeStep], _ database: Database
  ) throws(PhotoLibraryError) -> Access {
    let (access, refusal): (Access, PhotoLibraryError?)
    do throws(DatabaseError) {
      access = try Access(client, in: database)
      refusal = try access.refusal(of: steps, in: database)
    } catch {
      throw PhotoLibraryError(error, path)
    }
    if let refusal { throw refusal }
    return access
  }

  /// Lets this client see what it made, when it sees a selection.
  func select(
    _ access: Access, createdBy steps: [ChangeStep], _ database: Database
  ) throws(PhotoLibraryError) {
    do throws(DatabaseError) { try access.select(createdBy: steps, in: database) } catch {
      throw PhotoLibraryError(error, path)
    }
  }

  /// Throws unless this client may see an asset: one that was fetched may have been hidden from it
  /// since.
  ///
  /// - Throws: ``PhotoLibraryError``, such as ``PhotoLibraryError/accessUserDenied``, or
  ///   ``PhotoLibraryError/identifierNotFound(_:)`` for an asset that was not selected.
  func checkVisibility(of identifier: String) throws(PhotoLibraryError) {
    guard !client.isOwner else { return }
    let snapshot = try snapshots.now()
    try snapshot.access.check(.readWrite)
    let isVisible = try snapshot.read { (database) throws(DatabaseError) in
      try snapshot.access.shows(identifier, in: database)
    }
    if !isVisible { throw .identifierNotFound(identifier) }
  }
}
