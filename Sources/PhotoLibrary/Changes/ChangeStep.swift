import FoundationEssentials
import PhotoEditing

/// One thing that a change set is to do, as its requests wrote it down.
enum ChangeStep: Sendable {
  case asset(String, AssetStep)
  case createAsset(String)
  case addResource(String, NewResource)
  case trash([String])
  case restore([String])
  case emptyTrash
  case createCollection(String, title: String, isList: Bool)
  case rename(String, title: String, isList: Bool)
  case arrange(ContainerStep)
  case deleteCollections([String], isList: Bool)
}

/// What is to become of an asset.
enum AssetStep: Sendable {
  case favorite(Bool)
  case hidden(Bool)
  case creationDate(Date?)
  case location(Asset.Location?)
  case edit(ContentEditingOutput)
  case revert
}

/// A file that a creation request brings.
struct NewResource: Sendable {
  enum Source: Sendable {
    case file(FilePath)
    case data(Data)
  }

  let type: AssetResource.ResourceType
  let source: Source
  let options: AssetResourceCreationOptions
}

/// What is to become of the order of an album's assets, or of a list's albums and lists.
struct ContainerStep: Sendable {
  /// An album or a list; `nil` for the top level.
  let container: String?
  let isList: Bool
  /// Tells requests apart: each has its own idea of the positions when it is anchored.
  let request: Int
  /// The rows that positions are about; `nil` for those that are there at that moment.
  let anchor: ContiguousArray<Int64>?
  let arrangement: Arrangement<String>
}
