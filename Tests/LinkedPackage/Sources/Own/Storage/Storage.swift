/// A type of the program's own target Storage.
public struct OwnStorage {
  public init() {}
}
