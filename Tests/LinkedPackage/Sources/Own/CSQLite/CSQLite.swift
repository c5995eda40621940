/// A type of the program's own target CSQLite.
public struct OwnCSQLite {
  public init() {}
}
