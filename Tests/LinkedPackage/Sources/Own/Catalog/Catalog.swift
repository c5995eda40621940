/// A type of the program's own target Catalog.
public struct OwnCatalog {
  public init() {}
}
