import Synchronization

extension PhotoLibrary {
  /// What the user decided about this client.
  ///
  /// A client that may see and change photos may also add photos. A separate decision about adding has no
  /// effect then.
  /// - Returns: The status as it is now; ``AuthorizationStatus/notDetermined`` also when the catalog
  ///   cannot be read.
  public func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus {
    access.status(for: level)
  }

  /// What the user decided about this client, for programs that do not know limited access: limited
  /// access is ``AuthorizationStatus/authorized`` here.
  public func authorizationStatus() -> AuthorizationStatus {
    let status = authorizationStatus(for: .readWrite)
    return status == .limited ? .authorized : status
  }

  /// Asks the user for access, unless the user has decided before.
  ///
  /// The library remembers the answer; the user is not asked the same question again. The two levels
  /// are separate questions.
  /// - Returns: The status after the question. When nobody could be asked the status stays
  ///   ``AuthorizationStatus/notDetermined``, and ``authorizationProblem`` has the reason.
  public func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus {
    (try? await requestedAccess(of: level)) ?? authorizationStatus(for: level)
  }

  /// Asks the user as `requestAuthorization` does, and blocks the thread until the answer.
  ///
  /// Returns at once when access was granted before. Do not call it on a thread that the prompt needs,
  /// such as the main thread: the call would wait forever.
  /// - Returns: ``AuthorizationStatus/authorized`` or ``AuthorizationStatus/limited``.
  /// - Throws: ``PhotoLibraryError/accessUserDenied``, ``PhotoLibraryError/accessRestricted``,
  ///   ``PhotoLibraryError/accessNotDetermined(client:)`` when the user gave no answer,
  ///   ``PhotoLibraryError/missingUsageDescription(client:)`` or
  ///   ``PhotoLibraryError/cannotAsk(client:)`` before any question, or the error that kept the answer
  ///   from being stored.
  @discardableResult
  public func requestAuthorizationAndWait(
    for level: AccessLevel
  ) throws(PhotoLibraryError) -> AuthorizationStatus {
    let known = try currentStatus(for: level)
    if known.isGranted { return known }
    let status = try waitForEnd { () async throws(PhotoLibraryError) in
      try await self.requestedAccess(of: level)
    }
    if let refusal = status.refusal(of: client) { throw refusal }
    return status
  }

  /// Why the last request could not ask the user; `nil` when it asked, or did not need to.
  public var authorizationProblem: PhotoLibraryError? { questions.problem.withLock(\.self) }

  /// Lets the user choose again which assets this client sees, when its access is limited.
  ///
  /// The library's prompt asks the user. ``AuthorizationPrompt/Question/selection`` is what the client
  /// sees now. Observers get the newly selected assets as inserted, the others as deleted. The user may also
  /// allow everything; denying changes nothing.
  /// - Returns: The local identifiers of the assets that the client did not see before, in the order
  ///   in which the user chose them; empty when access is not limited.
  /// - Throws: ``PhotoLibraryError/cannotAsk(client:)`` without a prompt,
  ///   ``PhotoLibraryError/missingUsageDescription(client:)``, or
  ///   ``PhotoLibraryError/identifierNotFound(_:)`` when a chosen asset does not exist.
  public func requestLimitedSelection() async throws(PhotoLibraryError) -> [String] {
    guard try currentStatus(for: .readWrite) == .limited else { return [] }
    await questions.lock.take()
    defer { questions.lock.release() }
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
    // The owner may have decided differently while the user chose.
    let now = Set(try snapshots.now().selection(of: client.identifier)).subtracting(before)
    var seen: Set<String> = []
    return chosen.filter { now.contains($0) && seen.insert($0).inserted }
  }

  /// Whether this client may see and change photos; asks the user unless there is a decision.
  public var authorizationUpdates: AuthorizationUpdates { authorizationUpdates(for: .readWrite) }

  /// Whether this client has access of a level; asks the user unless there is a decision.
  public func authorizationUpdates(for level: AccessLevel) -> AuthorizationUpdates {
    AuthorizationUpdates(library: self, level: level)
  }
}

/// Whether a client is authorized: the state now, then the user's answer.
///
/// An authorized client gets `true`, and the sequence ends. Another client gets `false` at once, then
/// the user's answer, `true` or `false`, and the sequence ends. The user is asked when the program waits
/// for the second value, under the rules of `requestAuthorization`: a user who said
/// no is not asked again. Limited access counts as authorized.
///
/// ```swift
/// for await isAuthorized in library.authorizationUpdates {
///   show(isAuthorized ? .photos : .explanation)
/// }
/// ```
public struct AuthorizationUpdates: AsyncSequence, Sendable {
  /// Whether the client is authorized.
  public typealias Element = Bool
  /// Nothing fails: a client that cannot ask is not authorized.
  public typealias Failure = Never

  let library: PhotoLibrary
  let level: AccessLevel

  /// Goes through the states once.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Next { case status, answer, end }

    fileprivate let updates: AuthorizationUpdates
    private var next = Next.status

    fileprivate init(_ updates: AuthorizationUpdates) { self.updates = updates }

    /// Whether the client is authorized; `nil` at the end.
    public mutating func next() async -> Bool? {
      let (library, level) = (updates.library, updates.level)
      switch next {
      case .status:
        let isGranted = library.authorizationStatus(for: level).isGranted
        next = isGranted ? .end : .answer
        return isGranted
      case .answer:
        next = .end
        return await library.requestAuthorization(for: level).isGranted
      case .end: return nil
      }
    }
  }

  /// Begins with the status at that moment.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

/// The questions of a library to the user: one at a time.
final class AuthorizationQuestions: Sendable {
  let prompt: AuthorizationPrompt?
  /// Held while a question is open.
  let lock = AsyncLock()
  /// Why the last request could not ask.
  let problem = Mutex<PhotoLibraryError?>(nil)
  /// The levels for which the library asked by itself.
  private let asked = Mutex<Set<AccessLevel>>([])

  init(_ prompt: AuthorizationPrompt?) { self.prompt = prompt }

  /// - Returns: Whether the library has not asked by itself before.
  func begin(_ level: AccessLevel) -> Bool { asked.withLock { $0.insert(level).inserted } }
}

// The library asks by itself when a client without a decision uses it for the first time.
extension PhotoLibrary {
  /// Asks the user once, without waiting for the answer. Observers hear of it.
  func askOnce(for level: AccessLevel) {
    guard questions.prompt != nil, questions.begin(level) else { return }
    Task { _ = await requestAuthorization(for: level) }
  }

  /// Asks the user once and waits for the answer; waits for the answer to a question that is open.
  ///
  /// - Throws: ``PhotoLibraryError/missingUsageDescription(client:)``, or the error that kept the answer from
  ///   being stored.
  func askOnceAndWait(for level: AccessLevel) async throws(PhotoLibraryError) {
    guard questions.prompt != nil else { return }
    guard client.reason(for: level) != nil else {
      throw .missingUsageDescription(client: client.identifier)
    }
    if questions.begin(level) {
      _ = try await requestedAccess(of: level)
    } else {
      await questions.lock.take()
      questions.lock.release()
    }
  }
}

extension PhotoLibrary {
  /// What this client may see and do now; nothing when the catalog cannot be read.
  var access: Access {
    if client.isOwner { return Access(client) }
    return (try? snapshots.now().access) ?? Access(client)
  }

  /// The status of a level now.
  private func currentStatus(
    for level: AccessLevel
  ) throws(PhotoLibraryError) -> AuthorizationStatus {
    client.isOwner ? .authorized : try snapshots.now().access.status(for: level)
  }

  /// The status of a level, after asking the user unless there is a decision; notes why nobody could be asked.
  fileprivate func requestedAccess(
    of level: AccessLevel
  ) async throws(PhotoLibraryError) -> AuthorizationStatus {
    do throws(PhotoLibraryError) {
      let status = try await requestedStatus(for: level)
      questions.problem.withLock { $0 = nil }
      return status
    } catch {
      questions.problem.withLock { $0 = error }
      throw error
    }
  }

  /// The status of a level, after asking the user unless there is a decision.
  private func requestedStatus(
    for level: AccessLevel
  ) async throws(PhotoLibraryError) -> AuthorizationStatus {
    let known = try currentStatus(for: level)
    guard known == .notDetermined else { return known }
    await questions.lock.take()
    defer { questions.lock.release() }
    // The request before this one may have asked the same.
    let status = try currentStatus(for: level)
    guard status == .notDetermined else { return status }
    var consent = ConsentChange(expecting: (level, .notDetermined))
    switch try await answer(for: level) {
    case .allow: consent.set(level, .authorized)
    case .deny: consent.set(level, .denied)
    case .limit(let identifiers):
      guard level == .readWrite else {
        throw .changeNotSupported("Access to add photos cannot be limited to some of them.")
      }
      consent.set(level, .limited)
      consent.selection = identifiers
    case .undecided: return status
    }
    consent.usageDescription = client.reason(for: level)
    try await decide(consent, for: client.identifier)
    return try currentStatus(for: level)
  }

  /// The user's answer to a question.
  ///
  /// - Parameter selection: What the client sees now, when the user is to choose other assets.
  /// - Throws: ``PhotoLibraryError`` when nobody can be asked, or the client gives no reason.
  private func answer(
    for level: AccessLevel, selection: [String]? = nil
  ) async throws(PhotoLibraryError) -> AuthorizationPrompt.Answer {
    guard let reason = client.reason(for: level) else {
      throw .missingUsageDescription(client: client.identifier)
    }
    guard let prompt = questions.prompt else { throw .cannotAsk(client: client.identifier) }
    return await prompt.answer(
      AuthorizationPrompt.Question(
        client: client, level: level, usageDescription: reason,
        offersLimit: level == .readWrite, selection: selection))
  }

  /// Stores a decision about a client, and calls observers.
  func decide(_ consent: ConsentChange, for client: String) async throws(PhotoLibraryError) {
    if let token = try await catalog.change(consent, of: client) { didChange(token) }
  }
}
