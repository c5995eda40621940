import Glibc
import PhotoEditing
import SafelightFiles
import SafelightProcesses
import Synchronization

/// Writes a page about a batch of photos that a browser shows without a network: `index.html` in a
/// folder, and pictures in `pictures` beside it.
///
/// Entries are appended as they come and not kept, so that memory does not grow with the batch. When
/// the work is cut off, the page opens and says so. Safe to use from several threads.
final class HTMLReport: Sendable {
  /// The folder of the page.
  let folder: FilePath

  /// The page.
  var page: FilePath { folder.appending("index.html") }

  private let fileSystem: FileSystem
  /// One entry is written at a time.
  private let file: Mutex<OpenFile>

  /// Begins a page. The folders are made where they are not there; an earlier report in them is
  /// replaced, its pictures stay until pictures of the same names are written.
  ///
  /// - Parameters:
  ///   - folder: Where the page goes.
  ///   - title: What it is about, such as the command line.
  /// - Throws: ``HTMLReportError``.
  init(
    in folder: FilePath, title: String, _ fileSystem: FileSystem = .real
  ) throws(HTMLReportError) {
    self.folder = folder
    self.fileSystem = fileSystem
    for folder in [folder, folder.appending(Self.picturesFolder)] {
      try Self.make(folder, fileSystem)
    }
    file = Mutex(try Self.create("index.html", in: folder, fileSystem))
    try write(ReportPage.head(title: title))
  }

  /// Adds an entry at the end of the page; the browser shows failures first.
  ///
  /// - Throws: ``HTMLReportError/file(path:code:)`` when the disk is full, for instance.
  func add(_ entry: ReportEntry) throws(HTMLReportError) {
    try write(entry.html + "\n")
  }

  /// Ends the page, and removes the folder for pictures when there is none. What is added afterwards
  /// would be lost.
  func finish() throws(HTMLReportError) {
    try write(ReportPage.end)
    // Only an empty folder goes.
    try? Folder(folder, fileSystem).removeFolder(FilePath(Self.picturesFolder))
  }

  /// One write for each piece, so that a page that is cut off ends between two entries.
  private func write(_ text: String) throws(HTMLReportError) {
    let bytes = Array(text.utf8)
    let errno = file.withLock { file -> Int32? in
      do throws(FileSystemError) {
        try fileSystem.write(bytes, to: file)
        return nil
      } catch {
        return error.errno
      }
    }
    if let errno { throw .file(path: page, code: errno) }
  }
}

extension HTMLReport {
  /// The name of the folder for pictures.
  static let picturesFolder = "pictures"

  /// The paths, from the page's folder, for the pictures of the `index`th photo.
  ///
  /// Names say nothing of the photo's own name, which may hold anything.
  static func pictures(at index: Int) -> (before: String, after: String) {
    let number = String(index + 1)
    let padded = String(repeating: "0", count: max(6 - number.count, 0)) + number
    return ("\(picturesFolder)/\(padded)-before.jpg", "\(picturesFolder)/\(padded)-after.jpg")
  }

  private static func make(
    _ folder: FilePath, _ fileSystem: FileSystem
  ) throws(HTMLReportError) {
    do throws(FileSystemError) {
      if try fileSystem.kind(of: folder, following: true) == .folder { return }
      let parent = try Folder(folder.removingLastComponent(), fileSystem)
      let isMade = try parent.createFolder(folder.lastComponent ?? folder, mode: 0o777)
      if !isMade { throw FileSystemError(.init(.createFolder, folder), errno: EEXIST) }
    } catch {
      throw .file(path: folder, code: error.errno)
    }
  }

  /// A new, empty file in place of an earlier report.
  private static func create(
    _ name: FilePath, in path: FilePath, _ fileSystem: FileSystem
  ) throws(HTMLReportError) -> OpenFile {
    let page = path.appending(name)
    do {
      let folder = try Folder(path, fileSystem)
      try OutputRule(fileSystem).check(page, replacing: false) { try isReport(name, in: folder) }
      if try folder.contains(name) { try folder.remove(name) }
      return try folder.create(name, mode: 0o666)
    } catch let error as FileSystemError {
      throw .file(path: page, code: error.errno)
    } catch {
      throw .taken(path: page)
    }
  }

  private static func isReport(
    _ name: FilePath, in folder: Folder
  ) throws(FileSystemError) -> Bool {
    let mark = Array(ReportPage.mark.utf8)
    do throws(FileSystemError) {
      let bytes = try folder.fileSystem.bytes(of: folder.open(name), count: mark.count)
      // A full disk may have cut an earlier report off before its mark was whole.
      return mark.starts(with: bytes)
    } catch {
      // A symbolic link or a folder is somebody else's.
      if [ELOOP, EISDIR, EACCES].contains(error.errno) { return false }
      throw error
    }
  }
}

/// Why a report could not be written. The entries that were written stay readable.
enum HTMLReportError: Error, Equatable, CustomStringConvertible {
  /// A folder or the page could not be made or written; `code` is the system's errno.
  case file(path: FilePath, code: Int32)
  /// A page that is no report stands where the report would go.
  case taken(path: FilePath)

  /// What happened and what can be done, in two sentences.
  var description: String {
    switch self {
    case .file(let path, let code):
      "The report \(path) could not be written: \(SystemCallError(code: code).reason). "
        + (code == ENOSPC || code == EDQUOT
          ? "Make room on the disk." : "Name a folder that can be written.")
    case .taken(let path): "\(path) exists and is no report of Safelight. Name another folder."
    }
  }
}
