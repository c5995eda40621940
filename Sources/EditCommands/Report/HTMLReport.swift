import Glibc
import PhotoEditing
import Synchronization

/// Writes a page about a batch of photos that a browser shows without a network: `index.html` in a
/// folder, and pictures in `pictures` beside it.
///
/// Entries are appended as they come and not kept, so that memory does not grow with the batch. A page
/// whose work was cut off opens all the same, and says so. Safe to use from several threads.
final class HTMLReport: Sendable {
  /// The folder of the page.
  let folder: FilePath

  /// The page.
  var page: FilePath { folder.appending("index.html") }

  private let file: Mutex<File>

  private struct File {
    var descriptor: Int32
    var entries = 0
  }

  /// Begins a page. The folders are made where they are not there; an earlier report in them is
  /// replaced, its pictures stay until pictures of the same names are written.
  ///
  /// - Parameters:
  ///   - folder: Where the page goes.
  ///   - title: What it is about, such as the command line.
  /// - Throws: ``HTMLReportError``.
  init(in folder: FilePath, title: String) throws(HTMLReportError) {
    self.folder = folder
    for folder in [folder, folder.appending(Self.picturesFolder)] {
      try Self.make(folder)
    }
    let page = folder.appending("index.html")
    file = Mutex(File(descriptor: try Self.create(page)))
    try write(ReportPage.head(title: title))
  }

  deinit {
    file.withLock { _ = close($0.descriptor) }
  }

  /// Adds an entry at the end of the page; the browser shows failures first.
  ///
  /// - Throws: ``HTMLReportError/file(path:code:)`` when the disk is full, for instance.
  func add(_ entry: ReportEntry) throws(HTMLReportError) {
    try write(entry.html + "\n")
  }

  /// Ends the page. What is added afterwards would be lost.
  func finish() throws(HTMLReportError) {
    try write(ReportPage.end)
  }

  /// One write for each piece, so that a page that is cut off ends between two entries.
  private func write(_ text: String) throws(HTMLReportError) {
    let code: Int32 = file.withLock { file in
      var bytes = Array(text.utf8)[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { Glibc.write(file.descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return errno }
        bytes = bytes.dropFirst(count)
      }
      return 0
    }
    if code != 0 { throw .file(path: page, code: code) }
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

  private static func make(_ folder: FilePath) throws(HTMLReportError) {
    let code = folder.withPath { mkdir($0, 0o777) == 0 ? 0 : errno }
    guard code == 0 || code == EEXIST && folder.leadsToFolder else {
      throw .file(path: folder, code: code)
    }
  }

  /// A new, empty file in place of an earlier report.
  private static func create(_ page: FilePath) throws(HTMLReportError) -> Int32 {
    func open() -> Int32 {
      page.withPath { Glibc.open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    }
    var descriptor = open()
    if descriptor < 0, errno == EEXIST {
      guard isReport(page) else { throw .taken(path: page) }
      _ = page.withPath { unlink($0) }
      descriptor = open()
    }
    guard descriptor >= 0 else { throw .file(path: page, code: errno) }
    return descriptor
  }

  private static func isReport(_ page: FilePath) -> Bool {
    let descriptor = page.withPath { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let mark = Array(ReportPage.mark.utf8)
    let bytes = [UInt8](unsafeUninitializedCapacity: mark.count) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, mark.count))
    }
    return bytes == mark
  }
}

extension FilePath {
  /// Whether the path leads to a folder, symbolic links followed.
  fileprivate var leadsToFolder: Bool {
    var facts = stat()
    return withPath { stat($0, &facts) } == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }
}
