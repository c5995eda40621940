import PhotoEditing
import SafelightArguments

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
