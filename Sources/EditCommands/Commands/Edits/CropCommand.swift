import PhotoEditing
import SafelightArguments

/// `edit crop`: keeps a rectangle of photos.
struct CropCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "crop",
    abstract: "Crop photos.",
    discussion: """
      Sets what is kept of each photo, as it is turned and straightened: the same again changes \
      nothing, another crop takes the place of the first, and --none gives the whole picture back.

      The numbers of --rect are shares of the width and height when none is above 1, and pixels of \
      the full-size picture otherwise, or when they are followed by px; 10% is a share too. The crop \
      is stored in shares, so it stays the same part in a preview.

      Example:
        edit crop beach.jpg --rect 0.1,0,0.8,1
        edit crop beach.jpg --rect 40,0,320,240px
        edit crop *.jpg --aspect 16:9 --gravity top
        edit crop beach.jpg --size 300x300
        edit crop beach.jpg --none
      """)

  @Option(
    help: ArgumentHelp(
      "A rectangle: left, top, width and height, in shares or pixels.", valueName: "x,y,w,h"))
  var rect: CropRectangle?

  @Option(
    help: ArgumentHelp("The largest rectangle of an aspect, such as 3:2.", valueName: "w:h"))
  var aspect: CropAspect?

  @Option(help: ArgumentHelp("A rectangle of so many pixels.", valueName: "wxh"))
  var size: CropSize?

  @Option(help: "Where the rectangle of --aspect or --size lies; center without it.")
  var gravity: CropGravity?

  @Flag(help: "Take the crop away.")
  var none = false

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup var whole: BatchWideOptions

  func validate() throws {
    switch [rect != nil, aspect != nil, size != nil, none].count(where: { $0 }) {
    case 1: break
    case 0: throw ValidationError("Say what to keep, with --rect, --aspect, --size or --none.")
    default: throw ValidationError("Give only one of --rect, --aspect, --size and --none.")
    }
    if case .shares(let x, let y, let width, let height) = rect?.area {
      guard width > 0, height > 0, max(x + width, y + height) <= 1 + 1e-9 else {
        throw ValidationError(
          "--rect does not lie inside the picture: in shares, left and width are at most 1 together, "
            + "and so are top and height.")
      }
    }
    if gravity != nil, rect != nil || none {
      throw ValidationError("--gravity places the rectangle of --aspect or --size; leave it out.")
    }
  }

  /// What to keep; `nil` for everything.
  func prepare(for photos: [FilePath]) -> CropArea? {
    let gravity = gravity ?? .center
    if let rect { return rect.area }
    if let aspect { return .aspect(width: aspect.width, height: aspect.height, gravity) }
    return size.map { .size(width: $0.width, height: $0.height, gravity) }
  }

  func work(on task: PhotoTask<CropArea?>) async throws(EditError) -> PhotoResult {
    let area = task.preparation
    let result = try await task.editor.crop(
      task.photo, to: area, quality: quality, dryRun: dryRun.isOn)
    return PhotoResult(
      result, did: area == nil ? "whole again" : "cropped", to: task.path, dryRun: dryRun)
  }
}

extension CropGravity: ExpressibleByArgument {}

/// A rectangle as somebody types it: `0.1,0,0.8,1` or `40,0,320,240px`.
struct CropRectangle: ExpressibleByArgument {
  let area: CropArea

  static var expectation: String? {
    "left, top, width and height, such as 0.1,0,0.8,1 or 40,0,320,240px"
  }

  init?(argument: String) {
    var words = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard words.count == 4 else { return nil }
    let isMarked = words.contains { $0.hasSuffix("px") }
    if isMarked { words = words.map { $0.hasSuffix("px") ? $0.dropLast(2) : $0 } }
    let hasShares = words.contains { $0.hasSuffix("%") }
    let numbers = words.compactMap { Double(argument: String($0), unit: .share) }
    guard numbers.count == 4, numbers.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
    if !hasShares, isMarked || numbers.contains(where: { $0 > 1 }) {
      let whole = numbers.compactMap { Int(exactly: $0) }
      guard whole.count == 4 else { return nil }
      area = .pixels(x: whole[0], y: whole[1], width: whole[2], height: whole[3])
    } else {
      guard !isMarked else { return nil }
      area = .shares(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
  }
}

/// An aspect as somebody types it: `3:2`, `3/2` or `1.5`.
struct CropAspect: ExpressibleByArgument {
  let width, height: Double

  static var expectation: String? { "width and height, such as 3:2 or 16:9" }

  init?(argument: String) {
    let words = argument.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "/" }
    let numbers = words.compactMap { Double(String($0)) }
    guard (1...2).contains(words.count), numbers.count == words.count,
      numbers.allSatisfy({ $0.isFinite && $0 > 0 })
    else { return nil }
    (width, height) = (numbers[0], numbers.count > 1 ? numbers[1] : 1)
  }
}

/// A size as somebody types it: `1920x1080`.
struct CropSize: ExpressibleByArgument {
  let width, height: Int

  static var expectation: String? { "width and height in pixels, such as 1920x1080" }

  init?(argument: String) {
    let words = argument.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "×" }
    let numbers = words.compactMap { Int($0) }
    guard words.count == 2, numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else { return nil }
    (width, height) = (numbers[0], numbers[1])
  }
}
