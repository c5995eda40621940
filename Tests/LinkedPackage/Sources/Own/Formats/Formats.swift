/// A type of the program's own target Formats.
public struct OwnFormats {
  public init() {}
}
