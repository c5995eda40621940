import FoundationEssentials
import SafelightAdjustments
import SafelightDarkroom
import SafelightFiles
import SafelightFilters
import SafelightLookupTables
import SafelightRendering
import SafelightStorage

extension Filter {
  /// Every filter that ships with Safelight, in the order in which they are listed.
  public static var shipped: [Filter] { ShippedFilters.all }

  /// Largest file that is read as a filter: as large as an edit, for it may hold a lookup table.
  static let largestFile = AdjustmentData.maximumSize
  /// Largest file that is read as a `.cube`: 256 MiB, more than the 129³ rows of the largest table
  /// need.
  static let largestCubeFile = 256 << 20

  /// The filter of a name, shipped or the user's own, or the filter in a file.
  ///
  /// A file is a path with a slash, or one whose name ends as a filter's file does: `.json` for a
  /// filter's own JSON; `.cube` for a lookup table; `.png`, `.tif`, `.tiff`, `.jpg`, `.jpeg`,
  /// `.webp`, `.heic` or `.avif` for a HaldCLUT picture. A table's filter has the name of its file.
  /// Its title is the table's, or the file's name.
  ///
  /// - Parameters:
  ///   - text: A name such as `noir`, or a path. Undecodable bytes as in
  ///     `FilePath.init(argument:)`.
  ///   - userFilters: The filters that the user saved; `nil` for none. Asked for only
  ///     when no shipped filter has the name.
  /// - Throws: ``EditError/unknownFilter(_:)``, ``EditError/unusableFilter(path:detail:)``,
  ///   ``EditError/unusableLookupTable(path:_:)``, or what reading the file failed with.
  public static func named(
    _ text: String, userFilters: @autoclosure () -> UserFilters? = .standard
  ) throws(EditError) -> Filter {
    if let filter = ShippedFilters.named(text) { return filter }
    if let filter = try userFilters()?.filter(named: text) { return filter }
    let path = FilePath(argument: text)
    let kind = FilterFile(endingOf: path)
    guard kind != nil || text.contains("/") else { throw .unknownFilter(text) }
    return try Filter(reading: path, as: kind ?? .json)
  }

  /// Reads a filter's JSON file.
  init(reading path: FilePath, through fileSystem: FileSystem = .real) throws(EditError) {
    try self.init(reading: path, as: .json, through: fileSystem)
  }

  private init(
    reading path: FilePath, as kind: FilterFile, through fileSystem: FileSystem = .real
  ) throws(EditError) {
    do {
      switch kind {
      case .json: self = try Filter(json: fileSystem.contents(of: path, limit: Self.largestFile))
      case .cube:
        let bytes = try fileSystem.contents(of: path, limit: Self.largestCubeFile)
        self = try Filter(LookupTable(cubeFile: bytes), from: path)
      case .hald:
        let source = PhotoSource(try fileSystem.openForReading(path), name: path.string)
        self = try Filter(PhotoDarkroom.current.lookupTable(hald: source), from: path)
      }
    } catch let error as AdjustmentError {
      throw .unusableFilter(path: path, detail: error.reason.asSentence)
    } catch let error as FileSystemError {
      throw EditError(error, path: path)
    } catch let error as LookupTableError {
      throw .unusableLookupTable(path: path, error)
    } catch let error as RenderError {
      throw .render(path: path, error)
    } catch {
      throw .unusableFilter(path: path, detail: "\(error)")
    }
  }

  /// The filter that applies a table and nothing else, called after the table's file.
  private init(_ table: LookupTable, from path: FilePath) throws {
    let stem = path.stem?.string ?? ""
    let title = table.title ?? (stem.isEmpty ? "Lookup table" : stem)
    try self.init(
      name: Self.name(from: stem), title: title,
      summary: "Colors from a lookup table: \(table.size).",
      steps: [ColorLookup(table, title: title)])
  }

  /// A filter's name made from a file's: marks taken off letters, and a hyphen for everything that
  /// a name cannot have.
  private static func name(from stem: String) -> String {
    let plain = String(stem.lowercased().unicodeScalars.compactMap(Self.withoutMark))
    let words = plain.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.isEmpty ? "lookup-table" : String(words.joined(separator: "-").prefix(100))
  }

  /// A lower case letter without its accent, by its Unicode name: LATIN SMALL LETTER E WITH ACUTE is
  /// an e. Marks that stand by themselves are left out.
  private static func withoutMark(_ scalar: Unicode.Scalar) -> Character? {
    if scalar.properties.generalCategory == .nonspacingMark { return nil }
    let words = scalar.properties.name?.split(separator: " ") ?? []
    guard words.starts(with: ["LATIN", "SMALL", "LETTER"]), words.count > 4, words[3].count == 1,
      words[4] == "WITH"
    else { return Character(scalar) }
    return words[3].lowercased().first
  }
}

/// What a file that holds a filter is.
private enum FilterFile {
  case json
  case cube
  case hald

  /// The kind that a file's name says; `nil` when it says none.
  init?(endingOf path: FilePath) {
    switch path.extension?.lowercased() {
    case "json": self = .json
    case "cube": self = .cube
    case "png", "tif", "tiff", "jpg", "jpeg", "webp", "heic", "avif": self = .hald
    default: return nil
    }
  }
}

extension ColorLookup {
  /// The adjustment that applies a table.
  ///
  /// - Parameters:
  ///   - table: The table, for sRGB-encoded values.
  ///   - title: The table's name for people; the table's own, or “Lookup table”, when `nil`.
  /// - Throws: `LookupTableError.tooLarge`.
  public init(_ table: LookupTable, title: String? = nil) throws(LookupTableError) {
    self.init()
    self.title = title ?? table.title ?? "Lookup table"
    self.table = PackedTable(try table.stored())
  }
}
