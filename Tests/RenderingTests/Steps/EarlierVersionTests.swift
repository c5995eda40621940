import Foundation
import SafelightAdjustments
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// An adjustment that was stored by an earlier version renders as that version did.
@Suite struct EarlierVersionTests {
  /// Adds a number to all channels. Version 1 added half of it.
  private struct Lift: Adjustment, ColorRenderable, EarlierRenderable {
    static let id = "lift"
    static let version = 2
    static let group = AdjustmentGroup.light
    static let summary = "Adds light."
    static let parameters: [Parameter<Self>] = [
      Parameter(\.amount, "amount", unit: .share, summary: "How much is added.")
    ]
    var amount = 0.0

    func colorSteps(in context: StepContext) -> [ColorStep] { [Self.adding(amount)] }

    func rendering(ofVersion version: Int) -> PlanItem? {
      version < 2 ? .color(HalfLift(current: self)) : nil
    }

    static func adding(_ amount: Double) -> ColorStep {
      .matrix(
        ColorMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1], offset: [amount, amount, amount]), in: .encoded)
    }
  }

  private struct HalfLift: ColorRenderable {
    let current: Lift

    func colorSteps(in context: StepContext) -> [ColorStep] { [Lift.adding(current.amount / 2)] }
  }

  @Test(arguments: [(1, 0.3), (2, 0.4)])
  func theVersionOfTheEntryDecides(version: Int, expected: Double) throws {
    var lift = Lift()
    lift.amount = 0.2
    let item = try RenderPlan.item(lift, version: version)
    guard case .color(let color) = item else { throw CancellationError() }
    let context = StepContext(size: PixelSize(width: 1, height: 1), scale: 1)
    let result = try color.colorSteps(in: context).run(on: [[0.2, 0.2, 0.2]])
    #expect(abs(result[0][0] - expected) < 1e-5)
  }
}
