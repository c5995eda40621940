import Foundation
import SafelightAdjustments
import SafelightFormats
import SafelightLookupTables

@testable import SafelightStorage

/// Readers of formats. What is read is written and read again, and must be the same.
let formatFuzzers: [String: Fuzzer] = [
  "json": { bytes in
    let value = try JSONValue(parsing: bytes)
    precondition(try! JSONValue(parsing: Array(value.text.utf8)) == value)
    precondition(try! JSONValue(parsing: Array(value.compact.text.utf8)).compact == value.compact)
  },
  "plists": { bytes in
    let list = try PropertyList(parsing: bytes)
    precondition(try! PropertyList(parsing: list.document).document == list.document)
  },
  "xml": { bytes in
    guard let tree = XMLTree(bytes) else { return }
    for element in tree.elements {
      _ = (tree.text(of: element), element.attributes.map { tree.text(of: $0) })
      _ = tree.children(of: element)
    }
  },
  "records": { bytes in
    _ = try? PendingChange(parsing: bytes)
    let record = try Record(parsing: bytes)
    let again = try! Record(parsing: record.encoded())
    precondition(again.adjustmentData == record.adjustmentData)
    precondition(again.original == record.original && again.render == record.render)
    precondition(again.files == record.files && again.versions.count == record.versions.count)
    precondition(again.encoded() == record.encoded())
  },
  "stacks": { bytes in
    let stack = try EditStack(
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: "1.0", data: Data(bytes)))
    _ = (stack.inPipelineOrder, stack.holdsNothing)
    precondition(try! EditStack(stack.adjustmentData) == stack)
    // Made anew from its entries, as an edit that was changed is.
    precondition(
      try! stack.entries.map { try StackEntry(json: $0.json).json } == stack.entries.map(\.json))
  },
  "filters": { bytes in
    let filter = try Filter(json: bytes)
    precondition(try! Filter(json: filter.json.text.utf8) == filter)
  },
  "cube": { bytes in
    try storeAndRead(LookupTable(cubeFile: bytes))
  },
  "hald": { bytes in
    // The first byte says how large a picture the codes of the others fill, again and again.
    guard let first = bytes.first, bytes.count > 1 else { return }
    let side = first < 128 ? 8 : 27
    let codes = (0..<(3 * side * side)).map { bytes[1 + $0 % (bytes.count - 1)] }
    try storeAndRead(
      first & 1 == 0
        ? LookupTable(hald: codes, width: side, height: side)
        : LookupTable(hald: codes.map { UInt16($0) << 8 | 7 }, width: side, height: side))
  },
  "tables": { bytes in
    // The checksum and the packing are made here, because libFuzzer would never guess them.
    guard let first = bytes.first else { return }
    let count = Int(first & 1) + 1
    let headers = bytes.dropFirst().prefix(count * 54)
    var stored = Array("SLUT".utf8) + [1, UInt8(count)] + headers
    stored += Zlib.packed(Array(bytes.dropFirst(1 + headers.count)))
    stored.append(uint32: Int(Zlib.checksum(stored[...])), .little)
    try storeAndRead(LookupTable(stored: stored))
  },
  "zlib": { bytes in
    if let all = Zlib.unpacked(bytes, limit: 1 << 20) {
      precondition(Zlib.unpacked(Zlib.packed(all), limit: all.count) == all)
    }
    _ = Zlib.unpacked(bytes[...], count: bytes.count * 3)
  },
  "dates": { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let times = [
      ClockTime(iso: text),
      ClockTime(
        exif: lines[0], subSeconds: lines.dropFirst().first, offsets: Array(lines.suffix(1))),
      ClockTime(iptc: lines[0], time: lines.dropFirst().first),
    ]
    for case let time? in times {
      let spelled = ClockTime.text(utc: time.date)
      precondition(ClockTime.date(utc: spelled).map(ClockTime.text) == spelled)
    }
    _ = ClockTime.date(utc: text)
  },
]

private func storeAndRead(_ table: LookupTable) throws {
  let stored = try table.stored()
  _ = try! LookupTable(stored: stored)
}
