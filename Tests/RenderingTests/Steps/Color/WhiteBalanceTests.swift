import SafelightAdjustments
import Testing

@testable import SafelightRendering

@Suite struct WhiteBalanceTests {
  private func gray(_ temperature: Double, _ tint: Double = 0) -> [Double] {
    var balance = WhiteBalance()
    (balance.temperature, balance.tint) = (temperature, tint)
    return balance.run(on: [[0.5, 0.5, 0.5]])[0]
  }

  /// A. R. Robertson, J. Opt. Soc. Am. 58 (1968): u and v of black bodies, by reciprocal
  /// megakelvins.
  @Test(arguments: [
    (40.0, 0.18293, 0.27407), (50, 0.18388, 0.27709), (70, 0.18611, 0.28342),
    (100, 0.19032, 0.29326), (150, 0.19962, 0.30921), (200, 0.21142, 0.32312),
    (300, 0.24010, 0.34308), (400, 0.27218, 0.35407), (500, 0.30505, 0.35907),
  ])
  func blackBodiesLieWhereRobertsonHasThem(mired: Double, u: Double, v: Double) {
    let white = BlackBody.white(kelvin: 1e6 / mired)
    let scale = white[0] + 15 * white[1] + 3 * white[2]
    #expect(abs(4 * white[0] / scale - u) < 0.001)
    #expect(abs(6 * white[1] / scale - v) < 0.001)
  }

  @Test func aHigherTemperatureIsWarmerAllTheWay() {
    let grays = stride(from: 2500.0, through: 25_000, by: 250).map { gray($0) }
    for (cooler, warmer) in zip(grays, grays.dropFirst()) {
      #expect(cooler[0] < warmer[0] && cooler[2] > warmer[2])
    }
    let nearly = gray(6499.9)
    #expect(largestDifference([nearly], [[0.5, 0.5, 0.5]]) < 0.01)
  }

  @Test func aHigherTintIsMoreMagentaAllTheWay() {
    let grays = stride(from: -100.0, through: 100, by: 10).map { gray(6500, $0) }
    for (greener, pinker) in zip(grays, grays.dropFirst()) { #expect(greener[1] > pinker[1]) }
    #expect(grays[0][1] > grays[0][0] && grays[0][1] > grays[0][2])
    #expect(grays[20][1] < grays[20][0] && grays[20][1] < grays[20][2])
  }

  @Test(arguments: [2000.0, 4000, 9000, 25_000], [-100.0, 0, 100])
  func grayKeepsItsLuminance(temperature: Double, tint: Double) {
    let light = gray(temperature, tint).map(ReferenceColor.linear)
    let luminance = 0.212_639 * light[0] + 0.715_169 * light[1] + 0.072_192 * light[2]
    #expect(abs(luminance - ReferenceColor.linear(0.5)) < 1e-5)
  }
}
