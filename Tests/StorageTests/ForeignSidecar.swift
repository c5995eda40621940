import Foundation

@testable import SafelightFiles
@testable import SafelightStorage

/// Sidecars as other programs may have written them.
enum ForeignSidecar: String, Sendable, CaseIterable {
  /// As Apple Photos writes one.
  case apple
  /// With keys nobody knows, in spellings that only a verbatim copy keeps.
  case unknownKeys
  /// With a byte order mark, Windows line ends and a comment after the end.
  case windows

  func bytes() throws -> [UInt8] {
    switch self {
    case .apple: try Self.fixture("apple.aae")
    case .unknownKeys:
      // A record of Safelight's, but for the key that makes it one.
      Array(
        String(decoding: try Self.fixture("unknown-keys.aae"), as: UTF8.self)
          .replacingOccurrences(of: "<key>safelight</key>", with: "<key>daylight</key>").utf8)
    case .windows:
      Array(
        """
        \u{FEFF}<plist version="1.0"><dict ><key>adjustmentData</key><data> aGVs bG8= </data>\r
        <key>adjustmentFormatIdentifier</key><string><![CDATA[com.example.other]]></string>\r
        <key>adjustmentFormatVersion</key><string>&#x31;.4</string>\r
        <key>mood</key><integer>+007</integer></dict></plist>\r\n<!-- end -->  \t
        """.utf8)
    }
  }

  private static func fixture(_ name: String) throws -> [UInt8] {
    let repository = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return Array(try Data(contentsOf: repository.appendingPathComponent("Fixtures/bad/\(name)")))
  }
}

extension PhotoFolder {
  var sidecar: FilePath { photo.suffixed(".aae") }

  /// A folder in which another program edited the photo.
  convenience init(with sidecar: ForeignSidecar) throws {
    self.init()
    put(try sidecar.bytes(), at: self.sidecar)
  }
}
