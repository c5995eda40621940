import Foundation
import PhotoEditing
import Testing

/// Renders of local adjustments by the program with different numbers of threads.
@Suite struct ThreadTests {
  private static let options = """
    --noise-reduction-luminance 40 --noise-reduction-color 40 --dehaze 40 --highlights -60 \
    --shadows 70 --clarity 50 --sharpen 80 --blur 1.5 --glow 40
    """

  @Test func anyNumberOfThreadsGivesTheSamePixels() throws {
    let folder = CommandFolder()
    var renders: [Data] = []
    for threads in [1, 2, 4] {
      let name = "\(threads).jpg"
      try folder.add("beach.jpg", as: name)
      let edit = try EditProcess(
        shell: "VIPS_CONCURRENCY=\(threads) $EDIT adjust \(name) \(Self.options)", in: folder)
      #expect(edit.status == 0, "\(edit.errors)")
      renders.append(try #require(folder.data("\(threads)_edited.jpg")).scan)
    }
    #expect(renders[0].count > 10_000)
    #expect(renders[0] == renders[1])
    #expect(renders[0] == renders[2])
  }
}

extension Data {
  /// What follows the start of a JPEG's scan: its pixels, without the metadata that names files.
  fileprivate var scan: Data {
    range(of: Data([0xFF, 0xDA])).map { self[$0.lowerBound...] } ?? Data()
  }
}
