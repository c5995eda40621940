import FoundationEssentials
import PhotoEditing

/// One thing that only the catalog knows, as the export keeps it.
///
/// The export is two files beside the catalog. `catalogue.json` is an object with `version`,
/// `sequence` and `entries`; `catalogue.journal.ndjson` holds an entry on each line, in the order
/// in which things changed since. A reader takes, of all entries with the same key, the one with the
/// highest `sequence`; one that is `removed` says that there is nothing. A last line without an end
/// is not there. Each entry has one of the other fields.
struct ExportEntry: Codable, Sendable, Hashable {
  /// Grows with each change; entries of `catalogue.json` have that of the file.
  var sequence: Int64 = 0
  /// Whether it is gone.
  var removed: Bool?
  /// A folder that was added by name.
  var root: ExportedPath?
  var asset: ExportedAsset?
  var collection: ExportedCollection?
  var member: ExportedMember?
  var client: ExportedClient?
  var selected: ExportedSelection?
  var departed: ExportedDeparture?
}

/// A path as text; one that is not UTF-8 is an object with its bytes in Base64.
struct ExportedPath: Codable, Sendable, Hashable {
  let path: FilePath

  init(_ path: FilePath) { self.path = path }

  private enum CodingKeys: CodingKey { case bytes }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      path = FilePath(text)
    } else {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      path = FilePath(bytes: try container.decode(Data.self, forKey: .bytes))
    }
  }

  func encode(to encoder: any Encoder) throws {
    if let text = String(validating: path.bytes, as: UTF8.self) {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    } else {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(Data(path.bytes), forKey: .bytes)
    }
  }
}

/// What somebody said of an asset, and its identifier when the path does not give it.
struct ExportedAsset: Codable, Sendable, Hashable {
  var identifier: String
  /// Absent of an entry that is removed.
  var path: ExportedPath?
  /// Whether the identifier is the one that the path gives.
  var isDerived: Bool?
  var favorite: Bool?
  var hidden: Bool?
  /// Whether somebody set the date; without `creationDate` it was taken away.
  var isDateSet: Bool?
  /// Seconds since 1970 UTC.
  var creationDate: Double?
  /// Whether somebody set the place; without degrees it was taken away.
  var isPlaceSet: Bool?
  var latitude: Double?
  var longitude: Double?
  /// When it went into the trash, in seconds since 1970 UTC.
  var trashedDate: Double?
}

/// An album or a list of albums.
struct ExportedCollection: Codable, Sendable, Hashable {
  var identifier: String
  var isList: Bool?
  var title: String?
  /// The list that it is in; absent at the top.
  var list: String?
  var position: Int64?
  /// Seconds since 1970 UTC.
  var creationDate: Double?
}

/// The asset at a position of an album; positions may have gaps.
struct ExportedMember: Codable, Sendable, Hashable {
  var album: String
  var position: Int64
  var asset: String?
}

/// What the user answered a client; the numbers are PhotoKit's statuses.
struct ExportedClient: Codable, Sendable, Hashable {
  var identifier: String
  var addOnly: Int?
  var readWrite: Int?
  var usageDescription: String?
  /// Seconds since 1970 UTC.
  var answered: Double?
}

/// An asset that a client with limited access may see.
struct ExportedSelection: Codable, Sendable, Hashable {
  var client: String
  var asset: String
}

/// A photo whose file is gone, and what it belonged to.
struct ExportedDeparture: Codable, Sendable, Hashable {
  var asset: ExportedAsset
  var fingerprint: Data?
  var members: [ExportedMember]?
  var clients: [String]?
  /// When it was missed, in seconds since 1970 UTC.
  var date: Double?
}

/// What makes two entries be about the same thing.
struct ExportKey: Sendable, Hashable {
  enum Kind: Int, Sendable { case root, asset, collection, member, client, selected, departed }

  let kind: Kind
  let key: [UInt8]
  var number: Int64 = 0
  var second = ""
}

extension ExportEntry {
  /// What the entry is about; `nil` when a newer program wrote it and nobody here knows.
  var key: ExportKey? {
    if let root { return ExportKey(kind: .root, key: root.path.bytes) }
    if let asset { return ExportKey(kind: .asset, key: Array(asset.identifier.utf8)) }
    if let collection {
      return ExportKey(kind: .collection, key: Array(collection.identifier.utf8))
    }
    if let member {
      return ExportKey(kind: .member, key: Array(member.album.utf8), number: member.position)
    }
    if let client { return ExportKey(kind: .client, key: Array(client.identifier.utf8)) }
    if let selected {
      return ExportKey(
        kind: .selected, key: Array(selected.client.utf8), second: selected.asset)
    }
    return departed.map {
      ExportKey(kind: .departed, key: Array($0.asset.identifier.utf8))
    }
  }
}
