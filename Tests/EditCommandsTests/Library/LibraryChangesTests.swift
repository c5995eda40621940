import PhotoLibraryKit
import Testing

@testable import SafelightEditCommands

@Suite struct LibraryChangesTests {
  private let folder = CommandFolder()

  @Test func theHistoryIsToldFromATokenOn() async throws {
    try await folder.makeLibrary(of: "a.jpg")
    let now = try #require(await folder.edit("library", "changes", "--now").results.first)
    await #expect(
      folder.edit("library", "changes", "--since", now).results == ["next token: \(now)"])
    _ = await folder.edit("library", "favorite", "@/photos/a.jpg")
    _ = await folder.edit("library", "album", "create", "Best")
    let objects = try await folder.edit("library", "changes", "--json", "--since", now).objects
    #expect(objects.count == 3)
    #expect(objects[0]["assets"]?["updated"]?.elements?.count == 1)
    #expect(objects[1]["albums"]?["inserted"]?.elements?.count == 1)
    #expect(objects[1]["assets"] == nil)
    #expect(objects[2]["nextToken"] == objects[1]["token"])
    let text = await folder.edit("library", "changes", "--since", now).results
    #expect(text[0].hasSuffix("  1 photo changed"))
    #expect(text[1] == "  ~ @/photos/a.jpg")
    #expect(text[2].hasSuffix("  1 album new"))
    #expect(text[3] == "  + Best")
    let all = await folder.edit("library", "changes").results
    #expect(all.contains("  + @/photos/a.jpg") || all.contains("  ~ @/photos/a.jpg"))
    #expect(all.last == text.last)
  }

  @Test func manyObjectsAreCountedAndNotListed() async throws {
    try await folder.makeLibrary()
    for number in 0..<30 { try folder.add("orientation/1.jpg", as: "photos/\(number).jpg") }
    let now = try #require(await folder.edit("library", "changes", "--now").results.first)
    _ = await folder.edit("library", "scan")
    let lines = await folder.edit("library", "changes", "--since", now).results
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix("  30 photos new") == true)
  }

  @Test func anotherLibrarysTokenHasExpired() async throws {
    try await folder.makeLibrary()
    let transcript = await folder.edit("library", "changes", "--json", "--since", "feed-3")
    #expect(transcript.code == 1)
    #expect(try transcript.objects.first?["error"]?["code"]?.string == "token-expired")
    await #expect(folder.edit("library", "changes", "--since", "nonsense").code == 64)
  }

  @Test(arguments: ["TERM", "INT"])
  func watchingTakesInWhatComesAndEndsCleanly(signal: String) async throws {
    try await folder.makeLibrary(of: "a.jpg")
    let edit = try EditProcess(
      shell: """
        mkfifo out err
        setsid "$EDIT" library watch --json --library data/library > out 2> err & watch=$!
        exec 3< out 4< err
        read -r started <&4
        cp photos/a.jpg photos/new.jpg
        read -r change <&3
        kill -\(signal) $watch
        wait $watch
        printf '%s\\n%s\\n%s\\n' "$?" "$started" "$change"
        """, in: folder)
    let lines = edit.output.split(separator: "\n").map(String.init)
    #expect(lines.prefix(2) == ["0", "edit: Watching 1 folder; Ctrl-C ends it."], "\(edit.errors)")
    let change = try JSONValue(parsing: try #require(lines.last).utf8)
    #expect(change["assets"]?["inserted"]?.elements?.count == 1)
  }
}
