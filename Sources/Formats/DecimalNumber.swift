extension Double {
  /// The number as formats and sentences have it: with a point, without an exponent, whatever the language.
  ///
  /// - Parameters:
  ///   - digits: The most digits behind the point, 0 to 9. The last one is rounded, halves away from zero.
  ///   - padded: Whether zeros at the end stay.
  /// - Returns: The number; beyond a billion it is that of a billion, and what is no number is 0.
  package func decimal(digits: Int, padded: Bool = false) -> String {
    let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
    let number = isNaN ? 0 : Swift.min(Swift.max(self, -1e9), 1e9)
    let units = Int((abs(number) * Double(unit)).rounded())
    let (whole, part) = units.quotientAndRemainder(dividingBy: unit)
    var places = String(unit + part).dropFirst()
    while !padded, places.last == "0" { places.removeLast() }
    return (number < 0 && units > 0 ? "-" : "") + String(whole)
      + (places.isEmpty ? "" : "." + places)
  }
}
