import Foundation
import SafelightRendering

@testable import SafelightDarkroom

/// What a decoder that is in the hands of a photo may send: answers of real ones, changed at random.
enum Lie {
  enum Message {
    case bytes([UInt8])
    case text([UInt8], MessageKind)
    case raw(UInt8, [UInt8])
  }

  private static let numbers = [
    "0", "-1", "1", "2", "255", "256", "65535", "65536", "2147483647", "4294967296",
    "4611686018427387904", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
    "1e308", "0.5", "-0.0", "1e-400", "null", "\"1\"", "[]", "{}",
  ]

  /// Answers as real decoders give them.
  private static func answers(_ size: PixelSize) -> [(MessageKind, String)] {
    let sized = "{\"width\":\(size.width),\"height\":\(size.height)}"
    let pixels = size.width * size.height
    let channel = "[\(pixels)," + Array(repeating: "0", count: 255).joined(separator: ",") + "]"
    let histogram =
      "{\"counts\":[\(channel),\(channel),\(channel),\(channel)],\"pixelCount\":\(pixels),"
      + "\"clippedShadows\":1,\"clippedHighlights\":0}"
    let report =
      "{\"pixelWidth\":\(size.width),\"pixelHeight\":\(size.height),\"warnings\":"
      + "[{\"decoder\":{\"_0\":\"a\"}},{\"severalPictures\":{\"_0\":2}}],\"isLossless\":true}"
    let results = [
      "{\"size\":\(sized),\"orientation\":1,\"pictures\":1,\"exif\":\"AAAA\"}",
      report, sized, "[\(sized)]", "[]", histogram,
      "{\"values\":[{\"option\":\"exposure\",\"value\":0.5}],\"notes\":[\"a\"]}",
      "{\"width\":64,\"height\":64,\"bands\":3,\"isWide\":false}",
      "{\"size\":\(sized)}", "{\"size\":\(sized),\"embedded\":\(sized)}",
      "{\"size\":\(sized),\"histogram\":\(histogram)}",
    ]
    let failures = [
      "{\"cancelled\":{}}", "{\"notHald\":{\"width\":1,\"height\":2}}",
      "{\"render\":{\"_0\":{\"tooManyPixels\":{\"width\":1,\"height\":1,\"limit\":1}}}}",
    ]
    return results.map { (.last, $0) } + failures.map { (.failure, $0) } + [(.question, sized)]
  }

  /// Messages to one question.
  static func messages(
    _ size: PixelSize, jpeg: [UInt8], by random: inout some RandomNumberGenerator
  ) -> [Message] {
    var messages: [Message] = []
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      switch Int.random(in: 0...5, using: &random) {
      case 0: messages.append(.bytes(jpeg))
      case 1:
        messages.append(.bytes(Array(jpeg.prefix(Int.random(in: 1...jpeg.count, using: &random)))))
      case 2:
        messages.append(
          .bytes(
            (0..<Int.random(in: 1...4000, using: &random)).map { _ in
              .random(in: 0...255, using: &random)
            }))
      case 3:
        messages.append(.bytes([UInt8](repeating: 9, count: 3 * size.width * size.height)))
      case 4: messages.append(.raw(.random(in: 0...11, using: &random), [1, 2, 3]))
      default: messages.append(.raw(.random(in: 0...11, using: &random), []))
      }
    }
    var (kind, text) = answers(size).randomElement(using: &random)!
    for _ in 0..<Int.random(in: 0...3, using: &random) { text = changed(text, &random) }
    if Int.random(in: 0...9, using: &random) == 0 {
      kind = [.last, .failure, .question].randomElement(using: &random)!
    }
    messages.append(.text(Array(text.utf8), kind))
    return messages
  }

  private static func changed(
    _ text: String, _ random: inout some RandomNumberGenerator
  ) -> String {
    switch Int.random(in: 0...9, using: &random) {
    case 0: return String(text.prefix(Int.random(in: 0...text.count, using: &random)))
    case 1: return text.replacing("_0", with: "_1", maxReplacements: 1)
    case 2:
      var bytes = Array(text.utf8)
      if let place = bytes.indices.randomElement(using: &random) {
        bytes[place] = .random(in: 0...255, using: &random)
      }
      return String(decoding: bytes, as: UTF8.self)
    default:
      let places = text.ranges(of: /-?[0-9]+(\.[0-9]+)?/).filter {
        !text[..<$0.lowerBound].hasSuffix("_")
      }
      guard let place = places.randomElement(using: &random),
        let number = numbers.randomElement(using: &random)
      else { return text }
      return text.replacingCharacters(in: place, with: number)
    }
  }
}
