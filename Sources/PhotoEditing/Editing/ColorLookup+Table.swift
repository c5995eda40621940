import SafelightLookupTables

extension ColorLookup {
  /// The adjustment that applies a table, which it packs.
  ///
  /// - Parameters:
  ///   - table: The table, for sRGB-encoded values.
  ///   - title: The table's name for people; the table's own, or “Lookup table”, when `nil`.
  /// - Throws: `LookupTableError.tooLarge`.
  public init(_ table: LookupTable, title: String? = nil) throws(LookupTableError) {
    self.init()
    self.title = title ?? table.title ?? "Lookup table"
    self.table = PackedTable(try table.stored())
  }
}
