import Foundation
import SafelightTestSupport
import Testing

@testable import SafelightFiles

@Suite struct FilePathTests {
  @Test func pathsWithBytesThatAreNotTextAreWrittenAsShellsTakeThem() {
    #expect("\(FilePath("für/\u{10FFFF}.jpg"))" == "$'für/\\xF4\\x8F\\xBF\\xBF.jpg'")
    #expect("\(FilePath(bytes: [0x61, 0xFF, 0xFE]))" == "$'a\\xFF\\xFE'")
    #expect("\(FilePath(bytes: [0x27, 0x5C, 0xFF, 0x0A]))" == "$'\\'\\\\\\xFF\\n'")
    #expect("\(FilePath("it's\\plain"))" == "it's\\plain")
    #expect(FilePath(bytes: [0x61, 0xFF]).string == "a\u{FFFD}")
  }

  @Test(arguments: FileNames.hard)
  func everyNameSurvivesTheTripThroughAnArgument(bytes: [UInt8]) throws {
    let argument = (bytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer {
      FilePath.argument(decoding: $0.baseAddress!)
    }
    #expect(FilePath(argument: argument).bytes == bytes)
    #expect(FilePath(bytes: bytes).argument == argument)
  }

  @Test(arguments: FileNames.hard)
  func everyNameSurvivesTheTripThroughAURL(bytes: [UInt8]) throws {
    let path = FilePath(bytes: Array("/photos/".utf8) + bytes)
    #expect(FilePath(fileURL: path.fileURL) == path)
  }

  @Test func ordinaryTextIsItsOwnArgument() {
    #expect(FilePath("Ünï 🏖️.jpg").argument == "Ünï 🏖️.jpg")
  }

  @Test func anArgumentCannotSmuggleInASlash() {
    #expect(!FilePath(argument: "a\u{10FF2F}b").bytes.contains(UInt8(ascii: "/")))
    #expect(FilePath(argument: "a\u{10FF00}b").bytes.count > 3)
  }

  @Test func foundationsFileURLsAreUnderstood() {
    #expect(FilePath(fileURL: URL(fileURLWithPath: "/a b/ü.jpg")) == "/a b/ü.jpg")
    #expect(FilePath(fileURL: URL(string: "https://example.org/a.jpg")!) == nil)
    #expect(FilePath(fileURL: URL(string: "file:///a%00b")!) == nil)
  }

  @Test func aRelativePathBecomesAnAbsoluteURL() {
    let folder = FileManager.default.currentDirectoryPath
    #expect(FilePath(fileURL: FilePath("a.jpg").fileURL) == FilePath(folder + "/a.jpg"))
  }

  @Test(
    arguments: [
      ("/x/a.b.jpg", "a.b.jpg", "a.b", "jpg"), ("a", "a", "a", nil),
      (".hidden", ".hidden", ".hidden", nil),
      ("x/..", "..", "..", nil), ("x/a.", "a.", "a", ""), ("/", nil, nil, nil), ("", nil, nil, nil),
    ] as [(FilePath, FilePath?, FilePath?, String?)])
  func aNameFallsIntoStemAndExtension(
    path: FilePath, name: FilePath?, stem: FilePath?, fileExtension: String?
  ) {
    #expect(path.lastComponent == name)
    #expect(path.stem == stem)
    #expect(path.extension == fileExtension)
  }

  @Test(
    arguments: [("/a/b", "/a"), ("/a", "/"), ("/", "/"), ("a", ""), ("a/b/", "a"), ("a//b", "a")]
      as [(FilePath, FilePath)])
  func thePathOfAFileLeadsToItsFolder(path: FilePath, folder: FilePath) {
    #expect(path.removingLastComponent() == folder)
  }

  @Test func namesAreAppendedToFolders() {
    #expect(FilePath("/").appending("a") == "/a")
    #expect(FilePath("").appending("a") == "a")
    #expect(FilePath("x/").appending("a") == "x/a")
  }

  @Test func differentNormalizationsAreDifferentNames() {
    #expect(FilePath("e\u{301}.jpg") != FilePath("\u{E9}.jpg"))
  }
}
