import PhotoEditing
import Testing

@testable import PhotoLibraryKit
@testable import SafelightFiles

/// Pictures in the folders of a library that say that Safelight made them from photos.
@Suite struct ExportedPhotoTests {
  private let tree = PhotoTree()

  /// What is in the metadata of an export.
  private let xmp = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="">
    <xmpMM:DerivedFrom xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
      xmlns:stRef="http://ns.adobe.com/xap/1.0/sType/ResourceRef#" stRef:filePath="elsewhere.jpg"
      stRef:documentID="sha256:12" stRef:manager="Safelight"/>
    </rdf:Description></rdf:RDF></x:xmpmeta>
    """

  @discardableResult
  private func export(_ name: FilePath, comment: String = "") -> FilePath {
    tree.photo(name, SmallJPEG(xmp: xmp, comment: comment))
  }

  private func library() async throws -> PhotoLibrary {
    tree.photo("a.jpg")
    export("web/b.jpg")
    let library = try tree.open()
    let result = try await library.add([tree.photos])
    #expect((result.added, result.exports) == (1, 1))
    return library
  }

  @Test func aScanPassesThemOver() async throws {
    let library = try await library()
    export("web/c.jpg")
    let result = try await library.scan()
    #expect(result.isUnchanged && result.exports == 2)
    #expect(try await library.names == ["a.jpg"])
  }

  @Test func oneThatHasAnEditIsAPhoto() async throws {
    try tree.fixture("beach.jpg", as: "a.jpg")
    tree.photos.appending("web").makeFolder()
    let exported = tree.photos.appending("web/b.jpg")
    try await PhotoEditor().export(
      Photo(path: tree.photos.appending("a.jpg")), to: exported, as: .standard)
    try await PhotoEditor().apply(Filter.named("noir").applied(), to: Photo(path: exported))
    let library = try tree.open()
    #expect(try await library.add([tree.photos]).exports == 0)
    #expect(try await library.names.sorted() == ["a.jpg", "b.jpg"])
  }

  @Test func oneThatIsNamedIsTakenInAndStays() async throws {
    let library = try await library()
    #expect(try await library.add([tree.photos.appending("web/b.jpg")]).added == 1)
    #expect(try await library.names == ["a.jpg", "b.jpg"])
    export("web/c.jpg")
    #expect(try await library.scan().isUnchanged)
    // Moved it is the same photo, and when it comes back, too.
    let identifier = try await library.identifier("b.jpg")
    tree.move("web/b.jpg", to: "print/d.jpg")
    #expect(try await library.scan().moved == 1)
    #expect(try await library.identifier("d.jpg") == identifier)
    let asset = try #require(
      library.fetchAssets(withLocalIdentifiers: [identifier]).firstObject)
    try await library.performChanges { AssetChangeRequest(for: asset).isFavorite = true }
    tree.move("print/d.jpg", to: "../aside.jpg")
    #expect(try await library.scan().removed == 1)
    tree.move("../aside.jpg", to: "print/d.jpg")
    #expect(try await library.scan().added == 1)
    #expect(try await library.identifier("d.jpg") == identifier)
  }

  @Test func oneThatIsNamedWithItsFolderIsTakenIn() async throws {
    tree.photo("deep/a.jpg")
    export("web/b.jpg")
    export("c.jpg")
    let library = try tree.open()
    let named = ["web/b.jpg", "c.jpg"].map { tree.photos.appending(FilePath($0)) }
    #expect(try await library.add([tree.photos] + named).added == 3)
    #expect(try await library.names == ["a.jpg", "b.jpg", "c.jpg"])
  }

  @Test func aRebuildTakesInTheSameOnes() async throws {
    var identifier = ""
    do {
      let library = try await library()
      try await library.add([tree.photos.appending("web/b.jpg")])
      identifier = try await library.identifier("b.jpg")
      tree.move("web/b.jpg", to: "web/d.jpg")
      try await library.scan()
      // At the path that the identifier was made from.
      export("web/b.jpg", comment: "another")
      await library.finishExport()
    }
    let rebuilt = try await PhotoLibrary.rebuild(at: tree.library)
    #expect(try await rebuilt.names == ["a.jpg", "d.jpg"])
    #expect(try await rebuilt.identifier("d.jpg") == identifier)
  }
}
