import Testing

@testable import SafelightStorage

/// The table of a photo's files.
@Suite struct FileRoleTests {
  private let kinds = FileRole.Kind.all

  @Test func everyRowHasAWordAndAKeyOfItsOwn() {
    #expect(Set(kinds.map(\.word)).count == kinds.count)
    let keys = kinds.compactMap(\.key)
    #expect(Set(keys).count == keys.count)
    // A hyphen stands before the index and the token in hidden names.
    #expect(kinds.allSatisfy { !$0.word.isEmpty && !$0.word.contains("-") })
  }

  @Test func filesOfAnEditHaveNamesThatNoOtherRowGives() {
    let recorded = FileRole.Kind.recorded
    let suffixes = FileRole.single.map(\.suffix)
    #expect(Set(suffixes).count == suffixes.count)
    for kind in recorded {
      #expect(kind.owner == .edit && kind.mark.hasPrefix("_") && kind.ending.hasPrefix("."))
    }
    #expect(recorded.count == FileRole.single.count + recorded.count(where: \.isMany))
  }

  @Test func theOriginalIsNeverStaged() {
    let names = PhotoNames("/photos/beach.jpg")
    let path = names.staged(HiddenFile.StagedKind(.original), token: "0123456789abcdef")
    #expect(path.lastComponent.flatMap(HiddenFile.init) == nil)
  }
}
