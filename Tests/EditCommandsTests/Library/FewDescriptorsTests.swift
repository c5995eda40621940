import Foundation
import Testing

/// Commands on a library in a process that may open few files.
@Suite struct FewDescriptorsTests {
  @Test func areEnoughOrSaid() async throws {
    let folder = CommandFolder()
    try await folder.makeLibrary(of: "a.jpg")
    for limit in stride(from: 4, to: 64, by: 2) {
      let result = try EditProcess(
        shell: "ulimit -n \(limit); $EDIT library list --library data/library", in: folder)
      if limit >= 24 {
        #expect(result.status == 0 && result.output.contains("a.jpg"), "\(limit): \(result.errors)")
      } else {
        #expect(
          result.status == 1 && result.errors.hasPrefix("edit: It may open \(limit) files"),
          "\(limit): \(result.errors)")
      }
    }
  }
}
