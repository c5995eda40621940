import Foundation
import PhotoEditing
import PhotoLibraryKit
import Testing

@testable import SafelightEditCommands

/// Tools that only look.
@Suite struct AgentLookingTests {
  /// Every tool with arguments that would change something.
  private static let calls = [
    ("list_photos", "{}"), ("search_photos", #"{"edited":false}"#),
    ("see_photo", #"{"photo":"6.jpg"}"#),
    ("compare_photo", #"{"photo":"6.jpg","layout":"split"}"#), ("list_adjustments", "{}"),
    ("list_filters", "{}"), ("try_edit", #"{"photo":"6.jpg","edit":{"filter":"noir"}}"#),
    ("commit_edit", #"{"photo":"6.jpg","edit":{"filter":"fade"}}"#),
    ("adopt", #"{"photo":"6.jpg"}"#), ("key_photo", #"{"photo":"6.jpg","at":0}"#),
    ("undo_edit", #"{"photo":"6.jpg"}"#),
    ("redo_edit", #"{"photo":"6.jpg"}"#), ("list_history", #"{"photo":"6.jpg"}"#),
    ("go_to_step", #"{"photo":"6.jpg","step":0}"#), ("list_versions", #"{"photo":"6.jpg"}"#),
    ("save_version", #"{"photo":"6.jpg","name":"b"}"#),
    ("use_version", #"{"photo":"6.jpg","name":"a"}"#),
    ("remove_version", #"{"photo":"6.jpg","name":"a"}"#),
    ("revert_photo", #"{"photo":"6.jpg","confirm":true,"versions":true}"#),
    ("merge_edits", #"{"photo":"6.jpg"}"#), ("render_again", #"{"photo":"6.jpg"}"#),
    ("relink", #"{"photo":"6.jpg"}"#),
    ("accept_original", #"{"photo":"6.jpg","confirm":true}"#),
    ("sync_edit", #"{"from":"6.jpg","photos":["1.jpg"]}"#),
    ("run_batch", #"{"photos":["1.jpg"],"edit":{"filter":"noir"}}"#),
    ("export_render", #"{"photo":"6.jpg","output":"a.png"}"#), ("list_presets", "{}"),
    ("save_preset", #"{"name":"Not a name","output":{}}"#),
    ("remove_preset", #"{"name":"not-there"}"#),
  ]

  @Test func withoutTheRightToWriteNothingIsWritten() async throws {
    let writer = try Agent(["orientation/6.jpg", "orientation/1.jpg"])
    _ = try await writer.call("commit_edit", #"{"photo":"6.jpg","edit":{"filter":"noir"}}"#)
    _ = try await writer.call("save_version", #"{"photo":"6.jpg","name":"a"}"#)
    let agent = try Agent([], isReadOnly: true, folder: writer.folder)
    let before = agent.files
    #expect(Self.calls.map(\.0).sorted() == writer.session.tools.map(\.name).sorted())
    for (name, arguments) in Self.calls {
      let result = try await agent.call(name, arguments)
      let isOffered = agent.session.tools.contains { $0.name == name }
      #expect(result.code == (isOffered ? nil : "read-only"), "\(name): \(result.text)")
      #expect(result.files.isEmpty)
      #expect(agent.files == before, "\(name)")
    }
    #expect(agent.session.tools.allSatisfy { !$0.isChanging })
  }

  /// A tool that says it writes nothing writes nothing where it could, and others say exactly what they wrote.
  @Test func eachToolSaysWhatItWrote() async throws {
    for (name, arguments) in Self.calls {
      let agent = try Agent(["orientation/6.jpg", "orientation/1.jpg"])
      _ = try await agent.call("commit_edit", #"{"photo":"6.jpg","edit":{"filter":"noir"}}"#)
      _ = try await agent.call("save_version", #"{"photo":"6.jpg","name":"a"}"#)
      let before = agent.files
      let result = try await agent.call(name, arguments)
      let after = agent.files
      let written = after.keys.filter { before[$0] == nil }.map { "+" + $0 }
      let removed = before.keys.filter { after[$0] == nil }.map { "-" + $0 }
      let replaced = after.keys.filter { before[$0] != nil && before[$0] != after[$0] }.map {
        "~" + $0
      }
      #expect(Set(written + removed + replaced).subtracting(result.changed) == [], "\(name)")
      // A file may be replaced by one of the same bytes.
      #expect(
        Set(result.changed).subtracting(written + removed + replaced).allSatisfy {
          $0.hasPrefix("~")
        },
        "\(name)")
      let tool = try #require(agent.session.tool(named: name))
      if !tool.isChanging { #expect(result.changed == []) }
      for member in tool.output where member.isRequired && !result.isFailure {
        #expect(result.json[member.name] != nil, "\(name) \(member.name)")
      }
    }
  }

  @Test(arguments: [64, 100, 1024])
  func picturesAreOfBoundedSize(side: Int) async throws {
    let agent = try Agent(["beach.jpg"])
    let result = try await agent.call(
      "try_edit", #"{"photo":"beach.jpg","longestSide":\#(side),"edit":{"values":{"exposure":1}}}"#)
    #expect(result.pictures.count == 2)
    for picture in result.pictures {
      let path = FilePath(agent.folder.path + "/picture.jpg")
      try Data(picture.jpeg).write(to: path.fileURL)
      let size = try #require(try PhotoGlance(path).size)
      #expect(max(size.width, size.height) <= side)
      #expect(picture.caption.contains("\(size.width) × \(size.height)"))
    }
    #expect(
      try await agent.call("see_photo", #"{"photo":"beach.jpg","longestSide":9000}"#).isFailure)
  }

  @Test func theNumbersOfLightAreThoseOfThePicture() {
    // Half black, half a red whose CIELAB values are published: L 53.24, a 80.09, b 67.20.
    let pixels =
      [UInt8](repeating: 0, count: 300) + (0..<100).flatMap { _ in [255, 0, 0] as [UInt8] }
    let statistics = PictureStatistics(DisplayImage(width: 20, height: 10, pixels: pixels))
    #expect(abs(statistics.meanChroma - (80.09 * 80.09 + 67.20 * 67.20).squareRoot() / 2) < 0.05)
    // Luma 54 and 0: their standard deviation is half of the difference.
    #expect(abs(statistics.contrast - 27) < 1e-9)
    let json = statistics.json
    #expect(json["luma"]?["mean"]?.number == 27)
    #expect(json["clippedShadows"]?.number == 1)
    #expect(json["clippedHighlights"]?.number == 0.5)
    #expect(
      json["bins"]?.elements?.map(\.number) == [0.5, 0, 0, 0.5] + [Double](repeating: 0, count: 12))
    let gray = PictureStatistics(
      DisplayImage(width: 1, height: 1, pixels: [128, 128, 128]))
    #expect(gray.meanChroma < 0.05)
  }

  @Test func brighterIsBrighter() async throws {
    let agent = try Agent(["beach.jpg"])
    let result = try await agent.call(
      "try_edit", #"{"photo":"beach.jpg","pictures":"none","edit":{"values":{"exposure":1}}}"#)
    func mean(_ name: String) -> Double {
      result.json[name]?["histogram"]?["luma"]?["mean"]?.number ?? -1
    }
    #expect(mean("after") > mean("before") + 20)
    #expect(result.pictures.isEmpty)
    let seen = try await agent.call("see_photo", #"{"photo":"beach.jpg","picture":false}"#)
    #expect(seen.json["histogram"]?["luma"]?["mean"]?.number == mean("before"))
    // The picture is an average of the photo's light, so the numbers are near those of every pixel.
    let all = try await PhotoEditor().histograms(
      of: Photo(path: FilePath(agent.folder.path + "/photos/beach.jpg")))
    #expect(abs(all.now.mean(.luma) - mean("before")) < 2)
  }

  @Test func theTableOfAdjustmentsIsTheOneOfTheCommand() async throws {
    let agent = try Agent([])
    let all = try await agent.call("list_adjustments")
    let told = try #require(all.json["adjustments"]?.elements)
    let printed = await agent.folder.edit("adjustments", "--json").results
    #expect(told.map(\.text) == printed.filter { $0.contains(#""option""#) })
    let one = try await agent.call("list_adjustments", #"{"adjustment":"temperature"}"#)
    #expect(one.json["adjustments"]?.elements?.map { $0["id"]?.string } == ["white-balance"])
    #expect(
      try await agent.call("list_adjustments", #"{"adjustment":"x"}"#).code == "invalid-arguments")
    let filters = try await agent.call("list_filters")
    #expect(filters.json["filters"]?.elements?.count == Filter.shipped.count)
  }

  @Test func aFolderIsListedPageByPage() async throws {
    let agent = try Agent([])
    for number in 1...7 { try agent.folder.add("orientation/6.jpg", as: "photos/\(number).jpg") }
    _ = await agent.folder.edit("apply", "noir", "@/photos/2.jpg")
    var names: [String] = []
    var cursor = ""
    for _ in 0..<4 {
      let page = try await agent.call("list_photos", #"{"limit":2\#(cursor)}"#)
      #expect(page.json["total"]?.integer == 7)
      names += (page.json["photos"]?.elements ?? []).compactMap { photo in
        photo["photo"]?.string?.split(separator: "/").last.map(String.init)
      }
      guard let next = page.json["next"]?.string else { break }
      cursor = #","cursor":"\#(next)""#
    }
    #expect(names == (1...7).map { "\($0).jpg" })
    let edited = try await agent.call("search_photos", #"{"edited":true}"#)
    #expect(edited.json["photos"]?.elements?.count == 1)
    #expect(try await agent.call("search_photos", #"{"from":"May"}"#).code == "invalid-arguments")
  }

  @Test func aSearchGoesOnBehindItsCursor() async throws {
    let agent = try Agent([])
    for name in ["a/1.jpg", "a/b/2.jpg", "c/3.jpg", "0.jpg"] {
      try agent.folder.add("orientation/6.jpg", as: "photos/" + name)
    }
    var names: [String] = []
    var cursor = ""
    for _ in 0..<5 {
      let page = try await agent.call("search_photos", #"{"limit":1\#(cursor)}"#)
      names += (page.json["photos"]?.elements ?? []).compactMap { photo in
        photo["photo"]?.string?.split(separator: "/").last.map(String.init)
      }
      guard let next = page.json["next"]?.string else { break }
      cursor = #","cursor":"\#(next)""#
    }
    #expect(names == ["0.jpg", "1.jpg", "2.jpg", "3.jpg"])
  }

  @Test func aLibraryIsSearchedAndToldOfEdits() async throws {
    let folder = CommandFolder()
    try await folder.makeLibrary(of: "1.jpg", "2.jpg")
    try folder.add("orientation/1.jpg", as: "elsewhere/3.jpg")
    _ = await folder.edit("library", "add", "@/elsewhere")
    let library = try folder.library()
    let agent = try Agent([], folder: folder, library: library)
    let all = try await agent.call("search_photos", #"{"sort":["filename:descending"]}"#)
    let names = all.json["photos"]?.elements?.map {
      $0["photo"]?.string?.split(separator: "/").last
    }
    #expect(names == ["2.jpg", "1.jpg"], "Photos outside of the folders are not found.")
    let none = try await agent.call("search_photos", #"{"where":"hasAdjustments = 1"}"#)
    #expect(none.json["photos"]?.elements?.count == 0)
    _ = try await agent.call("commit_edit", #"{"photo":"1.jpg","edit":{"filter":"noir"}}"#)
    let one = try await agent.call("search_photos", #"{"where":"hasAdjustments = 1"}"#)
    #expect(one.json["photos"]?.elements?.count == 1)
    let wrong = try await agent.call("search_photos", #"{"where":"favorite ="}"#)
    #expect(wrong.code == "invalid-predicate")
    #expect(wrong.text.contains("character"))
    #expect(try await agent.call("search_photos", #"{"album":"None"}"#).code == "no-such-album")
    #expect(try await agent.call("search_photos", #"{"sort":["x"]}"#).code == "invalid-predicate")
    #expect(try await agent.call("search_photos", #"{"cursor":"-1"}"#).code == "invalid-arguments")
  }

  @Test(arguments: [
    ("see_photo", #"{}"#), ("see_photo", #"{"photo":7}"#),
    ("see_photo", #"{"photo":"6.jpg","size":1}"#),
    ("see_photo", #"{"photo":"6.jpg","longestSide":1e300}"#),
    ("see_photo", #"{"photo":"6.jpg","longestSide":100.5}"#),
    ("see_photo", #"{"photo":"6.jpg","show":"later"}"#),
    ("undo_edit", #"{"photo":"6.jpg","steps":0}"#),
    ("go_to_step", #"{"photo":"6.jpg","step":99999999999999999999}"#),
    ("list_photos", #"{"limit":true}"#), ("list_photos", #"{"limit":null}"#),
    ("run_batch", #"{"photos":[],"edit":{"filter":"noir"}}"#),
    ("run_batch", #"{"photos":["6.jpg"],"do":"undo","edit":{"filter":"noir"}}"#),
    ("run_batch", #"{"edit":{"filter":"noir"}}"#),
    ("sync_edit", #"{"from":"6.jpg","photos":["6.jpg"],"only":["exposure","x"]}"#),
  ])
  func wrongArgumentsAreExplained(tool: String, arguments: String) async throws {
    let result = try await Agent().call(tool, arguments)
    #expect(result.code == "invalid-arguments", "\(result.text)")
    #expect(result.json["error"]?["message"]?.string?.isEmpty == false)
  }
}
