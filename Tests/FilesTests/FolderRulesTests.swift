import Glibc
import SafelightTestSupport
import Testing

@testable import SafelightFiles

@Suite struct FolderRulesTests {
  private let folder = TemporaryFolder()

  /// The files below the folder that a walk finds, by their paths from it.
  private func walk(_ rules: FolderRules = .standard, in start: FilePath = "") throws -> [String] {
    let root = start.isEmpty ? folder.path : folder[start]
    var found: [String] = []
    func walk(_ walked: WalkedFolder) throws {
      var entries: [FolderEntry] = []
      try FileSystem.real.forEachEntry(in: walked.path) { entries.append($0) }
      for entry in entries.sorted(by: { $0.name < $1.name }) where !walked.leavesOut(entry) {
        if entry.isFolder, let inner = try walked.folder(entry.name) {
          try walk(inner)
        } else {
          found.append(walked.path.appending(entry.name).relative(to: root).string)
        }
      }
    }
    try walk(WalkedFolder(root, rules))
    return found
  }

  private func put(_ names: [String], _ rules: [FilePath: String] = [:]) {
    for name in names { make(FilePath(name), "") }
    for (path, text) in rules { make(path.appending(FolderRules.fileName), text) }
  }

  private func make(_ path: FilePath, _ text: String) {
    folder[path].removingLastComponent().makeFolder()
    folder.put(text, at: path)
  }

  /// What git says of the same patterns: `git check-ignore` of git 2.39.
  @Test(arguments: [
    ("*.png", ["a.png", "x/b.png"], ["a.jpg", "a.pngx"]),
    ("drafts/", ["drafts/a.jpg", "x/drafts/a.jpg"], ["drafts.jpg"]),
    ("/drafts", ["drafts/a.jpg"], ["x/drafts/a.jpg"]),
    ("x/drafts", ["x/drafts/a.jpg"], ["y/x/drafts/a.jpg", "drafts/a.jpg"]),
    ("**/raw/**", ["raw/a.jpg", "x/y/raw/z/a.jpg"], ["raw.jpg", "x/raw.jpg"]),
    ("x/**/a.jpg", ["x/a.jpg", "x/y/a.jpg", "x/y/z/a.jpg"], ["a.jpg", "y/a.jpg"]),
    ("x/*/a.jpg", ["x/y/a.jpg"], ["x/a.jpg", "x/y/z/a.jpg"]),
    ("IMG_?.jpg", ["IMG_1.jpg"], ["IMG_.jpg", "IMG_10.jpg"]),
    ("[a-c]*.jpg", ["a.jpg", "cat.jpg"], ["d.jpg", "A.jpg"]),
    ("[!a-c].jpg", ["d.jpg"], ["a.jpg"]),
    ("[^a-c].jpg", ["d.jpg"], ["b.jpg"]),
    ("[]-]x.jpg", ["]x.jpg", "-x.jpg"], ["x.jpg"]),
    ("[[:digit:]]*", ["1.jpg", "x/2a.jpg"], ["a1.jpg"]),
    ("[a.jpg", [], ["a.jpg", "[a.jpg"]),
    ("# a.jpg", [], ["# a.jpg", "a.jpg"]),
    ("\\#recent.jpg", ["#recent.jpg"], ["recent.jpg"]),
    ("\\!a.jpg", ["!a.jpg"], ["a.jpg"]),
    ("a.jpg  ", ["a.jpg"], ["a.jpg  "]),
    ("a.jpg\\ ", ["a.jpg "], ["a.jpg"]),
    ("\\*.jpg", ["*.jpg"], ["a.jpg"]),
    ("*.jpg\n!best.jpg", ["a.jpg"], ["best.jpg", "x/best.jpg"]),
    ("x/\n!x/best.jpg", ["x/best.jpg"], []),
    ("x/*\n!x/best.jpg", ["x/a.jpg"], ["x/best.jpg"]),
    ("a.jpg\r\nb.jpg\r\n", ["a.jpg", "b.jpg"], ["c.jpg"]),
    ("\u{FEFF}a.jpg", ["a.jpg"], ["b.jpg"]),
    ("a**c.jpg", ["abc.jpg", "ac.jpg"], ["a/c.jpg"]),
    ("/*\n!/keep", ["a.jpg", "x/a.jpg"], ["keep/a.jpg"]),
    ("a\\", [], ["a"]),
  ])
  func patternsMeanWhatTheyMeanToGit(patterns: String, out: [String], kept: [String]) throws {
    put(out + kept, ["": patterns])
    #expect(try walk() == kept.sorted { FilePath($0) < FilePath($1) })
  }

  @Test func accentsAreTheSameInBothOfTheirForms() throws {
    put(["O\u{308}l/a.jpg", "u\u{308}.jpg", "b.jpg"], ["": "\u{D6}l/\n\u{FC}.jpg"])
    #expect(try walk() == ["b.jpg"])
  }

  @Test func bytesThatAreNoTextAreBytesInPatternsToo() throws {
    folder.put("", at: FilePath(bytes: [0x61, 0xFF]))
    folder.put("", at: FilePath(bytes: [0x61, 0xFE]))
    folder.put([0x2A, 0xFF], at: FilePath(FolderRules.fileName))
    let walked = try WalkedFolder(folder.path, .standard)
    #expect(walked.leavesOut(FilePath(bytes: [0x61, 0xFF]), isFolder: false))
    #expect(!walked.leavesOut(FilePath(bytes: [0x61, 0xFE]), isFolder: false))
  }

  @Test func ofAllFilesTheNearestDecidesAndThePatternsOfTheCommandDecideLast() throws {
    put(
      ["a.png", "x/a.png", "x/y/a.png"],
      ["": "*.png", "x": "!*.png", "x/y": "*.png"])
    #expect(try walk() == ["x/a.png"])
    #expect(try walk(FolderRules(excluding: ["!*.png"])).count == 3)
    #expect(try walk(FolderRules(excluding: ["*.png"])) == [])
  }

  @Test func aFolderHasTheSameRulesWhereverTheWalkBegins() throws {
    put(["x/drafts/a.jpg", "x/b.jpg", "x/c.jpg"], ["": "drafts/\n/x/b.jpg"])
    #expect(try walk(in: "x") == ["c.jpg"])
    // A folder that is named is walked through.
    #expect(try walk(in: "x/drafts") == ["a.jpg"])
  }

  @Test func whatDisksAndNASKeepForThemselvesIsLeftOutUnlessARuleTakesItIn() throws {
    let kept = [
      "@eaDir/IMG_1.JPG/SYNOPHOTO_THUMB_XL.jpg", "#recycle/a.jpg", "#snapshot/b.jpg",
      ".@__thumb/a.jpg", "@Recycle/a.jpg", "@Recently-Snapshot/x/a.jpg", "$Recycle.Bin/S-1/a.jpg",
      "lost+found/a.jpg", "System Volume Information/a.jpg", ".Trashes/a.jpg", "__MACOSX/._a.jpg",
      "._a.jpg", "GOPR1.THM", "Old.photoslibrary/a.jpg", "Catalog Previews.lrdata/a.jpg",
      "a.jpg_original", "a.jpg~", "a.jpg.bak", "a.JPG.orig",
    ]
    put(kept + ["a.jpg", "deep/@eaDir/a.jpg", "deep/b.jpg", "recycle/c.jpg"])
    #expect(try walk() == ["a.jpg", "deep/b.jpg", "recycle/c.jpg"])
    #expect(try walk(FolderRules(excluding: ["!#recycle"])).contains("#recycle/a.jpg"))
    put([], ["": "!@eaDir/"])
    #expect(try walk().contains("deep/@eaDir/a.jpg"))
  }

  @Test func aFolderThatMayNotBeLookedIntoIsTheOneThatIsNamed() throws {
    let fileSystem = FileSystem { step in
      step.path.lastComponent == "catalogue.sqlite" ? .failure(EACCES) : nil
    }
    let error = #expect(throws: FileSystemError.self) {
      try WalkedFolder("priv", .standard, fileSystem)
    }
    #expect(error?.description == "priv could not be listed: permission is missing.")
  }

  @Test func aLibrarysThumbnailsAreNoPhotos() throws {
    put(["lib/catalogue.sqlite", "lib/cache/00/a.jpg", "lib/originals/a.jpg", "cache/a.jpg"])
    #expect(try walk() == ["cache/a.jpg", "lib/catalogue.sqlite", "lib/originals/a.jpg"])
  }

  @Test func onACommandLineAPatternMayBeAPath() throws {
    put(["x/[raw]/a.jpg", "x/b.jpg", "y/x/b.jpg"])
    let path = folder["x/[raw]"]
    let rules = try FolderRules(arguments: [path.argument, folder["x/b.jpg"].argument + "/"])
    #expect(try walk(rules) == ["y/x/b.jpg"])
    #expect(throws: FolderRules.UselessPattern(pattern: "[a")) {
      try FolderRules(arguments: ["[a"])
    }
    #expect(throws: FolderRules.UselessPattern(pattern: "")) { try FolderRules(arguments: [""]) }
  }

  @Test func rulesAreTheSameWhenTheyAreReadAgain() throws {
    let words = ["#recycle", "a ", "drafts/", "!x", "\u{10FFFF}", "\\*"]
    let rules = FolderRules(excluding: words)
    #expect(FolderRules(lines: rules.lines) == rules)
    #expect(FolderRules(texts: rules.texts) == rules)
    #expect(rules.adding(rules) == rules)
    let opposite = FolderRules(excluding: ["!drafts/"])
    #expect(FolderRules(excluding: ["drafts/"]).adding(opposite) == opposite)
  }

  @Test func aFileOfRulesThatCannotBeReadStopsTheWalk() throws {
    put(["a.jpg"])
    symlink("elsewhere", folder[FilePath(FolderRules.fileName)].string)
    #expect(throws: FileSystemError.self) { try walk() }
  }

  @Test func aPipeOrAFolderOfThatNameSaysNothing() throws {
    put(["a.jpg", "x/b.jpg"])
    mkfifo(folder[FilePath(FolderRules.fileName)].string, 0o600)
    folder["x"].appending(FolderRules.fileName).makeFolder()
    #expect(try walk() == ["a.jpg", "x/b.jpg"])
  }

  @Test func noPatternTakesLong() throws {
    let pattern = String(repeating: "*a", count: 200)
    let deep = String(repeating: "**/", count: 200) + "x"
    let walked = try WalkedFolder(folder.path, FolderRules(excluding: [pattern, deep]))
    let name = FilePath(String(repeating: "a", count: 250) + "b")
    let start = ContinuousClock.now
    #expect(!walked.leavesOut(name, isFolder: false))
    #expect(ContinuousClock.now - start < .seconds(2))
  }
}
