import Foundation
import Testing

@testable import SafelightAdjustments

@Suite struct AppleEditTests {
  // Sidecars of one edit, written by Python's plistlib: as XML, as a binary list, and with adjustment data that are no
  // deflated JSON but a binary list themselves.
  private static let sidecars = [
    """
    PD94bWwgdmVyc2lvbj0iMS4wIiBlbmNvZGluZz0iVVRGLTgiPz4KPCFET0NUWVBFIHBsaXN0IFBVQkxJQyAiLS8vQXBwbGUv\
    L0RURCBQTElTVCAxLjAvL0VOIiAiaHR0cDovL3d3dy5hcHBsZS5jb20vRFREcy9Qcm9wZXJ0eUxpc3QtMS4wLmR0ZCI+Cjxw\
    bGlzdCB2ZXJzaW9uPSIxLjAiPgo8ZGljdD4KCTxrZXk+YWRqdXN0bWVudEJhc2VWZXJzaW9uPC9rZXk+Cgk8aW50ZWdlcj4w\
    PC9pbnRlZ2VyPgoJPGtleT5hZGp1c3RtZW50RGF0YTwva2V5PgoJPGRhdGE+CgloWTh4VDhNd0VJWC9TdVFab1pSU0JqWm9r\
    VHBVWlFEQmdCaU8rcEljaXUzcWZGRkJVZjQ3WnhPUUtKRzYrWDE2ZnY3YwoJRzRjQ0ZnVE1kZEViQjFHUW44bEtvL215TE0r\
    S2thMlI2a1lVempNTVRPZ0ZoSUpYZGpVb3FnSTdrQ2ZrK0ExbnlzQysKCWQxR2NWcU9TbDk2UTFUTlZoS3paTERuc2pkYlF3\
    MXVMVnBGd2h3b2lpcEN2WTViNnVHZXFLVSttcHo5LzQwV0toMUYyCglscjJhSDgxRlNsRVlVa1ovNCtzV0ZaZVRwZ3FQMWU2\
    cUNuZHlXZzV6YndzdXJadjVhc1dnMjdSYmh0Q2FZV0w0d1FITAoJWS9ENGQ3dUNOdjRiSjcvdlpEUCtxRHhmVE8zZE1uaGJi\
    UEZnam00UHcrdndCUT09Cgk8L2RhdGE+Cgk8a2V5PmFkanVzdG1lbnRFZGl0b3JCdW5kbGVJRDwva2V5PgoJPHN0cmluZz5j\
    b20uYXBwbGUuUGhvdG9zPC9zdHJpbmc+Cgk8a2V5PmFkanVzdG1lbnRGb3JtYXRJZGVudGlmaWVyPC9rZXk+Cgk8c3RyaW5n\
    PmNvbS5hcHBsZS5waG90bzwvc3RyaW5nPgoJPGtleT5hZGp1c3RtZW50Rm9ybWF0VmVyc2lvbjwva2V5PgoJPHN0cmluZz4x\
    LjQ8L3N0cmluZz4KCTxrZXk+YWRqdXN0bWVudFJlbmRlclR5cGVzPC9rZXk+Cgk8aW50ZWdlcj4wPC9pbnRlZ2VyPgoJPGtl\
    eT5hZGp1c3RtZW50VGltZXN0YW1wPC9rZXk+Cgk8ZGF0ZT4yMDI0LTA2LTAxVDIyOjE5OjMwWjwvZGF0ZT4KPC9kaWN0Pgo8\
    L3BsaXN0Pgo=
    """,
    """
    YnBsaXN0MDDXAQIDBAUGBwgJCgsMCA1fEBVhZGp1c3RtZW50QmFzZVZlcnNpb25eYWRqdXN0bWVudERhdGFfEBhhZGp1c3Rt\
    ZW50RWRpdG9yQnVuZGxlSURfEBphZGp1c3RtZW50Rm9ybWF0SWRlbnRpZmllcl8QF2FkanVzdG1lbnRGb3JtYXRWZXJzaW9u\
    XxAVYWRqdXN0bWVudFJlbmRlclR5cGVzXxATYWRqdXN0bWVudFRpbWVzdGFtcBAATxDuhY8xT8MwEIX/SuQZoZRSBjZokTpU\
    ZQDBgBiO+pIciu3qfFFBUf47ZxOQKJG6+X16fv7cG4cCFgTMddEbB1GQn8lKo/myLM+Kka2R6kYUzjMMTOgFhIJXdjUoqgI7\
    kCfk+A1nysC+d1GcVqOSl96Q1TNVhKzZLDnsjdbQw1uLVpFwhwoiipCvY5b6uGeqKU+mpz9/40WKh1F2lr2aH81FSlEYUkZ/\
    4+sWFZeTpgqP1e6qCndyWg5zbwsurZv5asWg27RbhtCaYWL4wQHLY/D4d7uCNv4bJ7/vZDP+qDxfTO3dMnhbbPFgjm4Pw+vw\
    BV8QEGNvbS5hcHBsZS5QaG90b3NfEA9jb20uYXBwbGUucGhvdG9TMS40M0HGBer5AAAAAAgAFwAvAD4AWQB2AJAAqAC+AMAB\
    sQHEAdYB2gAAAAAAAAIBAAAAAAAAAA4AAAAAAAAAAAAAAAAAAAHj
    """,
    """
    YnBsaXN0MDDXAQIDBAUGBwgJCgsMCA1fEBVhZGp1c3RtZW50QmFzZVZlcnNpb25eYWRqdXN0bWVudERhdGFfEBhhZGp1c3Rt\
    ZW50RWRpdG9yQnVuZGxlSURfEBphZGp1c3RtZW50Rm9ybWF0SWRlbnRpZmllcl8QF2FkanVzdG1lbnRGb3JtYXRWZXJzaW9u\
    XxAVYWRqdXN0bWVudFJlbmRlclR5cGVzXxATYWRqdXN0bWVudFRpbWVzdGFtcBAATxEBuGJwbGlzdDAw0wECAwQKJVthZGp1\
    c3RtZW50c11mb3JtYXRWZXJzaW9uWG1ldGFkYXRhpAUXHCLUBgIHCAkKCwxXZW5hYmxlZFppZGVudGlmaWVyWHNldHRpbmdz\
    CRABVENyb3DVDQ4PEBESExQVFlZoZWlnaHRfEA9zdHJhaWdodGVuQW5nbGVVd2lkdGhXeE9yaWdpbld5T3JpZ2luEDIQABBk\
    EAoQFNMGBwgJGBlWRWZmZWN00RobWmVmZmVjdE5hbWVeM0REcmFtYXRpY0Nvb2zTBgcIHR4fCFlTbWFydFRvbmXRICFaaW5w\
    dXRMaWdodCM/4AAAAAAAANIHCCMkWUJyYW5kIE5ld9DTJicoKSorXG1hc3RlckhlaWdodFttYXN0ZXJXaWR0aFtvcmllbnRh\
    dGlvbhEBLBEBkBAGAAgADwAbACkAMgA3AEAASABTAFwAXQBfAGQAbwB2AIgAjgCWAJ4AoACiAKQApgCoAK8AtgC5AMQA0wDa\
    ANsA5QDoAPMA/AEBAQsBDAETASABLAE4ATsBPgAAAAAAAAIBAAAAAAAAACwAAAAAAAAAAAAAAAAAAAFAXxAQY29tLmFwcGxl\
    LlBob3Rvc18QD2NvbS5hcHBsZS5waG90b1MxLjQzQcYF6vkAAAAACAAXAC8APgBZAHYAkACoAL4AwAJ8Ao8CoQKlAAAAAAAA\
    AgEAAAAAAAAADgAAAAAAAAAAAAAAAAAAAq4=
    """,
  ]
  /// The deflated JSON of the edit.
  private static let deflated = """
    hY8xT8MwEIX/SuQZoZRSBjZokTpUZQDBgBiO+pIciu3qfFFBUf47ZxOQKJG6+X16fv7cG4cCFgTMddEbB1GQn8lKo/myLM+K\
    ka2R6kYUzjMMTOgFhIJXdjUoqgI7kCfk+A1nysC+d1GcVqOSl96Q1TNVhKzZLDnsjdbQw1uLVpFwhwoiipCvY5b6uGeqKU+m\
    pz9/40WKh1F2lr2aH81FSlEYUkZ/4+sWFZeTpgqP1e6qCndyWg5zbwsurZv5asWg27RbhtCaYWL4wQHLY/D4d7uCNv4bJ7/v\
    ZDP+qDxfTO3dMnhbbPFgjm4Pw+vwBQ==
    """

  private func bytes(_ text: String) throws -> [UInt8] {
    [UInt8](try #require(Data(base64Encoded: text)))
  }

  @Test(arguments: sidecars) func everyFormOfSidecarIsRead(text: String) throws {
    let edit = try AppleEdit(sidecar: bytes(text))
    #expect(edit.data.formatIdentifier == "com.apple.photo" && edit.data.formatVersion == "1.4")
    #expect(edit.editor == "com.apple.Photos" && edit.baseVersion == 0 && edit.renderTypes == 0)
    #expect(edit.timestamp?.timeIntervalSince1970 == 1_717_280_370)
    #expect(edit.orientation == 6 && edit.masterWidth == 400 && edit.masterHeight == 300)
    #expect(edit.adjustments.map(\.identifier) == ["Crop", "Effect", "SmartTone", "Brand New"])
    #expect(edit.adjustments[0].number("yOrigin") == 20)
    #expect(edit.isUnderstood && edit.isApples)
    #expect(edit.summary == "crop, Dramatic Cool, Brand New")
  }

  @Test func otherBytesAreNoSidecar() throws {
    for text in ["", "<", "bplist00", "hello", "{}"] {
      #expect(throws: AppleEditError.notAPropertyList) { try AppleEdit(sidecar: Array(text.utf8)) }
    }
    #expect(throws: AppleEditError.notASidecar) {
      try AppleEdit(sidecar: Array("<plist version=\"1.0\"><dict/></plist>".utf8))
    }
  }

  @Test func dataThatCannotBeReadAreKept() throws {
    let cut = try bytes(Self.deflated).dropLast(4)
    let bomb = Array(repeating: UInt8(0), count: 1000)
    for data in [Data(cut), Data(bomb), Data("bplist00".utf8), Data()] {
      let edit = AppleEdit(
        AdjustmentData(formatIdentifier: "com.apple.photo", formatVersion: "1.4", data: data))
      #expect(!edit.isUnderstood && edit.adjustments.isEmpty && edit.data.data == data)
      #expect(edit.summary == "what cannot be read")
    }
    let other = AppleEdit(
      AdjustmentData(
        formatIdentifier: "com.example.paint", formatVersion: "1",
        data: Data(try bytes(Self.deflated))))
    #expect(other.adjustments.isEmpty && !other.isApples && other.summary == "by another program")
  }

  @Test func dataThatUnpackBeyondTheLimitAreRefused() {
    // Stored blocks of 64 KiB, each five bytes of header and zeros, 40 MiB together.
    var stream: [UInt8] = []
    for index in 0..<640 {
      stream += [index == 639 ? 1 : 0, 0xFF, 0xFF, 0, 0]
      stream += Array(repeating: 0x20, count: 0xFFFF)
    }
    let edit = AppleEdit(
      AdjustmentData(
        formatIdentifier: "com.apple.photo", formatVersion: "1.4", data: Data(stream)))
    #expect(!edit.isUnderstood)
  }

  @Test func videosAndFiltersHaveTheirNames() {
    let edit = AppleEdit(
      AdjustmentData(
        formatIdentifier: "com.apple.video", formatVersion: "1.0",
        data: Data(
          #"{"adjustments":[{"identifier":"Trim","settings":{"startTime":{"value":1}}}]}"#.utf8)))
    #expect(edit.summary == "trim")
    #expect(AppleAdjustment.filterTitle("3DVividWarm") == "Vivid Warm")
    #expect(AppleAdjustment.filterTitle("Noir") == "Noir")
  }
}
