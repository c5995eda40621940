/// A type of the program's own target Rendering.
public struct OwnRendering {
  public init() {}
}
