import SafelightAdjustments
import SafelightFormats
import SafelightRendering

// What the parameters of turns, crops and places can be.

/// Which sides of a picture are exchanged.
package enum FlipDirection: String, CaseIterable, ParameterValue {
  case horizontal, vertical, both, none
}

extension CropGravity: ParameterValue {}

/// A rectangle as somebody types it, `0.1,0,0.8,1` or `40,0,320,240px`, or as a list of four numbers.
package struct CropRectangle: ParameterValue {
  package let area: CropArea

  package static var kind: String {
    "left, top, width and height, such as 0.1,0,0.8,1 or 40,0,320,240px"
  }
  package static var typeName: String { "x,y,w,h" }
  package static var hasRange: Bool { false }
  package static var schema: JSONValue {
    .object([
      .init("type", .array([.string("array"), .string("string")])),
      .init("items", .object([.init("type", .string("number"))])),
    ])
  }

  package init?(json: JSONValue) {
    if let text = json.string {
      self.init(argument: text, unit: .share)
      return
    }
    guard let elements = json.elements, elements.count == 4,
      elements.allSatisfy({ $0.number != nil })
    else { return nil }
    self.init(argument: elements.map(\.text).joined(separator: ","), unit: .share)
  }

  package var json: JSONValue {
    if case .shares(let x, let y, let width, let height) = area {
      return .array([x, y, width, height].map { .number($0) })
    }
    return .string(argument)
  }

  package func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    guard case .shares(let x, let y, let width, let height) = area else { return nil }
    if width > 0, height > 0, max(x + width, y + height) <= 1 + 1e-9 { return nil }
    return .invalid(
      "does not lie inside the picture: in shares, left and width are at most 1 together, and so are top and height"
    )
  }

  package init?(argument: String, unit: ParameterUnit) {
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

  package init(_ area: CropArea) { self.area = area }

  package var argument: String {
    switch area {
    case .shares(let x, let y, let width, let height):
      [x, y, width, height].map(\.argument).joined(separator: ",")
    case .pixels(let x, let y, let width, let height): "\(x),\(y),\(width),\(height)px"
    case .aspect, .size: preconditionFailure("An aspect or a size is no rectangle.")
    }
  }
}

/// An aspect as somebody types it: `3:2`, `3/2` or `1.5`.
package struct CropAspect: TextValue {
  package let width, height: Double

  package init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

  package static var kind: String { "width and height, such as 3:2 or 16:9" }
  package static var typeName: String { "w:h" }
  package static var schema: JSONValue {
    .object([.init("type", .array([.string("string"), .string("number")]))])
  }

  package init?(json: JSONValue) {
    guard let text = json.string ?? json.number?.argument else { return nil }
    self.init(argument: text, unit: .none)
  }

  package init?(argument: String, unit: ParameterUnit) {
    let words = argument.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "/" }
    let numbers = words.compactMap { Double(String($0)) }
    guard (1...2).contains(words.count), numbers.count == words.count,
      numbers.allSatisfy({ $0.isFinite && $0 > 0 })
    else { return nil }
    (width, height) = (numbers[0], numbers.count > 1 ? numbers[1] : 1)
  }

  package var argument: String { "\(width.argument):\(height.argument)" }
}

/// A size as somebody types it: `1920x1080`.
package struct CropSize: TextValue {
  package let width, height: Int

  package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  package static var kind: String { "width and height in pixels, such as 1920x1080" }
  package static var typeName: String { "wxh" }

  package init?(argument: String, unit: ParameterUnit) {
    let words = argument.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "×" }
    let numbers = words.compactMap { Int($0) }
    guard words.count == 2, numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else { return nil }
    (width, height) = (numbers[0], numbers[1])
  }

  package var argument: String { "\(width)x\(height)" }
}

/// A place as somebody types it, `0.4,0.6` or `0.4,0.5,0.1,0.1`, or as a list of two or four numbers.
package struct PicturePlace: ParameterValue {
  package let place: GrayPlace

  package init(_ place: GrayPlace) { self.place = place }

  package static var kind: String { argumentKind }
  package static var typeName: String { "x,y" }
  package static var hasRange: Bool { false }
  package static var schema: JSONValue { CropRectangle.schema }
  package static var argumentKind: String {
    "left and top of a place, or left, top, width and height, such as 0.4,0.6 or 0.4,0.5,0.1,0.1"
  }

  private var numbers: [Double] {
    switch place {
    case .point(let x, let y): [x, y]
    case .area(let x, let y, let width, let height): [x, y, width, height]
    }
  }

  private init?(_ numbers: [Double?]) {
    let known = numbers.compactMap(\.self)
    guard known.count == numbers.count else { return nil }
    switch known.count {
    case 2: place = .point(x: known[0], y: known[1])
    case 4: place = .area(x: known[0], y: known[1], width: known[2], height: known[3])
    default: return nil
    }
  }

  package init?(json: JSONValue) {
    if let text = json.string {
      self.init(argument: text, unit: .share)
    } else if let elements = json.elements {
      self.init(elements.map(\.number))
    } else {
      return nil
    }
  }

  package var json: JSONValue { .array(numbers.map { .number($0) }) }

  package func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    let isInside =
      switch place {
      case _ where !numbers.allSatisfy(\.isFinite): false
      case .point(let x, let y): (0...1).contains(x) && (0...1).contains(y)
      case .area(let x, let y, let width, let height):
        min(x, y) >= 0 && min(width, height) > 0 && max(x + width, y + height) <= 1 + 1e-9
      }
    return isInside ? nil : .invalid("does not lie inside the picture, whose sides are 1 long")
  }

  package init?(argument: String, unit: ParameterUnit) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    self.init(words.map { Double(argument: String($0), unit: .share) })
  }

  package var argument: String { numbers.map(\.argument).joined(separator: ",") }
}
