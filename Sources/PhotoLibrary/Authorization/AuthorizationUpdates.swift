/// Whether a client is authorized, as it is asked for.
///
/// An authorized client gets `true`, and that is the end. Another gets `false` at once, then what the
/// user says when it is asked for: `true` or `false`, and that is the end. The user is asked when the
/// second value is waited for, under the rules of ``PhotoLibrary/requestAuthorization(for:)``, and so
/// not again after saying no. Limited access counts as authorized.
///
/// ```swift
/// for await isAuthorized in library.authorizationUpdates {
///   show(isAuthorized ? .photos : .explanation)
/// }
/// ```
public struct AuthorizationUpdates: AsyncSequence, Sendable {
  /// Whether the client is authorized.
  public typealias Element = Bool
  /// Nothing fails: who cannot be asked is not authorized.
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

  /// Begins with the status as it is then.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension PhotoLibrary {
  /// Whether this client may see and change photos, asking the user if nobody did so before.
  public var authorizationUpdates: AuthorizationUpdates { authorizationUpdates(for: .readWrite) }

  /// Whether this client has access of a level, asking the user if nobody did so before.
  public func authorizationUpdates(for level: AccessLevel) -> AuthorizationUpdates {
    AuthorizationUpdates(library: self, level: level)
  }
}
