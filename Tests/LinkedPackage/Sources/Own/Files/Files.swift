/// A type of the program's own target Files.
public struct OwnFiles {
  public init() {}
}
