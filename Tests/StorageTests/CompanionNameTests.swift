import SafelightFiles
import Testing

@testable import SafelightStorage

/// Which files belong together by their names, in folders as Apple's programs, osxphotos and Google Takeout leave them.
@Suite struct CompanionNameTests {
  private func names(_ names: FilePath...) -> CompanionNames { CompanionNames(names) }

  @Test(arguments: [
    ("IMG_1234.HEIC", "IMG_1234.AAE", "IMG_E1234.HEIC"),
    ("IMG_1234.HEIC", "IMG_1234.aae", "IMG_E1234.JPG"),
    ("IMG_1234.jpg", "IMG_1234.jpg.AAE", "IMG_E1234.jpg"),
    ("img_1234.heic", "img_1234.aae", "img_e1234.heic"),
    ("IMG_1234.jpeg", "img_1234.aae", "img_e1234.JPG"),
    ("img_1234.jpg", "IMG_1234.AAE", "IMG_E1234.HEIC"),
    ("IMG_1234.HEIC", "IMG_1234.AAE", "IMG_1234_edited.heic"),
    ("beach.jpg", "beach.AAE", "beach_edited.jpeg"),
    ("beach.jpeg", "beach.jpeg.AAE", "beach_edited.jpeg"),
  ])
  func applesFilesAreFound(photo: FilePath, sidecar: FilePath, render: FilePath) {
    let names = names(photo, sidecar, render, "other.jpg")
    let found = names.companions(of: photo)
    #expect(found.sidecar == sidecar && found.render == render && found.maker == .apple)
    #expect(names.original(ofRender: render) == photo)
    #expect(names.photo(ofSidecar: sidecar) == photo)
    #expect(names.original(ofRender: photo) == nil)
    #expect(CompanionNames.mayBeRender(render) && names.companions(of: "other.jpg").isEmpty)
  }

  @Test func theCamerasOwnEditIsFound() {
    let names = names("IMG_3582.HEIC", "IMG_O3582.AAE")
    #expect(names.companions(of: "IMG_3582.HEIC").originalSidecar == "IMG_O3582.AAE")
    #expect(names.companions(of: "IMG_3582.HEIC").render == nil)
  }

  @Test func namesInCapitalsAndSmallLettersAreTwoPhotos() {
    let names = names(
      "IMG_1.HEIC", "IMG_1.AAE", "IMG_E1.HEIC", "IMG_O1.AAE", "img_1.jpg", "IMG_2.HEIC",
      "img_2.jpg",
      "img_2.aae", "IMG_2.AAE", "img_o3.aae", "IMG_3.HEIC")
    #expect(names.companions(of: "IMG_1.HEIC").names == ["IMG_1.AAE", "IMG_O1.AAE", "IMG_E1.HEIC"])
    #expect(names.companions(of: "img_1.jpg").isEmpty)
    #expect(names.companions(of: "img_2.jpg").names == ["img_2.aae"])
    #expect(names.companions(of: "IMG_2.HEIC").names == ["IMG_2.AAE"])
    #expect(names.companions(of: "IMG_3.HEIC").names == ["img_o3.aae"])
  }

  @Test func renderedPicturesWithoutTheirPhotosArePhotos() {
    let alone = names("IMG_E1234.HEIC", "IMG_1234.AAE", "IMG_1234.MOV")
    #expect(alone.original(ofRender: "IMG_E1234.HEIC") == nil)
    // Without Apple's sidecar, anybody may have given this name.
    let edited = names("beach.jpg", "beach_edited.jpeg")
    #expect(edited.original(ofRender: "beach_edited.jpeg") == nil)
    #expect(edited.companions(of: "beach.jpg").isEmpty)
    let words = names("IMG_.jpg", "IMG_E.jpg", "IMG_EASTER.jpg", "IMG_ASTER.jpg")
    #expect(words.original(ofRender: "IMG_E.jpg") == nil)
    #expect(words.original(ofRender: "IMG_EASTER.jpg") == nil)
  }

  @Test func aRenderWithAnEditOfItsOwnIsAPhoto() {
    let names = names("IMG_1.HEIC", "IMG_E1.HEIC", "IMG_E1.HEIC.aae")
    #expect(names.original(ofRender: "IMG_E1.HEIC") == nil)
    #expect(names.companions(of: "IMG_1.HEIC").render == nil)
  }

  @Test func ownRendersAreNotTakenForApples() {
    let names = names("beach.jpg", "beach.AAE", "beach_edited.jpg", "beach_edited.jpeg")
    let found = names.companions(of: "beach.jpg", besides: ["beach_edited.jpg"])
    #expect(found.render == "beach_edited.jpeg")
  }

  // Names from ente/ente#4956, TheLastGimbus/GooglePhotosTakeoutHelper#8 and #449, pulsejet/memories#1559.
  @Test(arguments: [
    ("IMG_1234.jpg", "IMG_1234.jpg.json"),
    ("IMG_1234.jpg", "IMG_1234.jpg.supplemental-metadata.json"),
    ("IMG_1234(1).jpg", "IMG_1234.jpg(1).json"),
    ("IMG_1234(1).jpg", "IMG_1234.jpg.supplemental-metadata(1).json"),
    ("IMG_1234(12).jpg", "IMG_1234(12).jpg.json"),
    (
      "Screenshot_2017-07-05-10-05-26.png",
      "Screenshot_2017-07-05-10-05-26.png.supplementa.json"
    ),
    (
      "D7157814-D2D5-4A62-AFCE-9CF465CB7D66.jpeg",
      "D7157814-D2D5-4A62-AFCE-9CF465CB7D66.jpeg.supp.json"
    ),
    (
      "Screenshot_20220207_102421_com.snapchat.android.jpg",
      "Screenshot_20220207_102421_com.snapchat.androi.json"
    ),
    (
      "Urlaub in Knaufspesch in der Schneifel (38).JPG",
      "Urlaub in Knaufspesch in der Schneifel (38).JP.json"
    ),
    (
      "123456789123456789123456789123456789_DSCN0098(1).JPG",
      "123456789123456789123456789123456789_DSCN0098.(1).json"
    ),
    ("IMG_1234.jpg", "IMG_1234.jpg.su.json"),
  ])
  func googlesDescriptionsAreFound(photo: FilePath, description: FilePath) {
    let names = names(photo, description)
    #expect(names.companions(of: photo).description == description)
    #expect(names.isDescription(description) && !names.isDescription(photo))
  }

  @Test(arguments: [
    ("IMG_1.jpg", "IMG_1-edited.jpg", "IMG_1.jpg.json"),
    ("IMG_1(2).jpg", "IMG_1-edited(2).jpg", "IMG_1.jpg(2).json"),
    ("IMG_1.HEIC", "IMG_1-edited.jpg", "IMG_1.HEIC.supplemental-metadata.json"),
    ("IMG_1.jpg", "IMG_1-bearbeitet.jpg", "IMG_1.jpg.json"),
    ("IMG_1.jpg", "IMG_1-modifié.jpg", "IMG_1.jpg.json"),
    ("IMG_1.jpg", "IMG_1-編集済み.jpg", "IMG_1.jpg.json"),
  ])
  func googlesRendersAreFound(photo: FilePath, render: FilePath, description: FilePath) {
    let whole = names(photo, render, description)
    let found = whole.companions(of: photo)
    #expect(found.render == render && found.maker == .google)
    #expect(whole.original(ofRender: render) == photo)
    // Without Google's description, anybody may have given this name.
    let without = names(photo, render, "other.json")
    #expect(without.companions(of: photo).isEmpty && without.original(ofRender: render) == nil)
  }

  @Test func aFolderOfPhotosAloneIsNotLookedThrough() {
    let photos = (0..<100).map { FilePath("IMG_\($0).jpg") }
    let names = CompanionNames(photos) { _ in
      Issue.record("a name was looked up")
      return false
    }
    for photo in photos {
      #expect(names.companions(of: photo).isEmpty && names.original(ofRender: photo) == nil)
    }
  }

  @Test func namesThatAreNoTextAreFine() {
    let strange = FilePath(bytes: [0xFF, 0x2D, 0xFE, 0x2E, 0x6A, 0x70, 0x67])
    let names = names(strange, "a.AAE", "b.json")
    #expect(names.companions(of: strange).isEmpty && names.original(ofRender: strange) == nil)
  }
}
