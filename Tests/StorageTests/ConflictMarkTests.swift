import Testing

@testable import SafelightFiles
@testable import SafelightStorage

/// What programs that sync folders call the second of two files.
@Suite struct ConflictMarkTests {
  @Test(
    arguments: [
      (
        "beach.jpg.sync-conflict-20240101-120000-ABCDEFG.aae",
        "sync-conflict-20240101-120000-ABCDEFG"
      ),
      ("beach.jpg (conflicted copy 2024-01-01 120000).aae", "conflicted-copy-2024-01-01-120000"),
      ("beach.jpg (Anna's conflicted copy 2024-01-01).aae", "Anna-s-conflicted-copy-2024-01-01"),
      ("beach.jpg-LAPTOP.aae", "conflict-LAPTOP"), ("beach.jpg (1).aae", "conflict-1"),
      ("beach.jpg_Laptop_Jan-01-120000-2024_Conflict.aae", "Laptop-Jan-01-120000-2024-Conflict"),
      ("beach (conflicted copy).jpg.aae", "conflicted-copy"), ("beach.jpg 2.aae", "conflict-2"),
    ] as [(FilePath, String)])
  func aCopyIsRecognizedAndItsMarkNamesAVersion(copy: FilePath, version: String) throws {
    let mark = try #require(ConflictMark(in: copy, of: "beach.jpg.aae"))
    let name = mark.versionName { _ in false }
    #expect(name == version)
    #expect(RecordedVersion.isName(name))
    #expect(mark.versionName { $0 == version } == version + "-2")
  }

  @Test(
    arguments: ["beach.jpg.aae", "beach.jpg1.aae", "sea.jpg (1).aae", "beach.aae"] as [FilePath])
  func otherNamesAreNoCopies(name: FilePath) {
    #expect(ConflictMark(in: name, of: "beach.jpg.aae") == nil)
  }

  @Test func aLongNameFits() throws {
    let words = String(repeating: "conflict of a long name ", count: 6)
    let mark = try #require(
      ConflictMark(in: FilePath("a.jpg (\(words)).aae"), of: "a.jpg.aae"))
    #expect(RecordedVersion.isName(mark.versionName { _ in false }))
    #expect(RecordedVersion.isName(mark.versionName { !$0.hasSuffix("-12") }))
  }
}
