import SafelightAdjustments
import Testing

@testable import SafelightRendering

/// An adjustment at a setting, and what the reference makes of a pixel then.
struct ReferenceCase: Sendable, CustomTestStringConvertible {
  /// A pixel's column and row, and the size of its picture.
  struct Place: Sendable {
    var x = 0
    var y = 0
    var width = StepContext.wholePhoto.width
    var height = StepContext.wholePhoto.height
  }

  let testDescription: String
  let adjustment: any ColorRenderable
  /// How far the result may be from the reference before rounding, in codes of 255.
  let tolerance: Double
  let reference: @Sendable ([Double], Place) -> [Double]

  init(
    _ description: String, _ adjustment: any ColorRenderable, within tolerance: Double = 0.01,
    _ reference: @escaping @Sendable ([Double], Place) -> [Double]
  ) {
    testDescription = description
    self.adjustment = adjustment
    self.tolerance = tolerance
    self.reference = reference
  }

  /// A case for each of several amounts.
  static func amounts<Value: ColorRenderable>(
    _ path: any WritableKeyPath<Value, Double> & Sendable, _ amounts: [Double],
    _ reference: @escaping @Sendable ([Double], Double) -> [Double]
  ) -> [ReferenceCase] {
    amounts.map { amount in
      var adjustment = Value()
      adjustment[keyPath: path] = amount
      return ReferenceCase("\(Value.id) \(amount)", adjustment) { pixel, _ in
        reference(pixel, amount)
      }
    }
  }
}
