import Foundation
import SafelightAdjustments
import SafelightTestSupport
import Testing

@testable import SafelightRendering

/// Local and detail adjustments against whole-picture arithmetic in double precision.
@Suite struct LocalReferenceTests {
  /// Small pictures, which are their own reduced ones, and long ones, which are twice as large.
  private static let pictures: [String: @Sendable () throws -> LocalPicture] = [
    "chart": { try LocalPicture(Fixture.url("gradients/chart.png")) },
    "ramps": { try LocalPicture(Fixture.url("gradients/rgb-ramps.png")) },
    "saturated": { try LocalPicture(Fixture.url("gradients/saturated.png")) },
    "small beach": { try LocalPicture(Fixture.url("goldens/beach.png")) },
    "strip of beach": {
      try LocalPicture(Fixture.url("beach.jpg"), top: 380, width: 1100, height: 40)
    },
    "long ramps": {
      LocalPicture(width: 1031, height: 21) { x, y in
        let place = Double(x) / 1030
        return [place, 1 - place * place, Double(y) / 20]
      }
    },
  ]

  private func worst(_ sample: LocalCase, _ picture: LocalPicture) throws -> Double {
    let found = try picture.adjusted(sample.adjustments)
    let expected = ReferenceLocal.apply(sample.adjustments, to: picture.reference)
    var worst = 0.0
    for index in 0..<(picture.width * picture.height) {
      for channel in 0..<3 {
        let value = min(max(expected.planes[channel].values[index], 0), 1) * 255
        worst = max(worst, abs(Double(found[3 * index + channel]) - value))
      }
    }
    return worst
  }

  @Test(arguments: LocalCase.all, pictures.keys.sorted())
  func picturesAreAtMostOneCodeFromTheReference(_ sample: LocalCase, picture: String) throws {
    let picture = try #require(try Self.pictures[picture]?())
    // Rounding alone may make half a code; a whole one would be 1.5 before it.
    let difference = try worst(sample, picture)
    #expect(difference < 1, "\(difference) codes")
  }

  @Test(.enabled(if: SharedPhoto.isThere, SharedPhoto.comment), arguments: LocalCase.all)
  func aRealPhotoIsAtMostOneCodeFromTheReference(_ sample: LocalCase) throws {
    let picture = try LocalPicture(
      SharedPhoto.url("HTC_One.jpg"), left: 300, top: 700, width: 1100, height: 48)
    let difference = try worst(sample, picture)
    #expect(difference < 1, "\(difference) codes")
  }
}

/// Photos that are not part of the repository.
enum SharedPhoto {
  private static let folder =
    ProcessInfo.processInfo.environment["SAFELIGHT_SHARED_DATA"].map {
      URL(fileURLWithPath: $0, isDirectory: true)
    }

  static let isThere = folder.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
  static let comment: Comment =
    "The shared photos are absent; set SAFELIGHT_SHARED_DATA to their folder."

  static func url(_ name: String) throws -> URL {
    try #require(folder).appendingPathComponent("photos").appendingPathComponent(name)
  }
}
