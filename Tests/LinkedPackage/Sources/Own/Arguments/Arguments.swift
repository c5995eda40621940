/// A type of the program's own target Arguments.
public struct OwnArguments {
  public init() {}
}
