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
    ".{name}", "{name:3}",
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
