// PhotoKit's names begin with capital letters.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// PhotoKit's tokens are objects, which programs keep with NSKeyedArchiver; those of PhotoLibraryKit are values. Swift
// prefers the properties here to PhotoLibraryKit's of the same names.

/// A place in a library's persistent history, which `NSKeyedArchiver` and `JSONEncoder` keep.
public final class PHPersistentChangeToken: NSObject, NSSecureCoding, NSCopying, Codable,
  @unchecked Sendable
{
  // Nothing of it changes.

  /// PhotoLibraryKit's token.
  public let token: PersistentChangeToken

  /// An object for a token.
  public init(_ token: PersistentChangeToken) { self.token = token }

  // MARK: For archives

  private static let key = "token"

  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(token.description as NSString, forKey: Self.key)
  }

  public init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: Self.key),
      let token = PersistentChangeToken(text as String)
    else { return nil }
    self.token = token
  }

  public func encode(to encoder: any Encoder) throws { try token.encode(to: encoder) }

  public init(from decoder: any Decoder) throws {
    token = try PersistentChangeToken(from: decoder)
  }

  // MARK: For comparisons

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? PHPersistentChangeToken)?.token == token
  }

  public override var hash: Int { token.hashValue }

  public override var description: String { token.description }
}

extension PhotoLibrary {
  /// The place in the history after the last change set of any process. A fetch since the token of a library that
  /// cannot be read throws ``PhotoLibraryError/persistentChangeTokenExpired``.
  public var currentChangeToken: PHPersistentChangeToken {
    PHPersistentChangeToken((try? presentToken) ?? .ofNoCatalog)
  }

  /// The change sets after a token, by this process and others.
  ///
  /// - Throws: ``PhotoLibraryError/persistentChangeTokenExpired`` when the history no longer has the change sets after
  ///   the token, or the token is of another library: then fetch everything again and continue from
  ///   ``currentChangeToken``.
  public func fetchPersistentChanges(
    since token: PHPersistentChangeToken
  ) throws(PhotoLibraryError) -> PHPersistentChangeFetchResult {
    try fetchPersistentChanges(since: token.token)
  }
}

extension PersistentChange {
  /// The place after this change set; keep it when the program has handled the change set.
  public var changeToken: PHPersistentChangeToken { PHPersistentChangeToken(placeAfter) }
}
