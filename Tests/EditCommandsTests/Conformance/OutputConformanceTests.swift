import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import SafelightEditCommands

/// Each parameter of an output through Swift, the command line, a worker and an agent: the same file; and the same
/// refusal of the same mistake. Tests/EditServerTests does the same over HTTP.
@Suite struct OutputConformanceTests {
  @Test(arguments: OutputSamples.all)
  func everySurfaceWritesTheSameFile(sample: OperationSample) async throws {
    let folder = CommandFolder()
    try folder.add("orientation/6.jpg", as: "6.jpg")
    let photo = Photo(path: FilePath(folder.path + "/6.jpg"))
    try await PhotoEditor().perform(.apply(.named("vivid")), on: photo)
    let output = try RenderOutput(json: sample.json)
    let ending = output.format.fileExtension
    func path(_ name: String) -> FilePath { FilePath(folder.path + "/\(name).\(ending)") }

    try await PhotoEditor().export(photo, to: path("swift"), as: output)
    let expected = try #require(folder.data("swift.\(ending)"))
    let members = sample.json.members ?? []
    let words = ["render", "@/6.jpg", "-o", path("words").string] + Self.words(members)
    let end = await folder.edit(words)
    #expect(end.code == 0, "\(words): \(end.messages)")
    #expect(folder.data("words.\(ending)") == expected, "command line")

    let request = [JSONValue.Member("output", .string(path("worker").string))] + members
    let line = JSONValue.object(["photo": photo.path.string, "render": JSONValue.object(request)])
    let answer = await Worker().answer(Array(line.text.utf8))
    #expect(answer["status"]?.string == "rendered", "\(answer.text)")
    #expect(folder.data("worker.\(ending)") == expected, "worker")

    let session = AgentSession(try AgentFolders([folder.path]))
    let tool = try #require(session.tool(named: "export_render"))
    let arguments = JSONValue.object(
      [
        .init("photo", .string(photo.path.string)), .init("output", .string(path("agent").string)),
      ] + members)
    let result = await session.call(tool, arguments)
    #expect(!result.isFailure, "\(result.text)")
    #expect(folder.data("agent.\(ending)") == expected, "agent")
  }

  @Test func everyParameterIsTried() {
    let tried = Set(OutputSamples.all.flatMap { ($0.json.members ?? []).map(\.key) })
    // Presets and files are tried by themselves.
    let names = Set(RenderOutput.parametersDescribed.map(\.name))
      .subtracting(["preset", "watermarkPicture"])
    #expect(names.subtracting(tried).isEmpty)
  }

  /// A profile and a watermark from files, on each surface where files have names. Agents name none outside.
  @Test(arguments: [
    #"{"watermarkPicture":"@/mark.png","watermarkPlace":"middle","watermarkSize":60}"#,
    #"{"profile":"@/wide.icc","intent":"perceptual"}"#, #"{"preset":"small","quality":60}"#,
  ])
  func everySurfaceReadsTheSameFiles(text: String) async throws {
    let folder = CommandFolder()
    try folder.add("orientation/6.jpg", as: "6.jpg")
    try folder.add("alpha.png", as: "mark.png")
    try folder.put(Data(Self.profile(of: "profiles/p3.jpg")), as: "wide.icc")
    let saved = await folder.edit("presets", "save", "small", "--longest-side", "40")
    #expect(saved.code == 0, "\(saved.messages)")
    let sample = OperationSample(text.replacing("@", with: folder.path))
    let members = sample.json.members ?? []
    func path(_ name: String) -> String { folder.path + "/\(name).jpg" }

    let words = ["render", "@/6.jpg", "-o", path("words")] + Self.words(members)
    #expect(await folder.edit(words).code == 0, "\(words)")
    let expected = try #require(folder.data("words.jpg"))
    #expect(await folder.edit("render", "@/6.jpg", "-o", path("plain")).code == 0)
    #expect(folder.data("plain.jpg") != expected)

    try await CommandSurroundings.$userFilters.withValue(folder.userFilters) {
      let photo = folder.path + "/6.jpg"
      let request = JSONValue.object([.init("output", .string(path("worker")))] + members)
      let line = JSONValue.object(["photo": photo, "render": request])
      let answer = await Worker().answer(Array(line.text.utf8))
      #expect(answer["status"]?.string == "rendered", "\(answer.text)")
      let session = AgentSession(try AgentFolders([folder.path]))
      let tool = try #require(session.tool(named: "export_render"))
      let arguments = JSONValue.object(
        [.init("photo", .string(photo)), .init("output", .string(path("agent")))] + members)
      let result = await session.call(tool, arguments)
      #expect(!result.isFailure, "\(result.text)")
      let outside = JSONValue.object([
        "photo": photo, "output": path("outside"), "watermarkPicture": "/etc/passwd",
      ])
      #expect(await session.call(tool, outside).isFailure)
    }
    #expect(folder.data("worker.jpg") == expected)
    #expect(folder.data("agent.jpg") == expected)
    #expect(folder.data("outside.jpg") == nil)
  }

  private static func profile(of fixture: String) throws -> [UInt8] {
    let bytes = [UInt8](try Data(contentsOf: Fixture.url(fixture)))
    let start = try #require(
      bytes.indices.first { bytes[$0...].starts(with: "ICC_PROFILE\0".utf8) })
    let length = Int(bytes[start - 2]) << 8 | Int(bytes[start - 1])
    return Array(bytes[(start + 14)..<(start - 2 + length)])
  }

  /// Safelight does not read JPEG XL, but knows its own.
  @Test func aJPEGXLIsReplacedWhenSafelightWroteIt() async throws {
    let folder = CommandFolder()
    try folder.add("orientation/6.jpg", as: "6.jpg")
    let words = ["render", "@/6.jpg", "-o", "@/a.jxl", "--effort", "3"]
    #expect(await folder.edit(words).code == 0)
    #expect(await folder.edit(words).code == 1)
    #expect(await folder.edit(words + ["--overwrite"]).code == 0)
    try folder.put(Data([0xFF, 0x0A, 0, 0]), as: "a.jxl")
    #expect(await folder.edit(words + ["--overwrite"]).code == 1)
  }

  /// What a preset keeps is the same on each surface, and so is what no preset keeps. Tests/EditServerTests does it over
  /// HTTP.
  @Test func agentsSavePresetsAsTheCommandLineDoes() async throws {
    let agent = try Agent()
    try agent.folder.put(Data(Self.profile(of: "profiles/p3.jpg")), as: "photos/wide.icc")
    let words = ["presets", "save", "web", "--profile", "@/photos/wide.icc", "--quality=70"]
    #expect(await agent.folder.edit(words).code == 0)
    let expected = try #require(agent.folder.data("data/presets/web.json"))
    let asked = #"{"name":"web","output":{"profile":"@/photos/wide.icc","quality":70}}"#
    #expect(try await agent.call("save_preset", asked).code == "preset-name-taken")
    let listed = try await agent.call("list_presets").json["presets"]
    #expect(
      listed?.text
        == #"[{"name":"web","output":{"quality":70,"profile":"\#(agent.folder.path)/photos/wide.icc"}}]"#
    )
    #expect(try await agent.call("remove_preset", #"{"name":"web"}"#).changed == ["-web.json"])
    #expect(try await agent.call("remove_preset", #"{"name":"web"}"#).code == "unknown-preset")
    let saved = try await agent.call("save_preset", asked)
    #expect(saved.changed == ["+web.json"], "\(saved.text)")
    #expect(agent.folder.data("data/presets/web.json") == expected)
    for impossible in [
      #"{"profile":"/etc/passwd"}"#, #"{"profile":"photos/6.jpg"}"#, #"{"quality":200}"#,
      #"{"format":"png","quality":80}"#, #"{"watermarkPicture":"@/photos/wide.icc"}"#,
    ] {
      let arguments = #"{"name":"bad","output":\#(impossible)}"#
      #expect(try await agent.call("save_preset", arguments).isFailure, "\(impossible)")
    }
    let looking = try Agent(isReadOnly: true, folder: agent.folder)
    #expect(try await looking.call("remove_preset", #"{"name":"web"}"#).isFailure)
    #expect(agent.folder.data("data/presets/web.json") == expected)
    #expect(agent.folder.data("data/presets/bad.json") == nil)
  }

  /// What rendering refuses is not saved, and refused by a dry run, in the same words.
  @Test func impossibleOutputsAreRefusedBeforehand() async throws {
    let folder = CommandFolder()
    try folder.add("beach.jpg", as: "a.jpg")
    try folder.put(Data("no profile".utf8), as: "none.icc")
    var inks = try Self.profile(of: "profiles/p3.jpg")
    inks.replaceSubrange(16..<20, with: Array("CMYK".utf8))
    try folder.put(Data(inks), as: "inks.icc")
    for words in [
      ["--profile", "@/none.icc"], ["--profile", "@/inks.icc"], ["--profile", "@/missing.icc"],
      ["--watermark-picture", "@/none.icc"],
    ] {
      let run = await folder.edit(["render", "@/a.jpg", "-o", "@/b.jpg"] + words)
      let dry = await folder.edit(["render", "@/a.jpg", "-o", "@/b.jpg", "--dry-run"] + words)
      #expect(run.code == 1 && dry.code == 1, "\(words)")
      #expect(dry.messages == run.messages)
      let saved = await folder.edit(["presets", "save", "bad"] + words)
      #expect(saved.code == 1, "\(words)")
      let reason = run.messages.first?.split(separator: ": ").last ?? ""
      #expect(saved.messages.first?.hasSuffix(reason) == true, "\(saved.messages) \(run.messages)")
    }
    #expect(folder.data("data/presets/bad.json") == nil && folder.data("b.jpg") == nil)
    // A format that is not named may still be one that can.
    #expect(await folder.edit("presets", "save", "deep", "--depth=16").code == 0)
    #expect(await folder.edit("presets", "save", "bad", "--depth=16", "--format=jpeg").code == 1)
  }

  /// A preset's quality says nothing in a format that loses nothing; one that is given there is a mistake.
  @Test func aQualityIsForFormatsThatLoseSomething() async throws {
    let folder = CommandFolder()
    try folder.add("orientation/6.jpg", as: "6.jpg")
    #expect(await folder.edit("presets", "save", "web", "--quality=70", "--chroma=4:2:0").code == 0)
    #expect(await folder.edit("render", "@/6.jpg", "-o", "@/a.png", "--preset=web").code == 0)
    for words in [["render"], ["compare", "--filter=noir"]] {
      let end = await folder.edit(words + ["@/6.jpg", "-o", "@/b.png", "--quality=70"])
      #expect(end.code == 64 && end.messages.first?.contains("quality") == true, "\(end.messages)")
    }
    #expect(folder.data("b.png") == nil)
  }

  @Test func presetsAreSavedListedAndRemoved() async throws {
    let folder = CommandFolder()
    let first = await folder.edit("presets", "save", "web", "--longest-side=40", "--quality=70")
    #expect(first.code == 0 && folder.data("data/presets/web.json") != nil)
    #expect(await folder.edit("presets", "save", "web", "--quality=60").code == 1)
    #expect(await folder.edit("presets", "save", "../web", "--quality=60").code == 1)
    let signed = await folder.edit("presets", "save", "signed", "--preset=web", "--fit=20x20")
    #expect(signed.code == 0, "\(signed.messages)")
    try folder.put(Data("{".utf8), as: "data/presets/broken.json")
    let list = await folder.edit("presets", "--json")
    #expect(list.code == 1)
    #expect(
      list.results == [
        #"{"name":"signed","output":{"quality":70,"fit":"20x20"}}"#,
        #"{"name":"web","output":{"quality":70,"longestSide":40}}"#,
      ])
    #expect(list.messages.contains { $0.contains("broken.json is damaged") })
    // A kept format counts, also the usual one.
    #expect(await folder.edit("presets", "save", "photo", "--format=jpeg").code == 0)
    try folder.add("orientation/6.jpg", as: "6.jpg")
    let mixed = await folder.edit("render", "@/6.jpg", "-o", "@/a.png", "--preset=photo")
    #expect(mixed.code != 0 && mixed.messages.contains { $0.contains("another format") })
    #expect(await folder.edit("presets", "remove", "web").code == 0)
    #expect(await folder.edit("presets", "remove", "web").code == 1)
  }

  @Test(arguments: OutputSamples.all)
  func anOutputIsTheSameReadBack(sample: OperationSample) throws {
    let output = try RenderOutput(json: sample.json)
    #expect(try RenderOutput(json: output.json) == output)
    let data = try JSONEncoder().encode(output)
    #expect(try JSONDecoder().decode(RenderOutput.self, from: data) == output)
  }

  /// Whatever a program asks for in Swift, no number that is out of all bounds goes further.
  @Test(arguments: [Int.min, -1, 0, .max])
  func sizesOutsideTheirBoundsBecomeTheNearestEnd(number: Int) throws {
    var output = RenderOutput(format: .jpeg, quality: number, longestSide: number)
    (output.shortestSide, output.mostBytes) = (number, ByteCount(number))
    output.fit = PixelBox(width: number, height: number)
    output.fill = PixelBox(width: number, height: number)
    (output.megapixels, output.percent) = (Double(number), Double(number))
    output.resolution = number == 0 ? .nan : Double(number)
    #expect(RenderOutput.parametersDescribed.count > 10)
    for member in output.json.members ?? [] {
      #expect(throws: Never.self) { try RenderOutput(reading: [member], checking: false) }
    }
    let data = try JSONEncoder().encode(output)
    #expect(try JSONDecoder().decode(RenderOutput.self, from: data) == output)
  }

  @Test func whatOnlyRendersBesideOriginalsHaveIsReadBackToo() throws {
    var output = RenderOutput.standard
    output.dithers = false
    let data = try JSONEncoder().encode(output)
    #expect(try JSONDecoder().decode(RenderOutput.self, from: data) == output)
  }

  @Test(arguments: OutputSamples.mistakes)
  func everySurfaceRefusesTheSame(sample: OperationSample) async throws {
    #expect(throws: OperationError.self) { try RenderOutput(json: sample.json) }
    let agent = try Agent()
    let members = sample.json.members ?? []
    let before = agent.files
    let arguments =
      [
        JSONValue.Member("photo", .string("6.jpg")), .init("output", .string("out.jpg")),
      ] + members
    let result = try await agent.call("export_render", JSONValue.object(arguments).text)
    #expect(result.code == "invalid-arguments", "\(result.text)")
    let render = [JSONValue.Member("output", .string("out.jpg"))] + members
    let line = JSONValue.object([
      "photo": agent.folder.path + "/photos/6.jpg", "render": JSONValue.object(render),
    ])
    let answer = await Worker().answer(Array(line.text.utf8))
    #expect(answer["error"]?["code"]?.string == "bad-job", "\(answer.text)")
    let words = ["render", "@/photos/6.jpg", "-o", "@/photos/out.jpg"] + Self.words(members)
    #expect(await agent.folder.edit(words).code == 64, "\(words)")
    #expect(agent.files == before)
  }

  @Test(arguments: [
    #""render":{"longestSide":40}"#, #""render":{"output":"-"}"#, #""render":"out.jpg""#,
    #""render":{"output":"a.jpg","overwrite":1}"#, #""render":{"output":"a.jpg"},"quality":80"#,
    #""render":{"output":"a.jpg"},"edit":{"operation":"undo"}"#,
    #""render":{"output":"a.jpg"},"command":["undo"]"#, #""render":{"output":"a.nothing"}"#,
  ])
  func aWorkerWritesNothingThatItDoesNotUnderstand(job: String) async throws {
    let folder = CommandFolder()
    try folder.add("orientation/6.jpg", as: "6.jpg")
    let answer = await Worker().answer(Array(#"{"photo":"\#(folder.path)/6.jpg",\#(job)}"#.utf8))
    #expect(answer["error"]?["code"]?.string == "bad-job", "\(answer.text)")
    #expect(folder.names == ["6.jpg"])
  }

  /// The options of members.
  private static func words(_ members: [JSONValue.Member]) -> [String] {
    members.compactMap { member in
      let parameter = RenderOutput.parametersDescribed.first { $0.name == member.key }
      let option = "--" + (parameter?.option ?? member.key)
      if case .bool(let isOn) = member.value.content { return isOn ? option : nil }
      return option + "=" + (member.value.string ?? member.value.text)
    }
  }
}

/// Outputs to try: each parameter of the table.
enum OutputSamples {
  static let all = [
    "{}", #"{"format":"png"}"#, #"{"format":"webp","quality":70}"#,
    #"{"format":"jpeg","quality":60,"chroma":"4:2:0"}"#, #"{"longestSide":40}"#,
    #"{"shortestSide":20,"format":"tiff"}"#, #"{"fit":"30x50"}"#, #"{"fill":"30x30"}"#,
    #"{"megapixels":0.001}"#, #"{"percent":50}"#, #"{"percent":150,"enlarge":true}"#,
    #"{"maxBytes":2500}"#, #"{"maxBytes":"3kB","format":"webp"}"#,
    #"{"sharpen":"screen","longestSide":60}"#,
    #"{"sharpen":"matte","percent":150,"enlarge":true}"#, #"{"profile":"p3","sharpen":"glossy"}"#,
    #"{"profile":"adobe-rgb","format":"png","depth":16}"#,
    #"{"format":"avif","quality":60,"effort":1,"chroma":"4:2:0"}"#,
    #"{"format":"avif","depth":12,"effort":1}"#, #"{"format":"jxl","quality":70,"effort":3}"#,
    #"{"profile":"srgb","intent":"absolute","blackPoint":"keep"}"#,
    #"{"watermark":"© Ann <b>&","watermarkPlace":"top-left","watermarkSize":20}"#,
    #"{"watermark":"Ann","watermarkColor":"black","watermarkOpacity":50,"watermarkMargin":10}"#,
    #"{"profile":"prophoto","format":"tiff"}"#, #"{"profile":"srgb","format":"webp","depth":8}"#,
    #"{"metadata":"none"}"#, #"{"metadata":"no-place-or-people","format":"png"}"#,
    #"{"title":"Täglich","caption":"Eins\nZwei","creator":"Ann; Bob","format":"tiff"}"#,
    #"{"copyright":"© Ann","credit":"Büro","metadata":"copyright","dpi":300}"#,
    #"{"lossless":true,"metadata":"no-place"}"#, #"{"sdr":true}"#,
    #"{"hdr":true,"hdrHeadroom":2}"#,
  ].map { OperationSample($0) }

  static let mistakes = [
    #"{"longestSide":0}"#, #"{"longestSide":40,"fit":"30x30"}"#, #"{"enlarge":true}"#,
    #"{"percent":200}"#, #"{"fit":"30"}"#, #"{"chroma":"5:5:5"}"#, #"{"quality":101}"#,
    #"{"format":"png","maxBytes":2500}"#, #"{"format":"webp","chroma":"4:2:0"}"#,
    #"{"format":"tiff","quality":80}"#, #"{"depth":12,"format":"png"}"#, #"{"depth":16}"#,
    #"{"profile":"cmyk"}"#,
    #"{"metadata":"some"}"#, #"{"title":" "}"#, #"{"dpi":0}"#,
    #"{"effort":5}"#, #"{"format":"avif","depth":16}"#, #"{"format":"avif","chroma":"4:2:2"}"#,
    #"{"watermarkSize":5}"#, #"{"watermark":"a","watermarkPicture":"b.png"}"#,
    #"{"watermark":""}"#, #"{"watermark":"a","watermarkPlace":"nowhere"}"#,
    #"{"watermarkPicture":"b.png","watermarkColor":"black"}"#, #"{"intent":"absolute"}"#,
    #"{"preset":"not-there"}"#, #"{"preset":"../web"}"#,
    #"{"maxBytes":"many"}"#, #"{"format":"webp","lossless":true}"#, #"{"nothing":1}"#,
    #"{"format":"gif"}"#,
  ].map { OperationSample($0) }
}
