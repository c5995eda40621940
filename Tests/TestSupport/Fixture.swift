import Foundation

/// The project's own test pictures.
package enum Fixture {
  /// The folder `Fixtures` at the top of the repository.
  package static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  /// The place of a fixture, such as `gradients/chart.png`.
  package static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }
}
