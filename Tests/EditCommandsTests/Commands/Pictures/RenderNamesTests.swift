import Foundation
import Testing

@testable import SafelightEditCommands

/// `edit render` with names by a template, folders, and a second run.
@Suite struct RenderNamesTests {
  private let folder = CommandFolder()

  /// The files in a folder and the folders in it, without the one that keeps it.
  private func files(in name: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder.path + "/" + name)
    return (names?.compactMap { $0 as? String } ?? []).filter {
      $0 != ".keep" && folder.data(name + "/" + $0) != nil
    }.map { name + "/" + $0 }.sorted()
  }

  @Test(arguments: [
    ("{name}-{n:3}", ["out/a-001.jpg", "out/b-002.jpg"]),
    ("x{n}", ["out/x1.jpg", "out/x2.jpg"]), ("same", ["out/same-2.jpg", "out/same.jpg"]),
    ("{filter}/{name}", ["out/noir/a.jpg", "out/unfiltered/b.jpg"]),
    ("{version}_{name}", ["out/evening_a.jpg", "out/present_b.jpg"]),
    ("{{{name}}}", ["out/{a}.jpg", "out/{b}.jpg"]),
    ("{date:%Y}/{name}", ["out/2019/a.jpg", "out/undated/b.jpg"]),
    ("{name}-{date:%%%Y}", ["out/a-%2019.jpg", "out/b-undated.jpg"]),
  ])
  func aTemplateMakesTheNames(template: String, names: [String]) async throws {
    try folder.add("exif-gps-makernote.jpg", as: "a.jpg")
    try folder.add("orientation/1.jpg", as: "b.jpg")
    try folder.put("", as: "out/.keep")
    _ = await folder.edit("apply", "noir", "@/a.jpg")
    _ = await folder.edit("version", "save", "evening", "@/a.jpg")
    let end = await folder.edit(
      "render", "@/a.jpg", "@/b.jpg", "-o", "@/out", "--name", template, "--longest-side", "40")
    #expect(end.code == 0, "\(end.messages)")
    let found = files(in: "out")
    let year = try #require(await takenIn("@/a.jpg"))
    #expect(found == names.map { $0.replacing("2019", with: year) })
  }

  /// The year in which a photo was taken.
  private func takenIn(_ photo: String) async throws -> String? {
    let shown = await folder.edit("show", photo, "--json").results.first ?? ""
    let json = try JSONValue(parsing: shown.utf8)
    return json["original"]?["creationDate"]?.string.map { String($0.prefix(4)) }
  }

  @Test(arguments: [
    "", "{nothing}", "{name", "name}", "../{name}", "/{name}", "{name}/", "a//b", "{n:0}", "{n:x}",
    ".{name}", "{name:3}", "{name:upper}", "{date:%n}", "{date:%9999999Y}", "{date:%}", "{date:}",
    "{date:%Q}", "{date:%Z}",
  ])
  func aTemplateThatMeansNothingIsRefused(template: String) async throws {
    try folder.add("orientation/1.jpg")
    try folder.put("", as: "out/.keep")
    let end = await folder.edit("render", "@/1.jpg", "-o", "@/out", "--name", template)
    #expect(end.code == 64, "\(end.results)")
    #expect(end.messages.first?.hasPrefix("Error: --name ") == true, "\(end.messages)")
  }

  @Test(arguments: [
    ("...jpg", "{name}/{name}/x", "out/_./_./x.jpg"), (".hid.jpg", "{name}/x", "out/_hid/x.jpg"),
  ])
  func noNameLeadsOutOfTheFolder(photo: String, template: String, file: String) async throws {
    try folder.add("orientation/1.jpg", as: photo)
    try folder.put("", as: "out/.keep")
    let end = await folder.edit(
      "render", "@/" + photo, "-o", "@/out", "--name", template, "--longest-side", "40")
    #expect(end.code == 0, "\(end.messages)")
    #expect(files(in: "out") == [file])
  }

  @Test func newerReplacesNoFileOfSomebodyElse() async throws {
    try folder.add("orientation/1.jpg", as: "a.jpg")
    try folder.put("notes", as: "out/a.jpg")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)],
      ofItemAtPath: folder.path + "/out/a.jpg")
    let end = await folder.edit("render", "@/a.jpg", "-o", "@/out", "--newer")
    #expect(end.code == 1)
    #expect(folder.data("out/a.jpg") == Data("notes".utf8))
  }

  @Test func theSlashesOfADateMakeNoFolders() async throws {
    try folder.add("exif-gps-makernote.jpg", as: "a.jpg")
    try folder.put("", as: "out/.keep")
    let end = await folder.edit(
      "render", "@/a.jpg", "-o", "@/out", "--name", "{date:%D/%H}", "--longest-side", "40")
    #expect(end.code == 0, "\(end.messages)")
    let found = files(in: "out")
    #expect(found.count == 1 && found[0].contains(/^out\/\d\d-\d\d-\d\d\/\d\d.jpg$/), "\(found)")
  }

  // MARK: - What pictures say of themselves

  @Test func newerSeesWhatDatesDoNotShow() async throws {
    try folder.add("orientation/1.jpg", as: "a.jpg")
    try folder.put("", as: "out/.keep")
    let words = ["render", "@/a.jpg", "-o", "@/out", "--newer"]
    func expect(_ isWritten: Bool, _ options: String..., line: Int = #line) async {
      let end = await folder.edit(words + options)
      let text = isWritten ? "rendered to @/out/a.jpg" : "@/out/a.jpg is there already"
      #expect(end.results == ["@/a.jpg: " + text], "\(line): \(end.messages)")
    }
    await expect(true)
    await expect(false)
    _ = await folder.edit("apply", "noir", "@/a.jpg")
    await expect(true)
    // Nothing is newer after a revert.
    _ = await folder.edit("revert", "@/a.jpg")
    await expect(true)
    await expect(false)
    for options in [["--quality", "60"], ["--longest-side", "40"], ["--metadata", "no-place"]] {
      let end = await folder.edit(words + options)
      #expect(end.results == ["@/a.jpg: rendered to @/out/a.jpg"], "\(options): \(end.messages)")
      let same = await folder.edit(words + options)
      #expect(same.results == ["@/a.jpg: @/out/a.jpg is there already"])
    }
    await expect(true, "--metadata", "copyright")
    await expect(false, "--metadata", "copyright")
    // A photo that is older than the picture takes the place of the photo.
    try folder.add("orientation/3.jpg", as: "a.jpg")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: folder.path + "/a.jpg")
    await expect(true)
    await expect(false)
  }

  @Test(arguments: ["--newer", "--skip-existing"])
  func aPictureOfAnotherPhotoStays(option: String) async throws {
    try folder.add("orientation/1.jpg", as: "x/p.jpg")
    try folder.add("orientation/3.jpg", as: "y/p.jpg")
    try folder.put("", as: "out/.keep")
    #expect(await folder.edit("render", "@/x/p.jpg", "-o", "@/out", option).code == 0)
    let before = folder.data("out/p.jpg")
    let other = await folder.edit("render", "@/y/p.jpg", "-o", "@/out/p.jpg", option)
    #expect(other.code == 1)
    #expect(
      other.messages.first?.contains("@/out/p.jpg was made of another photo, p.jpg.") == true,
      "\(other.messages)")
    #expect(folder.data("out/p.jpg") == before)
    // In a folder it gets the next number, and keeps it.
    for words in ["rendered to @/out/p-2.jpg", "@/out/p-2.jpg is there already"] {
      let end = await folder.edit("render", "@/y/p.jpg", "-o", "@/out", option)
      #expect(end.results == ["@/y/p.jpg: \(words)"], "\(end.messages)")
    }
    // The same photo from elsewhere is that photo.
    try folder.add("orientation/1.jpg", as: "z/p.jpg")
    #expect(await folder.edit("render", "@/z/p.jpg", "-o", "@/out", option).code == 0)
  }

  /// A photo that comes between others later takes no number from them.
  @Test(arguments: ["--newer", "--skip-existing"])
  func photosThatCameLaterLeaveTheNumbers(option: String) async throws {
    for (turn, name) in ["2023/p.jpg", "2024/p.jpg"].enumerated() {
      try folder.add("orientation/\(turn + 1).jpg", as: "photos/\(name)")
    }
    try folder.put("", as: "out/.keep")
    let words = ["render", "-r", "@/photos", "-o", "@/out", "--longest-side", "40", option]
    #expect(await folder.edit(words).code == 0)
    try folder.add("orientation/3.jpg", as: "photos/2022/p.jpg")
    let end = await folder.edit(words)
    #expect(end.code == 0, "\(end.messages)")
    #expect(
      Set(end.results) == [
        "@/photos/2022/p.jpg: rendered to @/out/p-3.jpg",
        "@/photos/2023/p.jpg: @/out/p.jpg is there already",
        "@/photos/2024/p.jpg: @/out/p-2.jpg is there already",
      ])
  }

  @Test func newerNeedsMetadataToGoBy() async throws {
    try folder.add("orientation/1.jpg", as: "a.jpg")
    try folder.put("", as: "out/.keep")
    let words = ["render", "@/a.jpg", "-o", "@/out", "--metadata", "none"]
    let refused = await folder.edit(words + ["--newer"])
    #expect(refused.code == 64)
    #expect(refused.messages.first?.contains("--metadata copyright") == true)
    for _ in 1...2 { #expect(await folder.edit(words + ["--skip-existing"]).code == 0) }
  }

  // MARK: - Many photos

  @Test func sharesOfABatchDoNotCollide() async throws {
    for name in ["a/p.jpg", "b/p.jpg", "c/p.jpg", "d/p.jpg", "e/q.jpg"] {
      try folder.add("orientation/1.jpg", as: name)
    }
    for (name, template) in [("own", nil), ("numbers", "{n:2}-{name}")] {
      try folder.put("", as: "\(name)/.keep")
      for share in 1...3 {
        let end = await folder.edit(
          [
            "render", "-r", "@/a", "@/b", "@/c", "@/d", "@/e", "-o", "@/\(name)", "--longest-side",
            "40", "--shard", "\(share)/3",
          ] + (template.map { ["--name", $0] } ?? []))
        #expect(end.code == 0, "\(end.messages)")
      }
    }
    #expect(files(in: "own") == ["p-2", "p-3", "p-4", "p", "q"].map { "own/\($0).jpg" })
    #expect(
      files(in: "numbers")
        == ["01-p", "02-p", "03-p", "04-p", "05-q"].map { "numbers/\($0).jpg" })
  }

  @Test func photosOfOneStemGetNumbers() async throws {
    try folder.add("orientation/1.jpg", as: "p.jpg")
    try folder.add("gradients/chart.png", as: "p.png")
    try folder.put("", as: "out/.keep")
    for options in [[], ["--keep-folders"], ["--name", "{name}"]] {
      let end = await folder.edit(
        ["render", "@/p.jpg", "@/p.png", "-o", "@/out", "--overwrite", "--format", "jpeg"] + options
      )
      #expect(end.code == 0, "\(end.messages)")
      #expect(files(in: "out") == ["out/p-2.jpg", "out/p.jpg"], "\(options)")
    }
  }

  @Test func severalNamedFoldersAreKept() async throws {
    for name in ["in/a/p.jpg", "in/b/p.jpg", "in/b/c/p.jpg", "in/d/p.jpg"] {
      try folder.add("orientation/1.jpg", as: name)
    }
    try folder.put("", as: "out/.keep")
    let end = await folder.edit(
      "render", "-r", "@/in/a", "@/in/b/", "@/in/d/p.jpg", "-o", "@/out", "--keep-folders",
      "--longest-side", "40")
    #expect(end.code == 0, "\(end.messages)")
    #expect(
      files(in: "out") == ["out/a/p.jpg", "out/b/c/p.jpg", "out/b/p.jpg", "out/d/p.jpg"])
  }

  @Test func aDryRunSaysWhatTheRunDoes() async throws {
    try folder.add("orientation/1.jpg", as: "in/a.jpg")
    try folder.put("", as: "out/.keep")
    try folder.put("", as: "out/file")
    let long = String(repeating: "x", count: 300)
    for (options, code) in [
      (["--name", "deep/er/{name}"], 0), (["--keep-folders"], 0), (["--name", long], 1),
      (["--name", "\(long)/{name}"], 1), (["--name", "file/{name}"], 1),
    ] {
      let words = ["render", "-r", "@/in", "-o", "@/out", "--overwrite"] + options
      let dry = await folder.edit(words + ["--dry-run"])
      #expect(dry.code == code, "\(options): \(dry.messages)")
      #expect(files(in: "out").filter { $0.hasSuffix(".jpg") }.isEmpty)
      let real = await folder.edit(words)
      #expect(real.code == code, "\(options): \(real.messages)")
      func reason(_ end: Transcript) -> Substring? {
        end.messages.first?.split(separator: ": ").last
      }
      #expect(reason(dry) == reason(real), "\(dry.messages) \(real.messages)")
      for name in ["out/deep", "out/a.jpg"] {
        try? FileManager.default.removeItem(atPath: folder.path + "/" + name)
      }
    }
  }

  @Test(arguments: ["@/new", "@/new/", ""])
  func aFolderThatIsNotThereIsNoFile(output: String) async throws {
    try folder.add("orientation/1.jpg", as: "in/a.jpg")
    let end = await folder.edit("render", "-r", "@/in", "-o", output)
    #expect(end.code == 64, "\(end.results)")
    #expect(folder.names == ["in"])
  }

  @Test func foldersAreKept() async throws {
    for name in ["in/a.jpg", "in/x/a.jpg", "in/x/y/a.jpg"] {
      try folder.add("orientation/1.jpg", as: name)
    }
    try folder.put("", as: "out/.keep")
    let end = await folder.edit("render", "-r", "@/in", "-o", "@/out", "--keep-folders")
    #expect(end.code == 0, "\(end.messages)")
    #expect(
      files(in: "out") == ["out/a.jpg", "out/x/a.jpg", "out/x/y/a.jpg"])
  }

  @Test func aSecondRunFailsNothing() async throws {
    for name in ["a.jpg", "b.jpg"] { try folder.add("orientation/1.jpg", as: name) }
    try folder.put("", as: "out/.keep")
    let words = ["render", "@/a.jpg", "@/b.jpg", "-o", "@/out"]
    #expect(await folder.edit(words + ["--skip-existing"]).code == 0)
    let before = ["out/a.jpg", "out/b.jpg"].map { folder.data($0) }
    let again = await folder.edit(words + ["--skip-existing"])
    #expect(
      again
        == Transcript(results: [
          "@/a.jpg: @/out/a.jpg is there already", "@/b.jpg: @/out/b.jpg is there already",
        ]))
    #expect(await folder.edit(words + ["--newer"]).code == 0)
    #expect(["out/a.jpg", "out/b.jpg"].map { folder.data($0) } == before)
    // An edit is newer than the file that was written before it.
    for name in ["out/a.jpg", "out/b.jpg"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: folder.path + "/" + name)
    }
    _ = await folder.edit("apply", "noir", "@/b.jpg")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 120)],
      ofItemAtPath: folder.path + "/b.jpg.aae")
    let newer = await folder.edit(words + ["--newer"])
    #expect(
      newer.results == [
        "@/a.jpg: @/out/a.jpg is there already", "@/b.jpg: rendered to @/out/b.jpg",
      ])
    #expect(folder.data("out/a.jpg") == before[0])
    #expect(folder.data("out/b.jpg") != before[1])
  }

  @Test(arguments: [
    ["--skip-existing", "--newer"], ["--skip-existing", "--overwrite"], ["--newer", "--overwrite"],
  ])
  func whatContradictsIsRefused(options: [String]) async throws {
    try folder.add("orientation/1.jpg")
    let end = await folder.edit(["render", "@/1.jpg", "-o", "@/out.jpg"] + options)
    #expect(end.code == 64)
  }

  @Test func aNameIsForAFolder() async throws {
    try folder.add("orientation/1.jpg")
    let end = await folder.edit("render", "@/1.jpg", "-o", "@/out.jpg", "--name", "{name}")
    #expect(end.code == 64 && end.messages.first?.contains("are for a folder") == true)
  }
}
