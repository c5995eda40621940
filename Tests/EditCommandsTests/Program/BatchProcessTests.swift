import Foundation
import Glibc
import Testing

/// Batches of the program, whose photos are decoded by processes of their own.
@Suite(.timeLimit(.minutes(15))) struct BatchProcessTests {
  private let folder = CommandFolder()

  /// Adds small photos, and a large one that is being rendered long enough to be met at it.
  ///
  /// - Parameter side: Of the large one, in pixels; less where it is rendered to its end.
  private func fill(large: String? = nil, side: Int = 20_000, small: String...) throws {
    for name in small { try folder.add("orientation/1.jpg", as: name) }
    if let large { try folder.put(LargeTIFF.data(side: side), as: large) }
  }

  @Test func resultsComeInTheOrderGivenHoweverLongEachTakes() throws {
    try fill(large: "large.tif", side: 3000, small: "1.jpg", "2.jpg", "3.jpg")
    let edit = try EditProcess(
      ["apply", "noir", "-j", "2", "large.tif", "1.jpg", "none.jpg", "2.jpg", "3.jpg"], in: folder)
    #expect(edit.status == 1)
    #expect(
      edit.output == """
        large.tif: noir, rendered to large_edited.jpg
        1.jpg: noir, rendered to 1_edited.jpg
        none.jpg: failed
        2.jpg: noir, rendered to 2_edited.jpg
        3.jpg: noir, rendered to 3_edited.jpg

        """)
  }

  @Test(arguments: [[], ["--together"]])
  func ofPhotosOfOneStemTheFirstGivenHasTheShortName(words: [String]) throws {
    try fill(large: "beach.tif", side: 3000, small: "beach.jpg", "other.jpg")
    let edit = try EditProcess(
      ["apply", "noir", "-j", "3"] + words + ["beach.tif", "beach.jpg", "other.jpg"], in: folder)
    #expect(
      edit.output == """
        beach.tif: noir, rendered to beach_edited.jpg
        beach.jpg: noir, rendered to beach.jpg_edited.jpg
        other.jpg: noir, rendered to other_edited.jpg

        """)
  }

  @Test func aPhotoThatNeedsMoreMemoryThanAllowedIsNotSaidToBeDamaged() throws {
    // A picture that is turned is held whole, here 400 MB.
    try folder.put(LargeTIFF.data(side: 20_000, orientation: 6), as: "large.tif")
    let edit = try EditProcess(
      ["apply", "noir", "--memory-limit", "256", "large.tif"], in: folder)
    #expect(edit.status == 1)
    #expect(edit.errors.contains("large.tif: There is not enough memory for the picture. Allow"))
    #expect(folder.names == ["large.tif"])
  }

  @Test func aBatchSaysTheSameAsOnePhotoAfterTheOther() throws {
    try folder.add("alpha.png")
    try fill(small: "1.jpg", "2.jpg")
    let edit = try EditProcess(
      ["apply", "noir", "--json", "--report", "r.ndjson", "alpha.png", "1.jpg", "1.jpg.aae"],
      in: folder)
    #expect(edit.status == 0)
    let lines = edit.output.replacing(/,"milliseconds":\d+/, with: "")
    #expect(
      lines == #"""
        {"photo":"alpha.png","status":"edited","rendered":"alpha_edited.jpg","record":"alpha.png.aae","warnings":["The photo has transparency; the render shows it on white."]}
        {"photo":"1.jpg","status":"edited","rendered":"1_edited.jpg","record":"1.jpg.aae"}
        {"photo":"1.jpg.aae","status":"skipped","warnings":["It is the sidecar of 1.jpg."]}

        """#)
    #expect(folder.data("r.ndjson") == Data(edit.output.utf8))
    #expect(
      edit.messages
        == "edit: alpha.png: The photo has transparency; the render shows it on white.\n")
  }

  @Test func aDecoderThatDiesCostsItsOnePhoto() throws {
    try fill(large: "large.tif", small: "1.jpg", "2.jpg", "3.jpg")
    let watch = FolderWatch(folder)
    let edit = try EditProcess(
      ["apply", "noir", "-j", "1", "large.tif", "1.jpg", "2.jpg", "3.jpg"], in: folder
    ) { process in
      #expect(watch.waitForStagedRender())
      // A decoder that dies before it has begun is replaced.
      #expect(FolderWatch(folder, for: IN_MODIFY).waitForStagedRender())
      for decoder in try process.children { kill(decoder, SIGKILL) }
    }
    #expect(edit.status == 1)
    #expect(edit.output.hasPrefix("large.tif: failed\n1.jpg: noir, rendered to 1_edited.jpg\n"))
    #expect(edit.output.hasSuffix("3.jpg: noir, rendered to 3_edited.jpg\n"))
    #expect(
      edit.messages.hasPrefix(
        "edit: large.tif: The process that decoded the picture ended early: it was killed. If the")
    )
    // What the dead one left behind is gone.
    #expect(folder.names.count == 10)
    #expect(!folder.names.contains { $0.hasPrefix(".") })
  }

  @Test func aPhotoThatTakesTooLongIsGivenUp() throws {
    try fill(large: "large.tif", small: "1.jpg", "2.jpg")
    let edit = try EditProcess(
      ["apply", "noir", "--timeout", "0.3", "large.tif", "1.jpg", "--json"], in: folder)
    #expect(edit.status == 1)
    let lines = edit.output.split(separator: "\n")
    #expect(lines.first?.contains(#""error":{"code":"timed-out","#) == true)
    #expect(!folder.names.contains { $0.hasPrefix(".") || $0.hasPrefix("large_") })
  }

  @Test func aSinglePhotoIsLimitedToo() throws {
    try fill(large: "large.tif")
    let edit = try EditProcess(
      ["apply", "noir", "--timeout", "0.3", "large.tif"], in: folder)
    #expect(edit.status == 1)
    #expect(edit.messages.hasPrefix("edit: large.tif took longer than 0.3 s and was given up."))
    #expect(folder.names == ["large.tif"])
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func anInterruptedBatchRollsBackWhatItIsAt(signal: Int32) throws {
    try fill(large: "large.tif", small: "1.jpg", "2.jpg")
    let watch = FolderWatch(folder)
    let edit = try EditProcess(
      ["apply", "noir", "-j", "1", "1.jpg", "large.tif", "2.jpg"], in: folder
    ) { process in
      // The first photo's render is made and gone before the second's.
      #expect(watch.waitForStagedRender())
      #expect(watch.waitForStagedRender())
      kill(process.processIdentifier, signal)
    }
    #expect(edit.status == 130)
    #expect(edit.output == "1.jpg: noir, rendered to 1_edited.jpg\n")
    #expect(
      edit.messages == "edit: Interrupted; 2 photos were not done. The same command goes on.\n")
    #expect(folder.names == ["1.jpg", "1.jpg.aae", "1_edited.jpg", "2.jpg", "large.tif"])
  }

  @Test func failFastStopsAtTheFirstFailure() throws {
    try fill(small: "1.jpg", "2.jpg", "3.jpg")
    let edit = try EditProcess(
      ["apply", "noir", "-j", "1", "--fail-fast", "1.jpg", "none.jpg", "2.jpg", "3.jpg"],
      in: folder)
    #expect(edit.status == 1)
    #expect(edit.output == "1.jpg: noir, rendered to 1_edited.jpg\nnone.jpg: failed\n")
    #expect(edit.errors.contains("edit: Stopped at the first failure; 2 photos were not done."))
    #expect(!folder.names.contains("2_edited.jpg"))
  }

  @Test func decodersEndWithTheirBatch() throws {
    try fill(large: "large.tif", small: "1.jpg")
    let watch = FolderWatch(folder)
    var decoders: [pid_t] = []
    let edit = try EditProcess(["apply", "noir", "-j1", "large.tif", "1.jpg"], in: folder) {
      process in
      #expect(watch.waitForStagedRender())
      decoders = try process.children
      kill(process.processIdentifier, SIGKILL)
    }
    #expect(edit.status == -1)
    #expect(!decoders.isEmpty)
    for decoder in decoders { while kill(decoder, 0) == 0 { poll(nil, 0, 20) } }
    #expect(!folder.names.contains { $0.contains("_edited") || $0.hasSuffix(".aae") })
    // The next command on the photo takes away what was left behind.
    let again = try EditProcess(["apply", "noir", "1.jpg", "--fail-fast"], in: folder)
    #expect(again.status == 0)
    let shown = try EditProcess(["revert", "large.tif"], in: folder)
    #expect(shown.status == 0)
    #expect(folder.names == ["1.jpg", "1.jpg.aae", "1_edited.jpg", "large.tif"])
  }

  @Test func photosOfOtherFoldersAreRenderedIntoOne() throws {
    try fill(small: "x/1.jpg", "y/1.jpg", "z/2.jpg")
    mkdir(folder.path + "/out", 0o755)
    let edit = try EditProcess(
      ["render", "-r", ".", "-o", "out", "--format", "png", "--longest-side", "20"], in: folder)
    #expect(
      edit.output == """
        ./x/1.jpg: rendered to out/1.png
        ./y/1.jpg: rendered to out/1-2.png
        ./z/2.jpg: rendered to out/2.png

        """)
    #expect(edit.status == 0)
  }

  @Test func aWorkerAnswersEveryLine() throws {
    try fill(small: "1.jpg")
    let edit = try EditProcess(
      shell: #"""
        printf '%s\n' '{"id":"a","photo":"1.jpg","command":["apply","noir"]}' '' 'no job' \
          '{"photo":"1.jpg","command":["adjust","--exposure","-0.5"],"id":[2]}' \
          '{"photo":"1_edited.jpg","command":["apply","noir"]}' \
          '{"photo":"1.jpg","command":["filters"]}' \
          '{"photo":"1.jpg","command":["revert"]}' | $EDIT worker
        """#, in: folder)
    #expect(edit.status == 0)
    let answers = edit.output.split(separator: "\n").map {
      String($0.replacing(/"milliseconds":\d+/, with: "").prefix(60))
    }
    #expect(
      answers == [
        #"{"id":"a","photo":"1.jpg","status":"edited","rendered":"1_ed"#,
        #"{"status":"failed","error":{"code":"bad-job","message":"The "#,
        #"{"id":[2],"photo":"1.jpg","status":"edited","rendered":"1_ed"#,
        #"{"photo":"1_edited.jpg","status":"skipped","warnings":["It i"#,
        #"{"photo":"1.jpg","status":"failed","error":{"code":"bad-job""#,
        #"{"photo":"1.jpg","status":"reverted",,"text":"reverted"}"#,
      ])
  }

  @Test func theLastJobNeedsNoEndOfLine() throws {
    try fill(small: "1.jpg")
    let edit = try EditProcess(
      shell: #"printf '{"photo":"1.jpg","command":["apply","noir"]}' | $EDIT worker"#, in: folder)
    #expect(edit.status == 0)
    #expect(edit.output.contains(#""status":"edited""#))
    #expect(edit.errors == "")
  }
}
