import Foundation
import PhotoLibraryKit
import Testing

@testable import SafelightFiles

@Suite struct PredicateFormatTests {
  private static let date = Date(timeIntervalSince1970: 1_714_521_600)

  static let spellings: [(String, FetchPredicate)] = [
    ("favorite = 1", .isFavorite == true),
    ("isFavorite == YES", .isFavorite == true),
    ("favorite != TRUE", .isFavorite != true),
    ("isHidden <> no", .isHidden != false),
    ("1 = favorite", .isFavorite == true),
    ("100 < pixelWidth", .pixelWidth > 100),
    ("pixelWidth >= 100 AND pixelHeight =< 50", .pixelWidth >= 100 && .pixelHeight <= 50),
    ("pixelWidth=>0x64&&pixelHeight<=50", .pixelWidth >= 100 && .pixelHeight <= 50),
    ("NOT favorite = 1 OR hidden = 1", !(.isFavorite == true) || .isHidden == true),
    ("!(favorite = 1 || hidden = 1)", !(.isFavorite == true || .isHidden == true)),
    ("pixelHeight > pixelWidth", .pixelHeight > .pixelWidth),
    ("latitude BETWEEN {-1.5, 2e1}", .latitude >= -1.5 && .latitude <= 20),
    ("pixelWidth IN {100, 200}", .pixelWidth.isIn([100, 200])),
    ("SELF IN {'a', \"b\"}", .localIdentifier.isIn(["a", "b"])),
    ("camera = nil", .camera == nil),
    ("creationDate != NULL", .creationDate != nil),
    ("filename BEGINSWITH 'IMG'", .filename.begins(with: "IMG")),
    ("filename endswith[c] '.jpg'", .filename.ends(with: ".jpg", .caseInsensitive)),
    ("path CONTAINS[cd] 'été'", .path.contains("été", [.caseInsensitive, .diacriticInsensitive])),
    ("filename LIKE[d] 'IMG_?*'", .filename.isLike("IMG_?*", .diacriticInsensitive)),
    ("camera ==[c] 'nikon'", .camera.equals("nikon", .caseInsensitive)),
    ("(mediaSubtypes & 4) == 4", .mediaSubtypes.contains(.photoScreenshot)),
    ("mediaType = 1", .mediaType == .image),
    ("duration < 3", .duration < 3),
    ("filename = 'it\\'s'", .filename == "it's"),
    ("creationDate > '2024-05-01T00:00:00Z'", .creationDate > date),
    ("creationDate > '2024-05-01 02:00+02:00'", .creationDate > date),
    ("TRUEPREDICATE", .all), ("FALSEPREDICATE", .none),
    ("title = 'Trip'", .title == "Trip"),
    ("rating >= 4 AND iso < 800", .rating >= 4 && .iso < 800),
    ("aperture <= 2.8 OR exposureTime > 1", .aperture <= 2.8 || .exposureTime > 1),
    ("lens CONTAINS[c] '50mm'", .lens.contains("50mm", .caseInsensitive)),
    ("keywords CONTAINS 'beach'", .keywords.contains("beach")),
    ("ANY keywords = 'beach'", .keywords.contains("beach")),
    ("'beach' IN keywords", .keywords.contains("beach")),
    (
      "ANY keywords CONTAINS[cd] 'bea'",
      .keywords.containsAny(with: "bea", [.caseInsensitive, .diacriticInsensitive])
    ),
    (
      "ANY keywords IN {'beach', 'sea'}", .keywords.contains("beach") || .keywords.contains("sea")
    ),
    ("keywords = nil", .keywords == nil),
    ("creationDate > '2024-05-01'", AssetKey.localDate > date),
    ("creationDate IN {'2024-05-01'}", AssetKey.localDate.isIn([date])),
  ]

  @Test(arguments: spellings)
  func meansWhatTypedKeysSay(text: String, predicate: FetchPredicate) throws {
    #expect(try FetchPredicate(format: text) == predicate)
  }

  @Test func placesArgumentsInTheirOrder() throws {
    let predicate = try FetchPredicate(
      format: "%K = %d AND creationDate > %@ AND camera IN %@ AND latitude < %f AND path != %@",
      "favorite", 1, Self.date, ["a", "b"], 2.5, nil)
    let wanted: FetchPredicate =
      .isFavorite == true && .creationDate > Self.date && .camera.isIn(["a", "b"])
      && .latitude < 2.5 && .path != nil
    #expect(predicate == wanted)
  }

  @Test func takesSubtypesAndAssetsAsArguments() throws {
    let subtype = AssetMediaSubtype.photoPanorama
    let predicate = try FetchPredicate(
      format: "(mediaSubtypes & %d) = %ld AND mediaType == %d", subtype.rawValue, subtype.rawValue,
      AssetMediaType.image.rawValue)
    #expect(predicate == (.mediaSubtypes.contains(subtype) && .mediaType == .image))
  }

  static let mistakes: [(String, Int, PredicateFormatError.Reason)] = [
    ("", 1, .expected("a key or a value", found: "the end")),
    ("favorit = 1", 1, .unknownKey("favorit", nearest: "favorite")),
    ("hidden = 0 AND creation > 3", 16, .unknownKey("creation", nearest: nil)),
    ("burst = 'x'", 1, .unknownKey("burst", nearest: nil)),
    ("favorite", 9, .expected("a comparison", found: "the end")),
    ("favorite = ", 12, .expected("a key or a value", found: "the end")),
    ("favorite = 1 hidden = 0", 14, .expected("AND, OR or the end", found: "“hidden”")),
    ("(favorite = 1", 14, .expected("“)”", found: "the end")),
    ("camera = 'Nikon", 10, .unclosedQuotation),
    ("camera = 5", 10, .wrongKind(key: "camera", kind: "text", found: "5")),
    ("favorite = 2", 12, .wrongKind(key: "favorite", kind: "true or false", found: "2")),
    ("creationDate > 5", 16, .wrongKind(key: "creationDate", kind: "a date", found: "5")),
    ("creationDate > '2024-02-30'", 16, .invalidDate("2024-02-30")),
    ("creationDate > 'soon'", 16, .invalidDate("soon")),
    (
      "pixelWidth CONTAINS 'a'", 1,
      .wrongKind(key: "pixelWidth", kind: "a whole number", found: "a part of a text")
    ),
    ("camera & 4 = 4", 1, .wrongKind(key: "camera", kind: "text", found: "bits")),
    ("camera MATCHES 'a.*'", 8, .unsupported("MATCHES")),
    ("ANY camera = 'a'", 1, .unsupported("ANY")),
    ("ANY keywords != 'a'", 14, .unsupported("“!=” behind ANY")),
    ("ANY keywords LIKE 'a*'", 19, .unsupported("LIKE for a list of texts")),
    (
      "keywords = 'a'", 12,
      .wrongKind(key: "keywords", kind: "a list of texts", found: "the text “a”")
    ),
    ("lowercase(camera) = 'a'", 1, .unsupported("a function")),
    ("camera > nil", 10, .unsupported("nil but with = and !=")),
    ("latitude BETWEEN {1}", 18, .expected("a list of two values", found: "one of 1")),
    ("favorite = %@", 12, .argument("“%@” has no argument")),
    ("favorite = %s", 12, .expected("%@, %d, %f or %K", found: "“%s”")),
    ("favorite = 1; DROP TABLE asset", 13, .expected("a word", found: "“;”")),
  ]

  @Test(arguments: mistakes)
  func tellsWhereAMistakeIs(text: String, column: Int, reason: PredicateFormatError.Reason) {
    let error = #expect(throws: PredicateFormatError.self) { try FetchPredicate(format: text) }
    #expect(error?.column == column)
    #expect(error?.reason == reason)
  }

  @Test func refusesArgumentsThatAreLeft() {
    #expect(throws: PredicateFormatError.self) { try FetchPredicate(format: "favorite = 1", 2) }
  }

  @Test(arguments: [
    String(repeating: "(", count: 5000) + "favorite = 1" + String(repeating: ")", count: 5000),
    String(repeating: "NOT ", count: 3000) + "favorite = 1",
    String(repeating: "!", count: 16_000) + "favorite = 1",
    Array(repeating: "favorite = 1", count: 501).joined(separator: " OR "),
    String(repeating: " ", count: 20_000) + "favorite = 1",
  ])
  func boundsLengthAndDepth(text: String) {
    let error = #expect(throws: PredicateFormatError.self) { try FetchPredicate(format: text) }
    #expect(error?.reason == .tooLong || error?.reason == .tooDeep)
  }

  @Test func knowsTheKeyThatAMisspelledOneIsLike() throws {
    let error = #expect(throws: PredicateFormatError.self) {
      try FetchPredicate(format: "hidden = 0 AND pixelwith > 3")
    }
    #expect(error?.description == "Column 16: there is no key “pixelwith”.")
    #expect(error?.reason == .unknownKey("pixelwith", nearest: "pixelWidth"))
  }

  @Test(arguments: ["2024", "2024-05", "2024-05-01", "2024-05-01 00:00", "2024-05-01T00:00:00.000"])
  func readsDatesAsFarAsTheyAreKnown(text: String) throws {
    var calendar = Calendar(identifier: .gregorian)
    let parts = DateComponents(
      year: 2024, month: text == "2024" ? 1 : 5, day: 1, hour: 0, minute: 0)
    let date = try #require(calendar.date(from: parts))
    #expect(
      try FetchPredicate(format: "modificationDate = %@", text) == (.modificationDate == date))
    calendar.timeZone = .gmt
    let clock = try #require(calendar.date(from: parts))
    #expect(try FetchPredicate(format: "creationDate = %@", text) == (.localDate == clock))
  }
}
