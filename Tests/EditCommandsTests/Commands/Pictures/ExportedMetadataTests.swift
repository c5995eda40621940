import Foundation
import SafelightTestSupport
import Testing

/// What exports keep of a photo's metadata, and what is said in them anew, read by exiftool.
@Suite(.enabled(if: ExifTool.isInstalled)) struct ExportedMetadataTests {
  private let folder = CommandFolder()

  private static let formats = ["jpg", "png", "tif", "webp"]
  private static let place = [
    "-EXIF:GPSLatitude=47.5", "-EXIF:GPSLatitudeRef=N", "-XMP-exif:GPSLatitude=47.5",
    "-XMP-photoshop:City=Ortstadt", "-XMP-photoshop:State=Ortkanton",
    "-XMP-photoshop:Country=Ortland", "-XMP-iptcCore:Location=Orthof",
    "-XMP-iptcCore:CountryCode=ORT", "-XMP-iptcExt:LocationShownCity=Ortstadt",
    "-XMP-iptcExt:LocationCreatedSublocation=Orthof", "-IPTC:City=Ortstadt",
    "-IPTC:Sub-location=Orthof", "-IPTC:Province-State=Ortkanton",
    "-IPTC:Country-PrimaryLocationName=Ortland", "-IPTC:Country-PrimaryLocationCode=ORT",
    "-IPTC:ContentLocationName=Orthof", "-XMP-drone-dji:GPSLatitude=47.5",
    "-XMP-dc:Coverage=Ortland",
  ]
  private static let people = [
    "-XMP-iptcExt:PersonInImage=Gesicht", "-XMP-mwg-rs:RegionName=Gesicht",
    "-XMP-mwg-rs:RegionType=Face", "-XMP-mwg-rs:RegionAreaX=0.5", "-XMP-mwg-rs:RegionAreaY=0.5",
    "-XMP-mwg-rs:RegionAreaW=0.1", "-XMP-mwg-rs:RegionAreaH=0.1",
    "-XMP-MP:RegionPersonDisplayName=Gesicht", "-XMP-MP:RegionRectangle=0.1,0.1,0.2,0.2",
  ]
  private static let owner = [
    "-EXIF:Artist=Zoë", "-EXIF:Copyright=© Zoë", "-XMP-dc:Creator=Zoë", "-XMP-dc:Rights=© Zoë",
    "-XMP-photoshop:Credit=Agentur", "-XMP-xmpRights:UsageTerms=Nur so", "-IPTC:By-line=Zoë",
    "-IPTC:CopyrightNotice=© Zoë", "-IPTC:Credit=Agentur",
  ]
  private static let other = [
    "-XMP-dc:Title=Name", "-EXIF:ImageDescription=Notiz", "-XMP-dc:Subject=Baum",
    "-IPTC:Keywords=Baum", "-Comment=Notiz",
  ]

  /// A photo with all of it, which has GPS values and maker notes of a camera beside.
  private func addPhoto() throws {
    try folder.add("exif-gps-makernote.jpg", as: "full.jpg")
    let written = try FinishedProcess(
      ["exiftool", "-q", "-m", "-overwrite_original", "-CodedCharacterSet=UTF8"] + Self.place
        + Self.people + Self.owner + Self.other + [folder.path + "/full.jpg"])
    try #require(written.status == 0)
  }

  /// What exiftool finds, one value a line with its group and name.
  private func read(_ name: String) throws -> [String] {
    let found = try FinishedProcess(
      ["exiftool", "-a", "-G1", "-s", "-u", "-ee", folder.path + "/" + name])
    // Of the file itself, and what exiftool makes of other values.
    let silent = ["[ExifTool]", "[System]", "[File]", "[Composite]"]
    return found.text.split(separator: "\n").map(String.init).filter { line in
      !silent.contains { line.hasPrefix($0) }
    }
  }

  private func render(_ format: String, _ options: String...) async throws -> [String] {
    let end = await folder.edit(
      ["render", "@/full.jpg", "-o", "@/out.\(format)", "--overwrite", "--longest-side", "60"]
        + options)
    #expect(end.code == 0, "\(end.messages)")
    return try read("out.\(format)")
  }

  private func says(_ lines: [String], _ words: String...) -> Bool {
    lines.contains { line in words.contains { line.localizedCaseInsensitiveContains($0) } }
  }

  @Test(arguments: formats)
  func whatIsLeftOutIsNowhere(format: String) async throws {
    try addPhoto()
    let all = try await render(format)
    #expect(says(all, "GPSLatitude") && says(all, "Ortstadt") && says(all, "Gesicht"))
    let withoutPlace = try await render(format, "--metadata", "no-place")
    #expect(
      !says(
        withoutPlace, "GPS", "Ortstadt", "Orthof", "Ortkanton", "Ortland", ": ORT", "MakerNote"),
      "\(withoutPlace)")
    #expect(says(withoutPlace, "Gesicht") && says(withoutPlace, "Baum"))
    #expect(says(withoutPlace, "Zoë") && says(withoutPlace, "Notiz"))
    let withoutPeople = try await render(format, "--metadata", "no-people")
    #expect(!says(withoutPeople, "Gesicht", "Region", "MakerNote"), "\(withoutPeople)")
    #expect(says(withoutPeople, "GPSLatitude") && says(withoutPeople, "Ortstadt"))
    let withoutBoth = try await render(format, "--metadata", "no-place-or-people")
    #expect(
      !says(
        withoutBoth, "GPS", "Ortstadt", "Orthof", "Ortkanton", "Ortland", ": ORT", "Gesicht",
        "Region", "MakerNote"), "\(withoutBoth)")
    #expect(says(withoutBoth, "Baum"))
  }

  @Test(arguments: formats)
  func onlyTheCopyrightStays(format: String) async throws {
    try addPhoto()
    let lines = try await render(format, "--metadata", "copyright")
    for word in ["Zoë", "© Zoë", "Agentur", "Nur so", "[IFD0]          Copyright"] {
      #expect(says(lines, word), "\(word): \(lines)")
    }
    for word in [
      "GPS", "Ortstadt", "Gesicht", "Baum", "Notiz", "Name ", "full.jpg", "Model ", "Date",
    ] {
      #expect(!says(lines.filter { !$0.hasPrefix("[ICC") }, word), "\(word): \(lines)")
    }
  }

  @Test(arguments: formats)
  func nothingStays(format: String) async throws {
    try addPhoto()
    let lines = try await render(format, "--metadata", "none")
    // What the file's own format says of the pixels; a TIFF has that in its only directory.
    let structure =
      ["[JFIF]", "[PNG", "[RIFF]", "[ICC", "[Adobe]"] + (format == "tif" ? ["[IFD0]"] : [])
    let others = lines.filter { line in !structure.contains { line.hasPrefix($0) } }
    #expect(others.isEmpty, "\(others)")
    #expect(!says(lines, "Zoë", "Notiz", "GPS", "Artist", "Make "), "\(lines)")
  }

  @Test(arguments: formats, ["all", "none"])
  func textsAreSaidInEveryPlace(format: String, metadata: String) async throws {
    try addPhoto()
    let lines = try await render(
      format, "--metadata", metadata, "--title", "Täglich", "--caption", "Zeile 1\nZeile 2 日本",
      "--creator", "Ann Ä; Bob", "--copyright", "© Ann", "--credit", "Büro", "--dpi", "300")
    let hasIPTC = format == "jpg" || format == "tif"
    let expected =
      [
        "[XMP-dc] Title: Täglich", "[XMP-dc] Description: Zeile 1.Zeile 2 日本",
        "[XMP-dc] Creator: Ann Ä, Bob", "[XMP-dc] Rights: © Ann", "[XMP-photoshop] Credit: Büro",
        "[IFD0] ImageDescription: Zeile 1.Zeile 2 日本", "[IFD0] Artist: Ann Ä; Bob",
        "[IFD0] Copyright: © Ann", "[IFD0] XResolution: 300", "[IFD0] ResolutionUnit: inches",
      ]
      + (hasIPTC
        ? [
          "[IPTC] CodedCharacterSet: UTF8", "[IPTC] ObjectName: Täglich",
          "[IPTC] Caption-Abstract: Zeile 1.Zeile 2 日本", "[IPTC] By-line: Ann Ä, Bob",
          "[IPTC] CopyrightNotice: © Ann", "[IPTC] Credit: Büro",
        ] : [])
      + (format == "jpg" ? ["[JFIF] XResolution: 300", "[JFIF] ResolutionUnit: inches"] : [])
      + (format == "png" ? ["[PNG-pHYs] PixelsPerUnitX: 11811"] : [])
    let found = Set(
      lines.map { $0.replacing(/\s+:\s/, with: ": ").replacing(/\]\s+/, with: "] ") })
    for line in expected { #expect(found.contains(line), "\(line): \(lines)") }
    // Nobody finds the earlier ones.
    #expect(!says(lines, "Zoë", "Agentur", ": Name"), "\(lines)")
  }

  @Test func longTextsAreCutInIPTCOnly() async throws {
    try addPhoto()
    let long = String(repeating: "Ä", count: 40)
    let end = await folder.edit(
      "render", "@/full.jpg", "-o", "@/out.jpg", "--credit", long, "--caption", "kurz")
    #expect(
      end.messages.contains {
        $0.hasSuffix("IPTC has room for a part of the credit only; XMP has all of it.")
      }, "\(end.messages)")
    let lines = try read("out.jpg")
    #expect(says(lines.filter { $0.hasPrefix("[XMP-photoshop]") }, long))
    // 32 bytes are 16 letters of two.
    let credit = lines.first { $0.hasPrefix("[IPTC]") && $0.contains("Credit") }
    #expect(credit?.hasSuffix(": " + String(repeating: "Ä", count: 16)) == true, "\(lines)")
  }

  @Test(arguments: ["", " ", "a\u{7}b"], ["--title", "--caption", "--credit"])
  func aTextThatIsNoneIsRefused(text: String, option: String) async throws {
    try folder.add("orientation/1.jpg")
    let end = await folder.edit("render", "@/1.jpg", "-o", "@/out.jpg", "\(option)=\(text)")
    #expect(end.code == 64 && end.messages.first?.contains(option) == true, "\(end.messages)")
  }

  @Test(arguments: [";", " ; ; "])
  func creatorsWithoutANameAreRefused(creator: String) async throws {
    try folder.add("orientation/1.jpg")
    let end = await folder.edit("render", "@/1.jpg", "-o", "@/out.jpg", "--creator=\(creator)")
    #expect(
      end.code == 64 && end.messages.first?.contains("creator") == true, "\(end.messages)")
  }

  @Test(arguments: formats)
  func colorsAreSaidOnlyWhereThePhotoSaysThem(format: String) async throws {
    try folder.add("orientation/1.jpg", as: "full.jpg")
    _ = try FinishedProcess([
      "exiftool", "-q", "-overwrite_original", "-EXIF:ColorSpace=", "-InteropIndex=",
      "-EXIF:Make=Acme", "-XMP-dc:Title=ColorSpace", folder.path + "/full.jpg",
    ])
    let lines = try await render(format, "--profile", "p3")
    #expect(says(lines, "Acme") && !says(lines, "ColorSpace  ", "InteropIndex"), "\(lines)")
  }

  @Test(arguments: [
    ("srgb", "sRGB", "R98"), ("p3", "Uncalibrated", nil), ("prophoto", "Uncalibrated", nil),
    ("adobe-rgb", "Uncalibrated", "R03"),
  ])
  func exifSaysTheColorsOfTheProfile(profile: String, space: String, mark: String?) async throws {
    try folder.add("orientation/1.jpg", as: "full.jpg")
    for (own, ownMark) in [("1", "R98"), ("65535", "R03")] {
      _ = try FinishedProcess([
        "exiftool", "-q", "-overwrite_original", "-EXIF:ColorSpace#=\(own)",
        "-InteropIndex#=\(ownMark)", "-XMP-exif:ColorSpace#=\(own)", folder.path + "/full.jpg",
      ])
      for format in Self.formats {
        let lines = try await render(format, "--profile", profile)
        let spaces = lines.filter { $0.contains("] ") && $0.contains("ColorSpace  ") }
        #expect(
          spaces.count == 2 && spaces.allSatisfy { $0.hasSuffix(space) }, "\(format) \(lines)")
        let marks = lines.filter { $0.contains("InteropIndex") }
        #expect(marks.count == (mark == nil ? 0 : 1), "\(format) \(marks)")
        if let mark { #expect(marks.first?.contains(mark) == true, "\(format) \(marks)") }
      }
    }
  }

  @Test func commentsAreNotSaidBesideAnotherOne() async throws {
    try folder.add("orientation/1.jpg", as: "full.jpg")
    _ = try FinishedProcess([
      "exiftool", "-q", "-overwrite_original", "-EXIF:UserComment=im Exif", "-Comment=daneben",
      folder.path + "/full.jpg",
    ])
    for format in ["tif", "webp"] {
      let end = await folder.edit("render", "@/full.jpg", "-o", "@/out.\(format)")
      #expect(end.messages.contains { $0.hasSuffix("Exif has another one.") }, "\(end.messages)")
      let lines = try read("out.\(format)")
      #expect(!says(lines, "daneben") && says(lines, "im Exif"), "\(lines)")
    }
  }
}
