import Foundation
import Glibc
import SafelightTestSupport
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct HiddenFileTests {
  @Test func everyNameOfAnUnfinishedChangeIsKnown() {
    let names = PhotoNames("/photos/beach.jpg")
    let key = HiddenFile.key(of: "beach.jpg")
    let kinds = FileRole.Kind.all.filter { $0 != .original }
    for kind in kinds.flatMap({ kind in
      (kind.isMany ? [0, 12] : [nil]).map { HiddenFile.StagedKind(kind, $0) }
    }) {
      let path = names.staged(kind, token: "0123456789abcdef")
      for path in [path, FilePath(path.string.replacing("-0123456789abcdef", with: ""))] {
        let file = path.lastComponent.flatMap(HiddenFile.init)
        #expect(file?.kind == .staged(kind))
        #expect(file?.key == key)
      }
    }
    let pending = names.pending.lastComponent.flatMap(HiddenFile.init)
    #expect(pending?.kind == .pending)
    #expect(pending?.key == key)
    let claim = names.claim.lastComponent.flatMap(HiddenFile.init)
    #expect(claim?.kind == .claim)
    #expect(claim?.key == key)
  }

  @Test(arguments: [
    "beach.jpg", ".safelight-", ".safelight-0123.render", ".safelight-0123456789abcdef",
    ".safelight-export-x-1", ".safelight-export-12", ".hidden",
    ".safelight-0123456789abcdef.render-1", ".safelight-0123456789abcdef.renders",
    ".safelight-0123456789abcdef.version-", ".safelight-0123456789abcdef.version-x",
    ".safelight-0123456789abcdef.render-0123456789abcdef-0",
  ])
  func otherNamesAreSomebodyElses(name: String) {
    #expect(HiddenFile(FilePath(name)) == nil)
  }

  @Test func anExportOfADeadProcessIsLeftBehind() throws {
    let folder = PhotoFolder()
    let path = folder.path.appending(".safelight-export-1-1")
    folder.put("half", at: path)
    let process = try FinishedProcess(["true"]).identifier
    try #expect(FileSystem.real.isAbandonedExport(path, by: process, removing: false))
    #expect(folder.names == [".safelight-export-1-1", "beach.jpg"])
    try #expect(FileSystem.real.isAbandonedExport(path, by: process, removing: true))
    #expect(folder.names == ["beach.jpg"])
  }

  @Test func anExportOfALivingProcessIsNot() throws {
    let folder = PhotoFolder()
    let path = folder.path.appending(".safelight-export-1-1")
    folder.put("half", at: path)
    try #expect(!FileSystem.real.isAbandonedExport(path, by: getpid(), removing: true))
    #expect(folder.names.count == 2)
  }

  @Test func anExportThatIsBeingWrittenIsHeldWhateverItsProcessIsCalled() throws {
    let folder = PhotoFolder()
    let process = try FinishedProcess(["true"]).identifier
    let target = folder.path.appending("out.jpg")
    let written = try FileSystem.real.writeWhole(target, replacing: false) { sink in
      let bytes = Array("whole".utf8)
      try sink.write(bytes)
      let hidden = try #require(folder.names.first { HiddenFile($0) != nil })
      try #expect(
        !FileSystem.real.isAbandonedExport(
          folder.path.appending(hidden), by: process, removing: true))
      return bytes.count
    }
    #expect(written == 5)
    #expect(folder.text("out.jpg") == "whole")
  }
}
