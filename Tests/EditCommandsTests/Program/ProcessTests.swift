import Foundation
import PhotoEditing
import Testing

/// The program as a shell runs it: exit codes, streams and signals.
@Suite struct ProcessTests {
  private let folder = CommandFolder()

  @Test func successIsZeroAndResultsGoToStandardOutput() throws {
    try folder.add("alpha.png")
    let edit = try EditProcess(["apply", "noir", "alpha.png"], in: folder)
    #expect(edit.status == 0)
    #expect(edit.output == "alpha.png: noir, rendered to alpha_edited.jpg\n")
    #expect(
      edit.errors
        == "edit: alpha.png: The photo has transparency; the render shows it on white.\n")
    #expect(folder.names == ["alpha.png", "alpha.png.aae", "alpha_edited.jpg"])
  }

  @Test func aPhotoThatFailsMakesItOne() throws {
    try folder.add("orientation/1.jpg", as: "sub/1.jpg")
    let edit = try EditProcess(["apply", "noir", "none.jpg", "sub/1.jpg"], in: folder)
    #expect(edit.status == 1)
    #expect(edit.output == "none.jpg: failed\nsub/1.jpg: noir, rendered to sub/1_edited.jpg\n")
    #expect(
      edit.errors
        == "edit: none.jpg does not exist. Check the name, and that the disk is mounted.\n")
  }

  @Test func aMistakeMakesItSixtyFour() throws {
    let edit = try EditProcess(["aply", "noir", "a.jpg"], in: folder)
    #expect(edit.status == 64)
    #expect(edit.output == "")
    #expect(edit.errors.hasPrefix("Error: Unknown subcommand 'aply'. Did you mean 'apply'?\n"))
  }

  @Test func aNumberOutOfRangeMakesItOneWithASingleMessage() throws {
    try folder.add("orientation/1.jpg")
    let edit = try EditProcess(["apply", "noir", "1.jpg", "--intensity", "7"], in: folder)
    #expect(edit.status == 1)
    #expect(edit.output == "")
    #expect(edit.errors == "Error: --intensity takes a number from 0 to 1, not 7.\n")
    #expect(folder.names == ["1.jpg"])
  }

  @Test func helpGoesToStandardOutput() throws {
    let edit = try EditProcess(["apply", "--help"], in: folder)
    #expect(edit.status == 0)
    #expect(edit.output.hasPrefix("OVERVIEW: Give photos a filter.\n"))
    #expect(edit.errors == "")
  }

  @Test func aNameThatIsNotUTF8IsTakenAsItsBytes() throws {
    // A Process takes its arguments as text, so the shell makes the bytes.
    try folder.add("orientation/1.jpg")
    let edit = try EditProcess(
      shell: """
        name=$(printf 'f\\374n\\377.jpg') && mv 1.jpg "$name" && "$EDIT" apply noir "$name" \
          && "$EDIT" revert "$name" && mv "$name" 2.jpg
        """, in: folder)
    #expect(edit.errors == "")
    #expect(edit.output.hasSuffix(": reverted\n"))
    #expect(edit.status == 0)
    #expect(folder.names == ["2.jpg"])
  }

  @Test(.timeLimit(.minutes(15)), arguments: [SIGINT, SIGTERM])
  func anInterruptedRenderLeavesNothing(signal: Int32) throws {
    // Long enough to be interrupted on any machine, 144 megapixels.
    try folder.put(LargeTIFF.data(side: 12_000), as: "large.tif")
    let watch = FolderWatch(folder)
    let edit = try EditProcess(["apply", "noir", "large.tif"], in: folder) { process in
      #expect(watch.waitForFile(endingIn: ".render"))
      kill(process.processIdentifier, signal)
    }
    #expect(edit.status == 130)
    #expect(edit.output == "")
    #expect(
      edit.errors == "edit: Interrupted; 1 photo was not done. The same command goes on.\n")
    #expect(folder.names == ["large.tif"])
  }
}
