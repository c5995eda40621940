import Foundation
import SafelightTestSupport
import Testing

@testable import PhotoEditing
@testable import SafelightFiles

@Suite struct NameOrderTests {
  /// The numbers in the order in which they are handed out, when nothing is finished before nothing else can begin.
  private func rounds(_ photos: [FilePath]) -> [[Int]] {
    let order = NameOrder(photos.enumerated().map { (index: $0.offset, path: $0.element) })
    var turns = PhotoTurns(photos.count, order)
    var rounds: [[Int]] = []
    while true {
      var round: [Int] = []
      while let index = turns.next() { round.append(index) }
      if round.isEmpty { break }
      for index in round { turns.finish(index) }
      rounds.append(round)
    }
    return rounds
  }

  @Test func photosOfOneStemComeOneAfterTheOtherAndAllOthersDoNotWait() {
    #expect(
      rounds(["x/a.heic", "x/a.jpg", "x/b.jpg", "y/a.png", "x/a.png", "x/A.tif"]) == [
        [0, 2, 3], [1], [4], [5],
      ])
  }

  /// The short name of one photo's render may be the long name of another's.
  @Test func longNamesCountToo() {
    #expect(rounds(["a.jpg", "a.png", "a.png.tif", "c.jpg"]) == [[0, 3], [1], [2]])
  }

  @Test func aLinkIsThePhotoThatItLeadsTo() throws {
    let folder = TemporaryFolder()
    folder.put("", at: "a.jpg")
    folder["x"].makeFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder["x/other.jpg"].string, withDestinationPath: folder["a.jpg"].string)
    #expect(rounds([folder["x/other.jpg"], folder["a.png"]]) == [[0], [1]])
  }
}
