/// How often each code occurs in a picture of 8 bits a channel.
public struct PhotoHistogram: Sendable, Hashable {
  /// What is counted.
  public enum Channel: String, Sendable, Hashable, CaseIterable {
    /// The codes of red.
    case red
    /// The codes of green.
    case green
    /// The codes of blue.
    case blue
    /// The luma of the codes, with the weights of ITU-R BT.709-6, item 3.2, rounded.
    case luma
  }

  /// How many pixels were counted.
  public let pixelCount: Int
  /// The share of pixels, 0 to 1, that have 0 in at least one of red, green and blue.
  public let clippedShadows: Double
  /// The share of pixels, 0 to 1, that have 255 in at least one of red, green and blue.
  public let clippedHighlights: Double

  private let counts: [[Int]]

  /// How many pixels have each of the codes 0 to 255.
  public func counts(_ channel: Channel) -> [Int] { counts[channel.index] }

  /// The mean code, 0 to 255.
  public func mean(_ channel: Channel) -> Double {
    let sum = counts(channel).enumerated().reduce(0) { $0 + $1.offset * $1.element }
    return Double(sum) / Double(max(pixelCount, 1))
  }

  /// The code that a share of the pixels, 0 to 1, does not go beyond.
  public func percentile(_ share: Double, _ channel: Channel) -> Int {
    let limit = min(max(share, 0), 1) * Double(pixelCount)
    var sum = 0
    for (code, count) in counts(channel).enumerated() {
      sum += count
      if sum > 0, Double(sum) >= limit { return code }
    }
    return 255
  }

  /// The share of pixels, 0 to 1, that have a code.
  public func share(of code: UInt8, _ channel: Channel) -> Double {
    Double(counts(channel)[Int(code)]) / Double(max(pixelCount, 1))
  }

  init(_ counted: Counts) {
    counts = Channel.allCases.map {
      Array(counted.numbers[($0.index * 256)..<($0.index * 256 + 256)])
    }
    pixelCount = counts[0].reduce(0, +)
    clippedShadows = Double(counted.numbers[Counts.shadows]) / Double(max(pixelCount, 1))
    clippedHighlights = Double(counted.numbers[Counts.highlights]) / Double(max(pixelCount, 1))
  }

  /// Numbers of pixels while they are counted.
  struct Counts: Sendable {
    static let shadows = 4 * 256
    static let highlights = shadows + 1

    /// 256 numbers for each channel, then the pixels with a code at an end.
    private(set) var numbers = [Int](repeating: 0, count: highlights + 1)

    /// Counts the pixels of 8-bit red, green and blue.
    mutating func add(_ pixels: UnsafePointer<UInt8>, count: Int) {
      numbers.withUnsafeMutableBufferPointer { numbers in
        for pixel in 0..<count {
          let red = Int(pixels[3 * pixel])
          let green = Int(pixels[3 * pixel + 1])
          let blue = Int(pixels[3 * pixel + 2])
          numbers[red] &+= 1
          numbers[256 + green] &+= 1
          numbers[512 + blue] &+= 1
          numbers[768 + (2126 &* red &+ 7152 &* green &+ 722 &* blue &+ 5000) / 10_000] &+= 1
          if min(red, green, blue) == 0 { numbers[Self.shadows] &+= 1 }
          if max(red, green, blue) == 255 { numbers[Self.highlights] &+= 1 }
        }
      }
    }

    /// Adds what was counted elsewhere.
    mutating func add(_ other: Counts) {
      for index in numbers.indices { numbers[index] += other.numbers[index] }
    }
  }
}

extension PhotoHistogram.Channel {
  fileprivate var index: Int {
    switch self {
    case .red: 0
    case .green: 1
    case .blue: 2
    case .luma: 3
    }
  }
}
