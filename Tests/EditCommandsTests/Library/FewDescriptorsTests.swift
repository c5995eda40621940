import Foundation
import Testing

/// Commands on a library in a process that may open few files.
@Suite struct FewDescriptorsTests {
  @Test func areNeverToldAsDamage() async throws {
    let folder = CommandFolder()
    try await folder.makeLibrary(of: "a.jpg")
    var refusals = 0
    for limit in stride(from: 10, to: 64, by: 2) {
      let result = try EditProcess(
        shell: "ulimit -n \(limit); $EDIT library list --library data/library", in: folder)
      if result.status == 0 {
        #expect(result.output.contains("a.jpg"))
        continue
      }
      #expect(result.status == 1, "\(limit)")
      #expect(!result.errors.contains("damaged"), "\(limit): \(result.errors)")
      if result.errors.contains("too many files are open") { refusals += 1 }
    }
    #expect(refusals > 0)
  }
}
