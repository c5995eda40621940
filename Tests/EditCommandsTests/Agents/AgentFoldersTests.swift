import Foundation
import Glibc
import PhotoEditing
import SafelightArguments
import Testing

@testable import SafelightEditCommands

/// Which files an agent may touch.
@Suite struct AgentFoldersTests {
  private let agent: Agent

  init() throws {
    agent = try Agent(["orientation/6.jpg"])
    let folder = agent.folder
    try folder.add("orientation/1.jpg", as: "secret/1.jpg")
    try folder.add("orientation/1.jpg", as: "photos-of-others/1.jpg")
    try folder.add("orientation/1.jpg", as: "photos/.hidden/1.jpg")
    try folder.add("orientation/1.jpg", as: "photos/.1.jpg")
    try folder.add("orientation/1.jpg", as: "photos/below/1.jpg")
    for (name, target) in [
      ("out.jpg", "../secret/1.jpg"), ("out", "../secret"), ("dangling.jpg", "../secret/new.jpg"),
      ("in.jpg", "below/1.jpg"), ("hiding.jpg", ".hidden/1.jpg"), ("circle", "circle"),
    ] {
      #expect(symlink(target, folder.path + "/photos/" + name) == 0)
    }
  }

  @Test(arguments: [
    "@/secret/1.jpg", "@/photos-of-others/1.jpg", "@/photos/../secret/1.jpg", "../secret/1.jpg",
    "below/../6.jpg", "out.jpg", "out/1.jpg", "out/nothing.jpg", "dangling.jpg", "hiding.jpg",
    ".1.jpg", ".hidden/1.jpg", "@/photos/.hidden/1.jpg", "circle", "circle/1.jpg", "/etc/passwd",
    "/",
    "@/secret/nothing.jpg", "@",
  ])
  func whatLiesElsewhereIsRefused(name: String) async throws {
    let secret = agent.folder.data("secret/1.jpg")
    for (tool, more) in [
      ("see_photo", ""), ("commit_edit", #","edit":{"filter":"noir"}"#), ("revert_photo", ""),
      ("list_history", ""),
    ] {
      let result = try await agent.call(tool, #"{"photo":"\#(name)"\#(more)}"#)
      #expect(result.code == "outside-folders", "\(tool) \(name)")
      #expect(result.files.isEmpty)
    }
    let export = try await agent.call(
      "export_render", #"{"photo":"6.jpg","output":"\#(name)","overwrite":true}"#)
    #expect(export.code == "outside-folders")
    let folder = try await agent.call("list_photos", #"{"folder":"\#(name)"}"#)
    #expect(folder.code == "outside-folders")
    let batch = try await agent.call(
      "run_batch", #"{"photos":["6.jpg","\#(name)"],"edit":{"filter":"noir"}}"#)
    #expect(batch.code == "outside-folders")
    let look = try await agent.call(
      "try_edit", #"{"photo":"6.jpg","edit":{"filter":"\#(name)/"}}"#)
    #expect(look.isFailure)
    #expect(agent.folder.data("secret/1.jpg") == secret)
    #expect(agent.folder.data("secret/new.jpg") == nil)
    #expect(!agent.names.contains { $0.hasSuffix(".aae") })
  }

  @Test(arguments: ["6.jpg", "./6.jpg", "@/photos/6.jpg", "@/photos//below/1.jpg", "in.jpg"])
  func whatLiesInTheFoldersIsFound(name: String) async throws {
    let result = try await agent.call("see_photo", #"{"photo":"\#(name)","picture":false}"#)
    #expect(!result.isFailure, "\(result.text)")
    #expect(result.json["photo"]?.string?.hasPrefix(agent.folder.path + "/photos/") == true)
  }

  @Test func aFolderThatIsALinkCountsByBothNames() async throws {
    let path = agent.folder.path
    #expect(symlink("photos", path + "/link") == 0)
    let folders = try AgentFolders([path + "/link"])
    let photo = FilePath(path + "/photos/6.jpg")
    #expect(try folders.photo(path + "/link/6.jpg") == photo)
    #expect(try folders.photo(path + "/photos/6.jpg") == photo)
    #expect(try folders.photo("6.jpg") == photo)
  }

  @Test func ofSeveralFoldersAPathIsWhole() throws {
    let path = agent.folder.path
    let folders = try AgentFolders([path + "/photos", path + "/secret"])
    #expect(throws: AgentError.self) { try folders.photo("6.jpg") }
    #expect(try folders.photo(path + "/secret/1.jpg") == FilePath(path + "/secret/1.jpg"))
    // One named folder may lead into another.
    #expect(try folders.photo(path + "/photos/out/1.jpg") == FilePath(path + "/secret/1.jpg"))
    #expect(throws: ValidationError.self) { try AgentFolders([path + "/nothing"]) }
    #expect(throws: ValidationError.self) { try AgentFolders([path + "/photos/6.jpg"]) }
  }

  @Test func aMissingPhotoIsMissing() async throws {
    #expect(try await agent.call("see_photo", #"{"photo":"none.jpg"}"#).code == "original-missing")
    #expect(try await agent.call("see_photo", #"{"photo":"below"}"#).code == "folder")
    #expect(try await agent.call("see_photo", #"{"photo":""}"#).code == "invalid-arguments")
    #expect(
      try await agent.call("see_photo", #"{"photo":"6.jpg\u0000.png"}"#).code == "invalid-arguments"
    )
  }

  @Test func listsAndSearchesStayInside() async throws {
    let list = try await agent.call("list_photos")
    #expect(list.json["photos"]?.elements?.count == 1)
    #expect(list.json["folders"]?.elements?.map(\.string) == [agent.folder.path + "/photos/below"])
    let found = try await agent.call("search_photos", #"{"name":"JPG"}"#)
    let names = found.json["photos"]?.elements?.map {
      $0["photo"]?.string?.split(separator: "/").last
    }
    #expect(names == ["6.jpg", "1.jpg"])
  }
}
