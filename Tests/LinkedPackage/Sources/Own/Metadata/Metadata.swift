/// A type of the program's own target Metadata.
public struct OwnMetadata {
  public init() {}
}
