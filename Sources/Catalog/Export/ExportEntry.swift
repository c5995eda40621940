import FoundationEssentials
import SafelightFiles

/// An entry of the export: one thing that only the catalog knows.
///
/// The export is two files beside the catalog. `catalogue.json` is an object with `version`, `sequence` and
/// `entries`. `catalogue.journal.ndjson` has an entry on each line, in the order of the later changes. Of all
/// entries with the same key the one with the highest `sequence` counts; an entry with `removed` says that the
/// thing is gone. A last line without an end does not count. Each entry has one of the other fields. A removed
/// album takes its members along, and a removed client or asset its selections: they have no entries of their
/// own then.
package struct ExportEntry: Codable, Sendable, Hashable {
  /// The number of the change; entries of `catalogue.json` have the number of the file.
  package var sequence: Int64 = 0
  /// Whether the thing is gone.
  package var removed: Bool?
  /// A folder that was added by name.
  package var root: ExportedPath?
  /// The patterns that leave files out of that folder, as ``FolderRules/texts``; missing when there are none.
  package var excludes: [String]?
  package var asset: ExportedAsset?
  package var collection: ExportedCollection?
  package var member: ExportedMember?
  package var client: ExportedClient?
  package var selected: ExportedSelection?
  package var departed: ExportedDeparture?
}

/// A path as text; a path that is not UTF-8 is an object with the bytes in Base64.
package struct ExportedPath: Codable, Sendable, Hashable {
  package let path: FilePath

  package init(_ path: FilePath) { self.path = path }

  private enum CodingKeys: CodingKey { case bytes }

  package init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      path = FilePath(text)
    } else {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      path = FilePath(bytes: try container.decode(Data.self, forKey: .bytes))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    if let text = String(validating: path.bytes, as: UTF8.self) {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    } else {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(Data(path.bytes), forKey: .bytes)
    }
  }
}

/// What a person set on an asset, and the asset's identifier when the path does not give it.
package struct ExportedAsset: Codable, Sendable, Hashable {
  package var identifier: String
  /// Missing from an entry with `removed`.
  package var path: ExportedPath?
  /// Whether the identifier is the one that the path gives.
  package var isDerived: Bool?
  package var favorite: Bool?
  package var hidden: Bool?
  /// Whether a person set the date; without `creationDate` the person removed it.
  package var isDateSet: Bool?
  /// Seconds since 1970 UTC.
  package var creationDate: Double?
  /// Whether a person set the place; without degrees the person removed it.
  package var isPlaceSet: Bool?
  package var latitude: Double?
  package var longitude: Double?
  /// When the asset went into the trash, in seconds since 1970 UTC.
  package var trashedDate: Double?
  /// When a person last changed any of this, in seconds since 1970 UTC.
  package var settingsDate: Double?
}

/// An album or a list of albums.
package struct ExportedCollection: Codable, Sendable, Hashable {
  package var identifier: String
  package var isList: Bool?
  package var title: String?
  /// The list that contains it; missing at the top level.
  package var list: String?
  package var position: Int64?
  /// Seconds since 1970 UTC.
  package var creationDate: Double?
}

/// The asset at a position of an album; positions may have gaps.
package struct ExportedMember: Codable, Sendable, Hashable {
  package var album: String
  package var position: Int64
  package var asset: String?
}

/// The user's decisions about a client; the numbers are PhotoKit's statuses.
package struct ExportedClient: Codable, Sendable, Hashable {
  package var identifier: String
  package var addOnly: Int?
  package var readWrite: Int?
  package var usageDescription: String?
  /// Seconds since 1970 UTC.
  package var answered: Double?
}

/// An asset that a client with limited access may see.
package struct ExportedSelection: Codable, Sendable, Hashable {
  package var client: String
  package var asset: String
}

/// A photo whose file is gone, with its albums and clients.
package struct ExportedDeparture: Codable, Sendable, Hashable {
  package var asset: ExportedAsset
  /// What the photo is recognized by: the fingerprint of its picture, or of its file.
  package var fingerprint: Data?
  package var members: [ExportedMember]?
  package var clients: [String]?
  /// When a scan found the file missing, in seconds since 1970 UTC.
  package var date: Double?

  package mutating func add(_ member: ExportedMember) {
    if members == nil { members = [] }
    members?.append(member)
  }

  package mutating func add(client: String) {
    if clients == nil { clients = [] }
    clients?.append(client)
  }
}

/// Two entries with the same key are about the same thing.
package struct ExportKey: Sendable, Hashable {
  package enum Kind: Int, Sendable {
    case root, asset, collection, member, client, selected, departed
  }

  package let kind: Kind
  package let key: [UInt8]
  package var number: Int64 = 0
  package var second = ""
}

extension ExportEntry {
  /// The key of the thing that the entry is about; `nil` for an entry of a newer program with other fields.
  package var key: ExportKey? {
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

  /// The keys of the things that take this thing along when they are removed.
  var owners: [ExportKey] {
    if let member { return [ExportKey(kind: .collection, key: Array(member.album.utf8))] }
    guard let selected else { return [] }
    return [
      ExportKey(kind: .client, key: Array(selected.client.utf8)),
      ExportKey(kind: .asset, key: Array(selected.asset.utf8)),
    ]
  }
}
