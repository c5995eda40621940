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

  @Test func aPictureThatGoogleRenderedMakesItsOriginalEdited() async throws {
    try tree.fixture("beach.jpg", as: "IMG_1.jpg")
    tree.put(description(latitude: 48), "IMG_1.jpg.supplemental-metadata.json")
    let library = try tree.open()
    try await library.add([tree.photos])
    #expect(try edited(library).isEmpty)
    try tree.fixture("beach.jpg", as: "IMG_1-edited.jpg")
    try await library.add([tree.photos])
    #expect(try await Set(library.names) == ["IMG_1.jpg"])
    let asset = try #require(try library.fetchAssets().first)
    #expect(asset.adjustmentFormatIdentifier == "com.google.photos")
    #expect(try await library.verify().problems.isEmpty)
  }

  @Test func aDescriptionThatComesLaterOrChangesIsNoticed() async throws {
    let file: FilePath = "IMG_1.png.supplemental-metadata.json"
    try tree.fixture("alpha.png", as: "IMG_1.png")
    let library = try tree.open()
    try await library.add([tree.photos])
    func latitude() throws -> Double? { try library.fetchAssets().first?.location?.latitude }
    try #expect(latitude() == nil)
    // Takeout's archives may be unpacked one after the other.
    tree.put(description(latitude: 48), file)
    try await library.add([tree.photos])
    try #expect(latitude() == 48)
    tree.put(description(latitude: 50), file)
    try await library.add([tree.photos])
    try #expect(latitude() == 50)
    #expect(try await library.add([tree.photos]).isUnchanged)
    tree.remove(file)
    try await library.add([tree.photos])
    try #expect(latitude() == nil)
  }

  @Test func afterARevertTheOtherProgramsEditCountsAgain() async throws {
    try tree.fixture("beach.jpg", as: "IMG_1.JPG")
    tree.put(sidecar, "IMG_1.AAE")
    let library = try tree.open()
    try await library.add([tree.photos])
    func format() throws -> String? { try library.fetchAssets().first?.adjustmentFormatIdentifier }
    let photo = Photo(path: tree.photos.appending("IMG_1.JPG"))
    _ = try await PhotoEditor().apply(Filter.named("noir").applied(), to: photo)
    try await library.add([tree.photos])
    try #expect(format()?.hasPrefix("com.apple.") == false)
    _ = try await PhotoEditor().revertAssetContentToOriginal(photo)
    try await library.add([tree.photos])
    try #expect(format() == "com.apple.photo")
  }

  private func description(latitude: Double) -> [UInt8] {
    Array(
      """
      {"title": "IMG_1", "photoTakenTime": {"timestamp": "1555339224"},
       "geoData": {"latitude": \(latitude), "longitude": 16}}
      """.utf8)
  }
}
