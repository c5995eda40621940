extension FetchResult: ChangeTracked {}

extension Change {
  /// How a fetch result changed; `nil` when it stayed as it was, or cannot be fetched any more.
  ///
  /// Compares with the state that the result was read from, however many change sets ago.
  public func changeDetails<Object>(
    for result: FetchResult<Object>
  ) -> FetchResultChangeDetails<FetchResult<Object>>? {
    details(for: result)
  }
}
