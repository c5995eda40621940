import PhotoEditing

extension FilePath {
  /// Calls `body` with the path as the system's calls take it.
  func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes + [0]).withUnsafeBytes { raw in
      raw.withMemoryRebound(to: CChar.self) { body($0.baseAddress!) }
    }
  }
}
