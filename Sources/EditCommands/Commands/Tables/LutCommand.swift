import PhotoEditing
import SafelightArguments
import SafelightFiles

/// `edit lut`: writes the colors of a photo's edit or of a filter as a lookup table.
struct LutCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "lut",
    abstract: "Write a photo's edit or a filter as a .cube file.",
    discussion: """
      Bakes what an edit does to colors into a lookup table for programs that edit videos. The table takes and \
      gives sRGB colors. What depends on a pixel's place or surroundings is left out, such as vignette, grain and \
      clarity, or acts as in an even area, such as shadows; both are named. The error of the table is measured and \
      stated, in the file too.

      Example:
        edit lut noir -o noir.cube
        edit lut beach.jpg -o beach.cube --size 65
      """)

  @Argument(
    help: "The photo with the edit, or the filter or its file.", completion: .filtersAndFiles)
  var look: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The .cube file to write.", valueName: "path"))
  var output: OutputPath

  @Option(
    help: ArgumentHelp("Colors along an edge of the table: 17, 33 or 65.", valueName: "colors"))
  var size = 33

  @Option(help: "How strong the filter is, from 0 to 1.", in: 0...1)
  var intensity: Double?

  @Flag(help: "Replace a file that is there; photos never.")
  var overwrite = false

  @Flag(help: "Print what was made as JSON.")
  var json = false

  func validate() throws {
    try output.checkIsFile()
    if output.path.extension?.lowercased() != "cube" {
      throw ValidationError("\(output.path) has the ending of no lookup table: use .cube.")
    }
    if !BakedLook.sizes.contains(size) {
      throw ValidationError("--size is 17, 33 or 65, not \(size).")
    }
  }

  func run(on console: Console) async throws -> ExitCode {
    let path = FilePath(argument: look)
    let isPhoto = path.leadsSomewhere && !["json", "cube"].contains(path.extension?.lowercased())
    if isPhoto, intensity != nil {
      throw ValidationError("--intensity is for filters, and \(path) is a photo.")
    }
    do throws(EditError) {
      let baked: BakedLook
      let editor = PhotoEditor()
      if isPhoto {
        baked = try await editor.look(of: Photo(path: path), size: size)
      } else {
        baked = try Filter.named(look, userFilters: CommandSurroundings.userFilters)
          .baked(intensity: intensity ?? 1, size: size)
      }
      try await editor.write(baked, to: output.path, replacing: overwrite)
      if json {
        console.result(report(baked).text)
      } else {
        console.result("\(look): \(baked.table.size) in \(output.path)".onOneLine)
        console.result("  \(baked.accuracy)")
        if !baked.simplified.isEmpty {
          console.result("  as in an even area: \(baked.simplified.joined(separator: ", "))")
        }
        if !baked.leftOut.isEmpty {
          console.result("  left out: \(baked.leftOut.joined(separator: ", "))")
        }
      }
      return .success
    } catch {
      return console.fail(PhotoFailure(error))
    }
  }

  private func report(_ baked: BakedLook) -> JSONValue {
    .object([
      "look": look, "written": output.path, "size": size,
      "error": JSONValue.object(["mean": baked.meanError, "maximum": baked.maximumError]),
      "simplified": baked.simplified, "leftOut": baked.leftOut,
    ])
  }
}
