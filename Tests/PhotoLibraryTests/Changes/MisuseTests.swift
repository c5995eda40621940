import Foundation
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

@Suite struct MisuseTests {
  @Test func aRequestOutsideOfABlockEndsTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = AssetCreationRequest.forAsset() }
  }

  @Test func aRequestAfterItsBlockEndsTheProgram() async throws {
    let test = try TestLibrary()
    let path = test.library.path.string
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let library = try PhotoLibrary(at: FilePath(path))
      nonisolated(unsafe) var kept: AssetCollectionChangeRequest?
      try library.performChangesAndWait {
        kept = AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      }
      kept?.title = "B"
    }
  }

  @Test func aBlockInsideABlockEndsTheProgram() async throws {
    let test = try TestLibrary()
    let path = test.library.path.string
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let library = try PhotoLibrary(at: FilePath(path))
      try library.performChangesAndWait {
        try? library.performChangesAndWait {}
      }
    }
  }

  @Test func aTaskThatABlockBeginsIsNotInsideIt() async throws {
    let test = try TestLibrary()
    let asset = try await test.library.addRows(1)[0]
    let task = Box<Task<Void, any Error>?>(nil)
    try await test.library.performChanges {
      task.value = Task {
        try await test.library.performChanges { AssetChangeRequest(for: asset).isHidden = true }
      }
    }
    try await task.value?.value
    #expect(try test.library.asset("asset-0").isHidden)
  }
}
