import Foundation
import Testing

@testable import SafelightFormats

@Suite struct BinaryPropertyListTests {
  // Written by Python's plistlib: every kind of value, an array of more than 14 elements, wide characters.
  private static let written = Data(
    base64Encoded: """
      YnBsaXN0MDDcAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcsVXdob2xlVWxhcmdlWHVuc2lnbmVkVXNoYXJlU3llc1Jub1R0ZXh0\
      VHdpZGVUZGF0YVR3aGVuVGxpc3RVaW5uZXIT//////////kTAAABAAAAAAAUAAAAAAAAAACAAAAAAAAABSM/0AAAAAAAAAkI\
      VE5vaXJnAFMAZQDxAGEAbAAgJxNPEBQAAQIDBAUGBwgJCgsMDQ4PEBESEzNBxgXq+QAAAK8QFBgZGhscHR4fICEiIyQlJico\
      KSorEAAQARACEAMQBBAFEAYQBxAIEAkQChALEAwQDRAOEA8QEBAREBIQE9EtLlFhoAAIACEAJwAtADYAPABAAEMASABNAFIA\
      VwBcAGIAawB0AIUAjgCPAJAAlQCkALsAxADbAN0A3wDhAOMA5QDnAOkA6wDtAO8A8QDzAPUA9wD5APsA/QD/AQEBAwEGAQgA\
      AAAAAAACAQAAAAAAAAAvAAAAAAAAAAAAAAAAAAABCQ==
      """)!

  @Test func everyKindOfValueIsRead() throws {
    let list = try PropertyList(parsingBinary: [UInt8](Self.written))
    func value(_ key: String) -> PropertyList? { list.entries?.first { $0.key == key }?.value }
    #expect(value("whole")?.integer == -7)
    #expect(value("large")?.integer == 1 << 40)
    if case .integer("9223372036854775813")? = value("unsigned")?.value {} else { Issue.record() }
    if case .real("0.25")? = value("share")?.value {} else { Issue.record() }
    #expect(value("yes")?.boolean == true && value("no")?.boolean == false)
    #expect(value("text")?.text == "Noir" && value("wide")?.text == "Señal ✓")
    #expect(value("data")?.data == Data(0..<20))
    #expect(value("when")?.date?.timeIntervalSince1970 == 1_717_280_370)
    #expect(value("list")?.elements?.map(\.integer) == (0..<20).map { $0 })
    #expect(value("inner")?.entries?.first?.value.elements?.isEmpty == true)
  }

  @Test func everyCutAndEveryChangedByteIsReadOrRefused() {
    let bytes = [UInt8](Self.written)
    for count in bytes.indices { _ = try? PropertyList(parsingBinary: Array(bytes[..<count])) }
    for place in bytes.indices {
      for value: UInt8 in [0, 1, 0x0F, 0x7F, 0x80, 0xAF, 0xDF, 0xFF] {
        var changed = bytes
        changed[place] = value
        _ = try? PropertyList(parsingBinary: changed)
      }
    }
  }

  /// A list of objects, each of which is an array that has the next one twice.
  private func arrays(_ count: Int, last: [UInt8]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var places: [UInt8] = []
    for index in 0..<count {
      places.append(UInt8(bytes.count))
      bytes += index == count - 1 ? last : [0xA2, UInt8(index + 1), UInt8(index + 1)]
    }
    let table = bytes.count
    bytes += places + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [count, 0, table] {
      bytes += withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
    }
    return bytes
  }

  @Test func shortFilesThatStandForHugeTreesAreRefused() {
    #expect(throws: BinaryPropertyListError.tooLarge) {
      try PropertyList(parsingBinary: arrays(40, last: [0x09]))
    }
    #expect(throws: BinaryPropertyListError.tooDeep) {
      // The last array has the first one in it.
      try PropertyList(parsingBinary: arrays(3, last: [0xA1, 0]))
    }
    #expect(throws: BinaryPropertyListError.damaged) {
      try PropertyList(parsingBinary: arrays(3, last: [0xA1, 3]))
    }
    #expect(throws: Never.self) { try PropertyList(parsingBinary: arrays(5, last: [0x09])) }
  }
}
