import Foundation
import Glibc
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
      edit.errors == """
        edit: none.jpg does not exist. Check the name, and that the disk is mounted.
        edit: 2 photos: 1 edited, 1 failed.
          none.jpg does not exist.

        """)
  }

  @Test func aMistakeMakesItSixtyFour() throws {
    let edit = try EditProcess(["aply", "noir", "a.jpg"], in: folder)
    #expect(edit.status == 64)
    #expect(edit.output == "")
    #expect(edit.errors.hasPrefix("Error: Unknown subcommand 'aply'. Did you mean 'apply'?\n"))
  }

  @Test(.enabled(if: getuid() == 0, "Only root may take /proc away."))
  func withoutProcItSaysWhatIsMissing() throws {
    let edit = try EditProcess(
      shell: """
        unshare -m sh -c 'umount -l /proc && "$EDIT" --version'
        """, in: folder)
    #expect(edit.status == 1)
    #expect(edit.output == "")
    #expect(edit.errors.hasPrefix("edit: There is no /proc here, and nothing works without it."))
  }

  /// What a decoder says belongs to its photo where photos have processes of their own.
  @Test func whatADecoderSaysOfADamagedPhotoIsToldOn() throws {
    try folder.add("bad/truncated.jpg")
    let refused = try EditProcess(["apply", "noir", "truncated.jpg"], in: folder)
    let message = "edit: truncated.jpg: The picture is truncated or damaged: Premature end of "
    #expect(refused.errors.hasPrefix(message))
    let allowed = try EditProcess(
      ["apply", "noir", "--allow-damaged", "truncated.jpg"], in: folder)
    #expect(
      allowed.errors
        == "edit: truncated.jpg: The decoder warned: Premature end of JPEG file.\n")
  }

  @Test func helpGoesToStandardOutput() throws {
    let edit = try EditProcess(["apply", "--help"], in: folder)
    #expect(edit.status == 0)
    #expect(edit.output.hasPrefix("OVERVIEW: Give photos a filter.\n"))
    #expect(edit.errors == "")
  }

  @Test func aNameThatIsNotUTF8IsTakenAsItsBytes() throws {
    // Arguments of tests are texts, so the shell makes the bytes.
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

  @Test(.timeLimit(.minutes(10)), arguments: [SIGINT, SIGTERM])
  func waitingForALockedPhotoCanBeInterrupted(signal: Int32) throws {
    try folder.add("orientation/1.jpg")
    let photo = open(folder.path + "/1.jpg", O_RDONLY)
    defer { close(photo) }
    #expect(flock(photo, LOCK_EX) == 0)
    let start = ContinuousClock.now
    let opened = OpeningWatch(folder.path + "/1.jpg")
    let edit = try EditProcess(["apply", "noir", "1.jpg"], in: folder) { process in
      #expect(opened.wait())
      kill(process.processIdentifier, signal)
    }
    #expect(edit.status == 130)
    #expect(
      edit.errors == "edit: Interrupted; 1 photo was not done. The same command goes on.\n")
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(folder.names == ["1.jpg"])
  }

  /// Nobody writes to the pipe, and opening it cannot be cancelled.
  @Test(.timeLimit(.minutes(10)), arguments: [SIGINT, SIGTERM])
  func aSecondSignalEndsTheProgramAtOnce(signal: Int32) throws {
    mkfifo(folder.path + "/list", 0o600)
    let edit = try EditProcess(["apply", "noir", "--files-from", "list"], in: folder) { process in
      while try !process.catches(signal) { poll(nil, 0, 5) }
      kill(process.processIdentifier, signal)
      // Two SIGTERM within a moment are one.
      poll(nil, 0, 400)
      #expect(process.isRunning)
      kill(process.processIdentifier, signal)
    }
    #expect(edit.status == -1)
  }

  @Test(.timeLimit(.minutes(15)), arguments: [SIGINT, SIGTERM])
  func anInterruptedRenderLeavesNothing(signal: Int32) throws {
    // Long enough to be interrupted on any machine, 400 megapixels.
    try folder.put(LargeTIFF.data(side: 20_000), as: "large.tif")
    let watch = FolderWatch(folder)
    let edit = try EditProcess(["apply", "noir", "large.tif"], in: folder) { process in
      #expect(watch.waitForStagedRender())
      kill(process.processIdentifier, signal)
    }
    #expect(edit.status == 130)
    #expect(edit.output == "")
    #expect(
      edit.errors == "edit: Interrupted; 1 photo was not done. The same command goes on.\n")
    #expect(folder.names == ["large.tif"])
  }
}

/// Renders of local adjustments by the program with different numbers of threads.
@Suite struct ThreadTests {
  private static let options = """
    --noise-reduction-luminance 40 --noise-reduction-color 40 --dehaze 40 --highlights -60 \
    --shadows 70 --clarity 50 --sharpen 80 --blur 1.5 --glow 40 --crop-y 0.3 --crop-height 0.25
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
