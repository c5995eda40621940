import Foundation
import Glibc
import PhotoEditing
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// Compares a rendered PNG with the committed one, pixel by pixel and exactly.
///
/// Exactly, since renders are computed in floating point in one order everywhere and rounded once.
/// A missing golden is written and fails; `RECORD_GOLDENS=1` writes it anew.
func expectGolden(
  _ rendered: FilePath, _ golden: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let path = Fixtures.path(golden)
  let exists = try FileSystem.real.exists(path)
  let recording = ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1"
  if recording || !exists {
    try Data(Picture(rendered, as: .png).png()).write(to: path.fileURL)
    if !exists {
      Issue.record("\(golden) was missing; look at it.", sourceLocation: sourceLocation)
    }
    return
  }
  let expected = try Picture(path, as: .png)
  let actual = try Picture(rendered, as: .png)
  guard expected != actual else { return }
  Attachment.record(try expected.png(), named: "expected.png", sourceLocation: sourceLocation)
  Attachment.record(try actual.png(), named: "actual.png", sourceLocation: sourceLocation)
  guard expected.hasShape(of: actual) else {
    Issue.record("\(golden) has another shape.", sourceLocation: sourceLocation)
    return
  }
  let difference = actual.difference(from: expected)
  Attachment.record(try difference.png(), named: "difference.png", sourceLocation: sourceLocation)
  let count = difference.pixels.count { $0 > 0 }
  let largest = zip(expected.pixels, actual.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
  Issue.record(
    "\(golden): \(count) samples differ, by \(largest) at most.", sourceLocation: sourceLocation)
}
