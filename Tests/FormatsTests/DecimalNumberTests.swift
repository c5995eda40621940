import FoundationEssentials
import Testing

@testable import SafelightFormats

@Suite struct DecimalNumberTests {
  @Test(arguments: [
    (0, "0"), (-0.0, "0"), (0.5, "0.5"), (-0.25, "-0.25"), (1e-7, "0"), (-1e-7, "0"),
    (1e-6, "0.000001"),
    (0.9999996, "1"), (-12.000_5, "-12.0005"), (1e12, "1000000000"), (.nan, "0"),
    (-.infinity, "-1000000000"),
  ])
  func `numbers have no exponent and no zeros at the end`(number: Double, text: String) {
    #expect(number.decimal(digits: 6) == text)
  }

  @Test func `padded numbers have all their digits`() {
    #expect(0.0.decimal(digits: 6, padded: true) == "0.000000")
    #expect((-1.5).decimal(digits: 6, padded: true) == "-1.500000")
  }

  @Test func `numbers without digits behind the point are rounded`() {
    #expect(2.5.decimal(digits: 0) == "3")
    #expect((-2.4).decimal(digits: 0, padded: true) == "-2")
  }

  @Test func `what is written is read as the number it was, to the last digit`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<1000 {
      let number = Double.random(in: -1e4...1e4, using: &random)
      let read = Double(number.decimal(digits: 6))
      #expect(abs((read ?? .nan) - number) <= 0.500_001e-6, "\(number)")
    }
  }
}
