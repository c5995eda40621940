import Foundation
import PhotoEditing
import SafelightTestSupport
import Testing

@testable import PhotoLibraryKit
@testable import SafelightCatalog
@testable import SafelightFiles

/// Photos that Apple's Photos edited, in a library.
@Suite struct ForeignEditIndexingTests {
  private let tree = PhotoTree()

  private let sidecar = Array(
    """
    <plist version="1.0"><dict>
    <key>adjustmentFormatIdentifier</key><string>com.apple.photo</string>
    <key>adjustmentData</key><data>\(Data(
      #"{"adjustments":[{"identifier":"Crop","settings":{}}]}"#.utf8).base64EncodedString())</data>
    </dict></plist>
    """.utf8)

  private func edited(_ library: PhotoLibrary) throws -> [String] {
    try library.fetchAssets().filter(\.hasAdjustments).compactMap {
      $0.path.lastComponent?.string
    }
  }

  @Test func originalAndRenderAreOneEditedAsset() async throws {
    try tree.fixture("beach.jpg", as: "IMG_1.JPG")
    try tree.fixture("beach.jpg", as: "IMG_E1.JPG")
    try tree.fixture("beach.jpg", as: "IMG_2.JPG")
    tree.put(sidecar, "IMG_1.AAE")
    let library = try tree.open()
    try await library.add([tree.photos])
    #expect(try await Set(library.names) == ["IMG_1.JPG", "IMG_2.JPG"])
    #expect(try edited(library) == ["IMG_1.JPG"])
    let asset = try #require(try library.fetchAssets().first { $0.hasAdjustments })
    #expect(asset.adjustmentFormatIdentifier == "com.apple.photo")
    // A second scan finds everything as it is.
    let again = try await library.add([tree.photos])
    #expect(again.isUnchanged)
    #expect(try edited(library) == ["IMG_1.JPG"])
  }

  @Test func aSidecarThatComesLaterIsNoticed() async throws {
    try tree.fixture("beach.jpg", as: "IMG_1.JPG")
    let library = try tree.open()
    try await library.add([tree.photos])
    #expect(try edited(library).isEmpty)
    tree.put(sidecar, "IMG_1.AAE")
    try await library.add([tree.photos])
    #expect(try edited(library) == ["IMG_1.JPG"])
    tree.remove("IMG_1.AAE")
    try await library.add([tree.photos])
    #expect(try edited(library).isEmpty)
  }
}
