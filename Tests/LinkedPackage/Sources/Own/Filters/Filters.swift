/// A type of the program's own target Filters.
public struct OwnFilters {
  public init() {}
}
