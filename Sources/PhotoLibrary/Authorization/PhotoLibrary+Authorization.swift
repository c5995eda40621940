extension PhotoLibrary {
  /// What the user said of this client.
  ///
  /// Who may see and change photos may also add some, whatever was said of adding alone.
  /// - Returns: The status as it is now; ``AuthorizationStatus/notDetermined`` also when the catalog
  ///   cannot be read.
  public func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus {
    access.status(for: level)
  }

  /// What the user said of this client, for programs that know no limited access: that is
  /// ``AuthorizationStatus/authorized`` here.
  public func authorizationStatus() -> AuthorizationStatus {
    let status = authorizationStatus(for: .readWrite)
    return status == .limited ? .authorized : status
  }

  /// Asks the user, unless somebody did before.
  ///
  /// What was answered is remembered in the library, and asking again does not bring up the question
  /// again. The two levels are asked for separately.
  /// - Returns: The status as it is then. When nobody could be asked it stays
  ///   ``AuthorizationStatus/notDetermined``, and ``authorizationProblem`` tells why.
  public func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus {
    let outcome = await outcome(of: level)
    return (try? outcome.get()) ?? authorizationStatus(for: level)
  }

  /// Asks the user as ``requestAuthorization(for:)`` does, and keeps the thread waiting meanwhile.
  ///
  /// Returns at once when access was granted before. A prompt that needs the calling thread, such as
  /// the main thread's, would wait forever.
  /// - Returns: ``AuthorizationStatus/authorized`` or ``AuthorizationStatus/limited``.
  /// - Throws: ``PhotoLibraryError/accessUserDenied``, ``PhotoLibraryError/accessRestricted``,
  ///   ``PhotoLibraryError/accessNotDetermined(client:)`` when the user went away without an answer,
  ///   ``PhotoLibraryError/missingUsageDescription(client:)`` or
  ///   ``PhotoLibraryError/cannotAsk(client:)`` before any question, or what keeps the answer from
  ///   being written down.
  @discardableResult
  public func requestAuthorizationAndWait(
    for level: AccessLevel
  ) throws(PhotoLibraryError) -> AuthorizationStatus {
    let known = try currentStatus(for: level)
    if known.isGranted { return known }
    let waiter = ChangeWaiter<AuthorizationStatus>()
    Task(executorPreference: ChangeExecutor.shared) {
      waiter.finish(await self.outcome(of: level))
    }
    let status = try waiter.wait().get()
    if let refusal = status.refusal(of: client) { throw refusal }
    return status
  }

  /// What kept the last request from asking the user; `nil` when it was asked, or need not be.
  public var authorizationProblem: PhotoLibraryError? { asking.problem.withLock(\.self) }

  private func outcome(
    of level: AccessLevel
  ) async -> Result<AuthorizationStatus, PhotoLibraryError> {
    do throws(PhotoLibraryError) {
      let status = try await askedStatus(for: level)
      asking.problem.withLock { $0 = nil }
      return .success(status)
    } catch {
      asking.problem.withLock { $0 = error }
      return .failure(error)
    }
  }
}
