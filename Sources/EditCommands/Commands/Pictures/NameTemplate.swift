import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightArguments

/// The names of written pictures as somebody types them, without an ending: `{date:%Y-%m}/{name}-{n:3}`.
///
/// Fields are `name`, the photo's own without its ending; `date`, when the photo was taken, as strftime writes it; `n`,
/// the photo's number in this run, with at least so many digits; `filter`; and `version`, the named version that the
/// photo shows. A slash makes a folder. Two braces stand for one.
struct NameTemplate: Sendable {
  enum Part: Sendable, Equatable {
    case text(String)
    case name
    case date(String)
    case number(Int)
    case filter
    case version
  }

  let parts: [Part]

  /// Reads a template.
  ///
  /// - Throws: `ValidationError` for a field that there is not, or a name that could lead out of the folder.
  init(_ text: String) throws(ValidationError) {
    func refuse(_ reason: String) -> ValidationError { ValidationError("--name \(reason)") }
    var parts: [Part] = []
    var rest = text[...]
    func add(_ letter: Character) {
      if case .text(let before)? = parts.last {
        parts[parts.count - 1] = .text(before + String(letter))
      } else {
        parts.append(.text(String(letter)))
      }
    }
    while let letter = rest.first {
      rest.removeFirst()
      guard letter == "{" || letter == "}" else {
        add(letter)
        continue
      }
      if rest.first == letter {
        rest.removeFirst()
        add(letter)
        continue
      }
      guard letter == "{", let end = rest.firstIndex(of: "}") else {
        throw refuse("has a brace without its other one; write {{ or }} for a brace.")
      }
      let field = rest[..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      rest = rest[rest.index(after: end)...]
      let format = field.count > 1 ? field[1] : nil
      switch field.first {
      case "name" where format == nil: parts.append(.name)
      case "filter" where format == nil: parts.append(.filter)
      case "version" where format == nil: parts.append(.version)
      case "name"?, "filter"?, "version"?:
        throw refuse("has {\(field[0])} with something behind it; it takes nothing.")
      case "date":
        let format = format ?? "%Y-%m-%d"
        if let problem = Self.problem(inDate: format) { throw refuse(problem) }
        parts.append(.date(format))
      case "n":
        let digits = format.map { Int($0) ?? 0 } ?? 1
        guard (1...12).contains(digits) else {
          throw refuse("takes 1 to 12 digits for a number, as in {n:3}.")
        }
        parts.append(.number(digits))
      default:
        throw refuse(
          "has no {\(field.first ?? "")}; there are {name}, {date:%Y-%m}, {n:3}, {filter} and {version}."
        )
      }
    }
    guard !parts.isEmpty else { throw refuse("is empty.") }
    self.parts = parts
    let folders = parts.reduce(into: "") { whole, part in
      switch part {
      case .text(let text): whole += text
      case .date(let format): whole += format.replacing("%", with: "x")
      default: whole += "x"
      }
    }.split(separator: "/", omittingEmptySubsequences: false)
    guard folders.first?.isEmpty == false, folders.last?.isEmpty == false else {
      throw refuse("must not begin or end with a slash.")
    }
    guard !folders.contains(where: \.isEmpty) else {
      throw refuse("must not have two slashes side by side.")
    }
    guard folders.allSatisfy({ $0.first != "." }) else {
      throw refuse("must have no part that begins with a dot.")
    }
  }

  /// The letters behind a percent sign that make part of a name: not those for line breaks and tabs, and none for time
  /// zones, which dates of photos have as numbers only.
  private static let letters = Set("aAbBcCdDeFgGhHIjklmMpPrRSTuUVwWxXyY%")

  /// What is wrong with the form of a date; `nil` when strftime makes a name of it.
  private static func problem(inDate format: String) -> String? {
    if format.isEmpty { return "has {date:} without a form, such as {date:%Y-%m}." }
    var rest = format[...]
    while let percent = rest.firstIndex(of: "%") {
      rest = rest[rest.index(after: percent)...]
      if let flag = rest.first, "_-0^#".contains(flag) { rest.removeFirst() }
      guard let letter = rest.popFirst(), letters.contains(letter) else {
        return
          "has a {date} with %\(format[percent...].dropFirst().prefix(2)), which makes no name; there are %Y, %m, %d, %H, %M, %S and others of strftime."
      }
    }
    return nil
  }

  /// What is known of a photo.
  struct Facts: Sendable {
    var date: Date?
    var offset: Int?
    var filter: String?
    var version: String?
  }

  /// Whether a name needs ``Facts``, for which the photo is read.
  var needsFacts: Bool {
    parts.contains { part in
      switch part {
      case .date, .filter, .version: true
      case .text, .name, .number: false
      }
    }
  }

  /// The name of a photo's picture, without an ending.
  ///
  /// - Parameter number: The photo's, from 1.
  func name(of photo: FilePath, number: Int, _ facts: Facts) -> FilePath {
    let bytes = parts.flatMap { part -> [UInt8] in
      switch part {
      case .text(let text): return Array(text.utf8)
      case .name:
        let name = photo.lastComponent ?? photo
        return (name.stem ?? name).bytes
      case .number(let digits):
        let text = String(number)
        return Array((String(repeating: "0", count: max(digits - text.count, 0)) + text).utf8)
      case .date(let format):
        return Array((facts.date.map { Self.text(of: $0, facts.offset, format) } ?? "undated").utf8)
      case .filter: return Self.safe(facts.filter ?? "unfiltered")
      case .version: return Self.safe(facts.version ?? "present")
      }
    }
    return FilePath(bytes: Self.staying(bytes))
  }

  /// The bytes of a path without parts that begin with a dot or are empty, whatever the photo or its edit is called: none
  /// leads out of the folder, and none is hidden.
  private static func staying(_ bytes: [UInt8]) -> [UInt8] {
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return Array(
      parts.map { part in
        part.first.map { $0 == UInt8(ascii: ".") } ?? true
          ? [UInt8(ascii: "_")] + part.dropFirst() : Array(part)
      }.joined(separator: [UInt8(ascii: "/")]))
  }

  /// A name without slashes and NUL.
  private static func safe(_ text: String) -> [UInt8] {
    text.utf8.map { [0, UInt8(ascii: "/")].contains($0) ? UInt8(ascii: "_") : $0 }
  }

  /// A date as the camera's clock showed it. Slashes of the form make folders, and those of its parts, as in `%D`, none.
  private static func text(of date: Date, _ offset: Int?, _ format: String) -> String {
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down)) + (offset ?? 0)
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil else { return "undated" }
    return format.split(separator: "/", omittingEmptySubsequences: false).map { form in
      var bytes = [CChar](repeating: 0, count: 64 * (form.utf8.count + 1))
      let count = strftime(&bytes, bytes.count, String(form), &parts)
      return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        .replacing("/", with: "-")
    }.joined(separator: "/")
  }
}

extension PhotoEditor {
  /// What a name can say of a photo; nothing of one that cannot be read, which fails when it is rendered.
  func nameFacts(of photo: FilePath) async -> NameTemplate.Facts {
    guard let state = try? await state(of: Photo(path: photo)) else { return .init() }
    return NameTemplate.Facts(
      date: state.original.creationDate, offset: state.original.timeZoneOffset,
      filter: state.edit?.stack?.filters.last?.name,
      version: state.versions.first(where: \.isPresent)?.name)
  }
}
