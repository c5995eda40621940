import Glibc
import SafelightFiles
import SafelightRendering

/// A chain of ffmpeg filters that gives a video's frames the geometry and the colors of an edit.
struct FrameFilters {
  let text: String

  init(
    _ movement: FrameMovement, table: String?, _ stream: StreamFacts, pixelFormat: String,
    height: Int
  ) {
    let colors = FrameColors(stream, height: height)
    var filters = colors.decoding + ["format=gbrp"]
    filters += Self.turns[movement.orientation] ?? []
    let size = movement.size
    if let origin = movement.origin {
      filters.append(
        "crop=\(size.width):\(size.height):\(Int(origin.x)):\(Int(origin.y)):exact=1")
    } else {
      filters.append(Self.perspective(movement))
      filters.append("scale=\(size.width):\(size.height):flags=bicubic+accurate_rnd")
    }
    // Scaled to even sides, frames would keep their former shape by pixels that are no squares.
    filters.append("setsar=1")
    if let table { filters.append("lut3d=file=\(table):interp=tetrahedral") }
    filters += colors.encoding + ["format=\(pixelFormat)"]
    text = filters.joined(separator: ",")
  }

  /// The turn and the mirror of an Exif value.
  private static let turns = [
    2: ["hflip"], 3: ["hflip", "vflip"], 4: ["vflip"], 5: ["transpose=cclock_flip"],
    6: ["transpose=clock"], 7: ["transpose=clock_flip"], 8: ["transpose=cclock"],
  ]

  /// The map of places. The filter gives frames of the size that it gets, and counts from the middles of pixels.
  private static func perspective(_ movement: FrameMovement) -> String {
    let corners = movement.corners
    // The projective map from the unit square to the corners. Source: Heckbert, "Fundamentals of Texture Mapping and
    // Image Warping", 1989, 2.2.3.
    let (p0, p1, p3, p2) = (corners[0], corners[1], corners[2], corners[3])
    let (sx, sy) = (p0.x - p1.x + p2.x - p3.x, p0.y - p1.y + p2.y - p3.y)
    let (dx1, dx2) = (p1.x - p2.x, p3.x - p2.x)
    let (dy1, dy2) = (p1.y - p2.y, p3.y - p2.y)
    let determinant = dx1 * dy2 - dx2 * dy1
    let g = determinant == 0 ? 0 : (sx * dy2 - dx2 * sy) / determinant
    let h = determinant == 0 ? 0 : (dx1 * sy - sx * dy1) / determinant
    let (a, b, c) = (p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x, p0.x)
    let (d, e, f) = (p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y, p0.y)
    let (width, height) = (Double(movement.turned.width), Double(movement.turned.height))
    func place(_ column: Double, _ row: Double) -> (x: Double, y: Double) {
      let (u, v) = ((column + 0.5) / width, (row + 0.5) / height)
      let w = g * u + h * v + 1
      return ((a * u + b * v + c) / w - 0.5, (d * u + e * v + f) / w - 0.5)
    }
    let ends = [place(0, 0), place(width, 0), place(0, height), place(width, height)]
    let values = ends.enumerated().map { index, end in
      "x\(index)=\(end.x.decimal(digits: 6)):y\(index)=\(end.y.decimal(digits: 6))"
    }
    return "perspective=\(values.joined(separator: ":")):interpolation=cubic:sense=source"
  }
}

/// The filters of ffmpeg between a video's codes of brightness and color, and red, green and blue.
struct FrameColors {
  /// The filters that lead to red, green and blue.
  let decoding: [String]
  /// The filters that lead back.
  let encoding: [String]

  /// - Parameter height: Rows of a frame: what the file does not say, players guess by the size.
  init(_ stream: StreamFacts, height: Int) {
    let matrix =
      switch stream["color_space"] {
      case "bt709": "bt709"
      case "bt2020nc": "bt2020"
      case nil where height >= 720: "bt709"
      default: "bt601"
      }
    let range = stream.isFullRange ? "pc" : "tv"
    let exact = "flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp"
    decoding = ["scale=in_color_matrix=\(matrix):in_range=\(range):\(exact)"]
    encoding = ["scale=out_color_matrix=\(matrix):out_range=\(range):\(exact)"]
  }
}

/// The folder that ffmpeg works in, with the table of colors: ffmpeg knows tables by the endings of their names. It goes
/// with the object.
final class TableFolder {
  static let name = "look.cube"

  let path: FilePath

  /// - Parameters:
  ///   - table: The bytes of the table.
  ///   - parent: Where the folder is made; `nil` is `TMPDIR`, or `/tmp`.
  init(_ table: [UInt8], in parent: FilePath?) throws {
    let variable = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let parent = parent ?? FilePath(argument: variable.isEmpty ? "/tmp" : variable).absolute
    let folder = try Folder(parent)
    TableFolder.sweep(folder)
    let name = FilePath("\(TableFolder.prefix)\(getpid())-\(UInt64.random(in: 0...UInt64.max))")
    guard try folder.createFolder(name, mode: 0o700) else {
      throw VideoFailure.failed("there is no temporary folder")
    }
    let made = parent.appending(name)
    do {
      try FileSystem.real.replace(made.appending(TableFolder.name), with: table, durably: false)
    } catch {
      try? folder.removeTree(name)
      throw error
    }
    path = made
  }

  deinit { try? FileSystem.real.removeTree(path) }

  private static let prefix = "safelight-video-"

  /// Removes the folders that this user's processes left when they died. Those of the last day stay: in a container, a
  /// process that lives outside seems dead.
  private static func sweep(_ parent: Folder) {
    for name in (try? parent.names()) ?? [] where name.string.hasPrefix(prefix) {
      guard let process = name.string.dropFirst(prefix.count).split(separator: "-").first,
        let identifier = pid_t(process), identifier > 0,
        kill(identifier, 0) != 0, errno == ESRCH,
        let status = try? parent.status(of: name), status.kind == .folder,
        status.owner == geteuid(), status.modified.seconds < time(nil) - 86_400
      else { continue }
      try? parent.removeTree(name)
    }
  }
}
