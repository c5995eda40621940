import Foundation
import Testing

@testable import SafelightFormats
@testable import SafelightMetadata

@Suite struct TakeoutDescriptionTests {
  private let whole = """
    {"title":"IMG_1.jpg","description":" The sea. ","imageViews":"3",
     "creationTime":{"timestamp":"1600000000","formatted":"13 Sep 2020"},
     "photoTakenTime":{"timestamp":"1577880000","formatted":"1 Jan 2020, 12:00:00 UTC"},
     "geoData":{"latitude":0.0,"longitude":0.0,"altitude":0.0},
     "geoDataExif":{"latitude":48.5,"longitude":-11.25,"altitude":500.0},
     "favorited":true,"people":[{"name":"Ada"}]}
    """

  @Test func whatGoogleKnewIsRead() throws {
    let read = try #require(TakeoutDescription(parsing: Array(whole.utf8)))
    #expect(read.creationDate?.timeIntervalSince1970 == 1_577_880_000)
    #expect(read.latitude == 48.5 && read.longitude == -11.25)
    #expect(read.caption == "The sea." && read.isFavorite)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"title":"Album"}"#, #"{"photoTakenTime":{}}"#, "{\"title\":",
  ])
  func otherJSONIsNoDescription(text: String) {
    #expect(TakeoutDescription(parsing: Array(text.utf8)) == nil)
  }

  @Test func strangeValuesAreLeftOut() throws {
    let read = try #require(
      TakeoutDescription(
        parsing: Array(
          #"{"title":"a","photoTakenTime":{"timestamp":"1e300"},"geoData":{"latitude":99,"longitude":1},"favorited":1}"#
            .utf8)))
    #expect(read.creationDate == nil && read.latitude == nil && !read.isFavorite)
  }

  @Test func thePhotosOwnValuesCountFirst() throws {
    let read = try #require(TakeoutDescription(parsing: Array(whole.utf8)))
    var header = PhotoHeader(CarriedMetadata(), width: 10, height: 10, orientation: 1)
    let completed = header.completed(by: read)
    #expect(completed.captureDate?.timeIntervalSince1970 == 1_577_880_000)
    #expect(completed.latitude == 48.5 && completed.caption == "The sea.")
    header.captureTime = ClockTime(reading: Date(timeIntervalSince1970: 5))
    (header.latitude, header.longitude, header.caption) = (1, 2, "own")
    let own = header.completed(by: read)
    #expect(own == header)
    #expect(header.completed(by: nil) == header)
  }
}
