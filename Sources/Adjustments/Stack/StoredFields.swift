extension [JSONValue.Member] {
  /// Multiplies a stored number, for a parameter that counts in another unit than it did; a field
  /// that is absent or no number stays as it is.
  mutating func multiply(_ key: String, by factor: Double) {
    guard let index = firstIndex(where: { $0.key == key }), let number = self[index].value.number
    else { return }
    // 0.29 × 100 is 28.999999999999996 in doubles; people stored 29 hundredths.
    let product = (number * factor * 1e9).rounded() / 1e9
    self[index] = Element(key, .number(product))
  }
}
