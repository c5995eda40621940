import FoundationEssentials
import SafelightFormats

/// An edit that Apple's Photos made, as the sidecar says it that Photos puts beside a photo, `IMG_1234.AAE`.
///
/// ```swift
/// let edit = try AppleEdit(sidecar: bytes)
/// print(edit.summary)  // crop, Noir, light
/// ```
///
/// The sidecar, an `.AAE` file, is a property list. One of its values, the adjustment data, holds the list of adjustments: as
/// another property list, or as JSON compressed by Deflate. Names and values stay Apple's; ``AppleTranslation`` says which of
/// Safelight's adjustments each comes near.
public struct AppleEdit: Sendable, Hashable {
  /// The largest sidecar that is read, in bytes: 16 MiB.
  public static let maximumSize = 16 << 20
  /// The most bytes that compressed adjustment data may have once they are unpacked, 32 MiB: a small file must not fill the
  /// memory.
  static let maximumUnpackedSize = 32 << 20
  /// The format of the edits that Photos makes of photos.
  public static let photoFormat = "com.apple.photo"
  /// The format of the edits that Photos makes of videos.
  public static let videoFormat = "com.apple.video"

  /// The sidecar's adjustment data, still packed, with their format; without bytes where the sidecar has none.
  public let data: AdjustmentData
  /// From which picture the edit starts: 0 is the original.
  public let baseVersion: Int
  /// The program that made it, by its bundle identifier; `nil` when not recorded.
  public let editor: String?
  /// When it was made; `nil` when not recorded.
  public let timestamp: Date?
  /// Bits for the kinds of renders that the edit has; `nil` when not recorded.
  public let renderTypes: Int?
  /// The adjustments in their order; empty when the data are another program's, or cannot be read.
  public let adjustments: [AppleAdjustment]
  /// Whether ``adjustments`` are all that the data say.
  public let isUnderstood: Bool
  /// The width in pixels of the photo that was edited, as stored or as shown; `nil` when not recorded.
  public let masterWidth: Double?
  /// The height in pixels of the photo that was edited, as stored or as shown; `nil` when not recorded.
  public let masterHeight: Double?
  /// The orientation of the photo that was edited as Exif counts it, 1 to 8; `nil` when not recorded.
  public let orientation: Int?

  /// The adjustments that are switched on.
  public var enabled: [AppleAdjustment] { adjustments.filter(\.isEnabled) }

  /// Whether Photos or the camera made it, and no other program.
  public var isApples: Bool {
    [Self.photoFormat, Self.videoFormat].contains(data.formatIdentifier)
  }

  /// What was done, for people: `crop, Noir, light`.
  public var summary: String {
    var words: [String] = []
    for word in enabled.map(\.title) where !words.contains(word) { words.append(word) }
    if !words.isEmpty { return words.joined(separator: ", ") }
    if !isUnderstood { return isApples ? "what cannot be read" : "by another program" }
    return adjustments.isEmpty ? "nothing" : "nothing that is switched on"
  }
}

/// One adjustment of an edit that Apple's Photos made.
public struct AppleAdjustment: Sendable, Hashable {
  /// Apple's name for it, such as `SmartTone`.
  public let identifier: String
  /// Whether it is switched on.
  public let isEnabled: Bool
  /// Its values by Apple's names, an object.
  public let settings: JSONValue

  /// An adjustment with its values.
  public init(identifier: String, isEnabled: Bool = true, settings: JSONValue = .object([])) {
    self.identifier = identifier
    self.isEnabled = isEnabled
    self.settings = settings
  }

  /// A value as a number; `nil` when there is none.
  public func number(_ name: String) -> Double? {
    guard let value = settings[name] else { return nil }
    if case .bool(let isTrue) = value.content { return isTrue ? 1 : 0 }
    return value.number
  }
}

/// Why a file is no sidecar of Apple's.
public enum AppleEditError: Error, Hashable, CustomStringConvertible {
  /// It is no property list.
  case notAPropertyList
  /// It is a property list without the keys of a sidecar.
  case notASidecar
  /// It has more bytes than ``AppleEdit/maximumSize``.
  case tooLarge

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .notAPropertyList: "It is no property list."
    case .notASidecar: "It is no sidecar with an edit."
    case .tooLarge: "It is longer than \(AppleEdit.maximumSize >> 20) MiB."
    }
  }
}

extension AppleEdit {
  /// Reads a sidecar.
  ///
  /// Adjustment data that cannot be read are no error: they are kept, and ``isUnderstood`` says so.
  /// - Throws: ``AppleEditError`` when the bytes are no sidecar.
  public init(sidecar bytes: [UInt8]) throws(AppleEditError) {
    guard bytes.count <= Self.maximumSize else { throw .tooLarge }
    guard let list = PropertyList.read(bytes) else { throw .notAPropertyList }
    func value(_ name: String) -> PropertyList? {
      list.entries?.first { $0.key == "adjustment" + name }?.value
    }
    guard let format = value("FormatIdentifier")?.text else { throw .notASidecar }
    let data = value("Data")?.data ?? Data()
    self.init(
      AdjustmentData(
        formatIdentifier: format, formatVersion: value("FormatVersion")?.text ?? "1.0", data: data),
      baseVersion: value("BaseVersion")?.integer.flatMap { Int(exactly: $0) } ?? 0,
      editor: value("EditorBundleID")?.text, timestamp: value("Timestamp")?.date,
      renderTypes: value("RenderTypes")?.integer.flatMap { Int(exactly: $0) })
  }

  /// Reads the adjustment data of an edit that Apple's Photos made.
  public init(
    _ data: AdjustmentData, baseVersion: Int = 0, editor: String? = nil, timestamp: Date? = nil,
    renderTypes: Int? = nil
  ) {
    (self.data, self.baseVersion, self.editor) = (data, baseVersion, editor)
    (self.timestamp, self.renderTypes) = (timestamp, renderTypes)
    let isApples = [Self.photoFormat, Self.videoFormat].contains(data.formatIdentifier)
    let content = isApples ? Self.content(of: Array(data.data)) : nil
    let listed = content?["adjustments"]?.elements
    adjustments = (listed ?? []).compactMap { AppleAdjustment($0) }
    isUnderstood = listed != nil && adjustments.count == listed?.count
    let metadata = content?["metadata"]
    masterWidth = metadata?["masterWidth"]?.number
    masterHeight = metadata?["masterHeight"]?.number
    orientation = metadata?["orientation"]?.integer.flatMap { (1...8).contains($0) ? $0 : nil }
  }

  /// What adjustment data say: a property list or JSON, perhaps deflated without a header.
  private static func content(of bytes: [UInt8]) -> JSONValue? {
    if bytes.isEmpty { return nil }
    if let list = PropertyList.read(bytes) { return list.json }
    if let value = try? JSONValue(parsing: bytes), value.members != nil { return value }
    let unpacked =
      Zlib.unpacked(bytes, limit: maximumUnpackedSize, raw: true)
      ?? Zlib.unpacked(bytes, limit: maximumUnpackedSize)
    guard let unpacked else { return nil }
    if let value = try? JSONValue(parsing: unpacked) { return value }
    return PropertyList.read(unpacked)?.json
  }
}

extension AppleAdjustment {
  /// Reads one element of the list; `nil` for what is none.
  fileprivate init?(_ json: JSONValue) {
    guard let identifier = json["identifier"]?.string else { return nil }
    self.identifier = identifier
    if case .bool(let isEnabled)? = json["enabled"]?.content {
      self.isEnabled = isEnabled
    } else {
      isEnabled = json["enabled"]?.number != 0
    }
    let settings = json["settings"]
    self.settings = settings?.members == nil ? .object([]) : settings ?? .object([])
  }

  /// What it is called in Photos, for people: `Noir`, `light`.
  public var title: String {
    if identifier == "Effect" || identifier == "Effect3D" {
      return Self.filterTitle(settings["effectName"]?.string ?? "filter")
    }
    return Self.titles[identifier] ?? identifier
  }

  /// `Dramatic Cool` for `3DDramaticCool`.
  static func filterTitle(_ name: String) -> String {
    var words = ""
    for character in name.hasPrefix("3D") ? name.dropFirst(2) : name[...] {
      if character.isUppercase, words.last?.isLowercase == true { words.append(" ") }
      words.append(character)
    }
    return words.isEmpty ? name : words
  }

  private static let titles = [
    "Crop": "crop", "Orientation": "turn", "SmartTone": "light", "SmartColor": "color",
    "SmartBlackAndWhite": "black and white", "WhiteBalance": "white balance", "Curves": "curves",
    "Levels": "levels", "SelectiveColor": "selective color", "Vignette": "vignette",
    "Sharpen": "sharpen", "Definition": "definition", "NoiseReduction": "noise reduction",
    "RedEye": "red-eye", "Retouch": "retouch", "DepthEffect": "depth",
    "PortraitEffect": "portrait light",
    "LivePhotoKeyFrame": "key photo", "Trim": "trim", "SlowMotion": "slow motion", "Mute": "mute",
    "AutoEnhance": "auto-enhance", "RKRawDecodeOperation": "raw",
  ]
}

extension PropertyList {
  /// Reads a property list of either form; `nil` for what is none.
  static func read(_ bytes: [UInt8]) -> PropertyList? {
    if isBinary(bytes) { return try? PropertyList(parsingBinary: bytes) }
    // Most bytes are none, which their beginning tells at once.
    let beginning = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    guard beginning.first == UInt8(ascii: "<") else { return nil }
    return try? PropertyList(parsing: bytes)
  }

  /// The same as JSON: data as base64, dates as texts.
  var json: JSONValue {
    switch value {
    case .dictionary(let entries): .object(entries.map { .init($0.key, $0.value.json) })
    case .array(let elements): .array(elements.map(\.json))
    case .string(let text), .data(let text), .date(let text): .string(text)
    case .integer(let text), .real(let text):
      Double(text.withoutOuterSpaces).flatMap { $0.isFinite ? .number($0) : nil } ?? .string(text)
    case .boolean(let isTrue): .bool(isTrue)
    }
  }
}
