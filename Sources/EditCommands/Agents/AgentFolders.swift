import Glibc
import PhotoEditing
import SafelightArguments
import SafelightFiles

/// The folders that an agent may touch, and the one way from a name that it gives to a file in them.
///
/// A name is looked up as the system does it, and counts when the file that it leads to, symbolic links followed, lies
/// below one of the folders and no part of its way there is hidden. `..` is refused as it stands. Other programs that
/// move folders between this look and the use of the path are trusted: they have the rights to do all of it themselves.
struct AgentFolders: Sendable {
  private struct Root: Sendable {
    /// As it was named.
    let given: FilePath
    /// Open, so that it stays the same folder.
    let folder: Folder

    /// Symbolic links followed.
    var path: FilePath { folder.path }
  }

  private let roots: [Root]
  private let rules: FolderRules
  private let fileSystem = FileSystem.real

  /// Opens the folders.
  ///
  /// - Parameter rules: What lists of photos leave out.
  /// - Throws: `ValidationError` for a name that is not that of a folder.
  init(_ names: [String], rules: FolderRules = .standard) throws(ValidationError) {
    self.rules = rules
    var roots: [Root] = []
    for name in names {
      let given = FilePath(argument: name).absolute
      do throws(FileSystemError) {
        let path = try FileSystem.real.resolve(given)
        roots.append(Root(given: given, folder: try Folder(path)))
      } catch {
        throw ValidationError("\(name) is no folder that can be opened. \(error.description)")
      }
    }
    self.roots = roots
  }

  /// The folders, symbolic links followed.
  var paths: [FilePath] { roots.map(\.path) }

  /// Whether a path without symbolic links, such as a library has them, lies in the folders.
  func contains(_ path: FilePath) -> Bool {
    roots.contains { root in
      if path == root.path { return true }
      return path.isInside(root.path) && !path.hasParentComponent
        && !path.relative(to: root.path).components.contains(where: \.isHidden)
    }
  }

  /// What a folder holds, by the rules.
  ///
  /// - Parameter path: As ``folder(_:)`` gives it.
  func content(of path: FilePath) throws(EditError) -> PhotoFolder {
    let root = roots.map(\.path).first { path == $0 || path.isInside($0) }
    return try PhotoFolder(path, from: root ?? path, rules: rules)
  }

  // MARK: - Names

  /// The path of a photo, symbolic links followed.
  ///
  /// - Throws: ``AgentError``, or ``EditError`` when there is no such file.
  func photo(_ name: String) throws -> FilePath {
    let path = try located(name)
    switch try fileSystem.kind(of: path) {
    case .file: return path
    case .folder: throw EditCommandError.folder(path)
    default: throw EditError.storage(.originalNotAFile(path))
    }
  }

  /// The path of a folder, symbolic links followed.
  ///
  /// - Throws: As ``photo(_:)``.
  func folder(_ name: String) throws -> FilePath {
    let path = try located(name)
    guard try fileSystem.kind(of: path) == .folder else {
      throw AgentError.invalidArguments("\(name) is not a folder.")
    }
    return path
  }

  /// The path of a file that is there or may be made. Its folder is there.
  ///
  /// - Throws: As ``photo(_:)``.
  func output(_ name: String) throws -> FilePath { try located(name, mayBeMissing: true) }

  private func located(_ name: String, mayBeMissing: Bool = false) throws -> FilePath {
    // Results spell letters that nobody sees.
    guard let plain = FileWords.unspelled(name) else {
      return try located(exactly: name, mayBeMissing: mayBeMissing)
    }
    do {
      return try located(exactly: name, mayBeMissing: false)
    } catch EditError.storage(.originalMissing) {
      return try located(exactly: plain, mayBeMissing: mayBeMissing)
    }
  }

  private func located(exactly name: String, mayBeMissing: Bool) throws -> FilePath {
    guard !name.isEmpty, name.utf8.count <= Int(PATH_MAX), !name.utf8.contains(0) else {
      throw AgentError.invalidArguments("That is not the path of a file.")
    }
    var path = FilePath(argument: name)
    if path.hasParentComponent { throw AgentError.outsideFolders(name) }
    if !path.isAbsolute {
      guard roots.count == 1 else {
        throw AgentError.invalidArguments(
          "\(name.prefix(300)) is a relative path, and there are several folders: give the whole path."
        )
      }
      path = roots[0].path.appending(path)
    }
    let way = roots.lazy.compactMap { root in
      [root.path, root.given].lazy.compactMap { path.way(from: $0) }.first.map { (root, $0) }
    }.first
    guard let (root, parts) = way else { throw AgentError.outsideFolders(name) }
    var place = root.path
    for (index, part) in parts.enumerated() {
      if part.isHidden { throw AgentError.outsideFolders(name) }
      let next = place.appending(part)
      do throws(FileSystemError) {
        place = try fileSystem.resolve(next)
      } catch {
        // A link that leads nowhere is refused too: a file could be made where it leads.
        let isLink = (try? fileSystem.exists(next)) == true
        switch error.errno {
        case ENOENT where isLink, ELOOP: throw AgentError.outsideFolders(name)
        case ENOENT where mayBeMissing && index == parts.count - 1: return next
        case ENOENT, ENOTDIR, ENAMETOOLONG: throw EditError.storage(.originalMissing(path))
        default: throw EditError.storage(.originalUnreadable(error))
        }
      }
      // Asked after each part, so that what lies outside cannot even be asked about.
      guard contains(place) else { throw AgentError.outsideFolders(name) }
    }
    return place
  }
}

extension FilePath {
  /// The names between the slashes, without those that are `.`.
  fileprivate var components: [FilePath] {
    bytes.split(separator: Self.slash).map { FilePath(bytes: $0) }.filter { $0 != "." }
  }

  /// The names that lead from a folder to the path; `nil` when the path does not begin with the folder's.
  fileprivate func way(from folder: FilePath) -> [FilePath]? {
    let (whole, start) = (components, folder.components)
    return whole.starts(with: start) ? Array(whole.dropFirst(start.count)) : nil
  }
}
