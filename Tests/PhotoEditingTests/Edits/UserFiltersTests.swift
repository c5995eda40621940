import PhotoEditing
import Testing

@testable import SafelightFiles

@Suite struct UserFiltersTests {
  private let folder = PhotoFolder()
  private var filters: UserFilters { UserFilters(folder: folder.path) }

  private func filter(_ name: String, amount: Double = -1) throws -> Filter {
    var saturation = Adjustments.Saturation()
    saturation.amount = amount
    return try Filter(name: name, title: "T", summary: "S.", from: EditStack([saturation]))
  }

  @Test func aFolderThatIsNotThereHasNoFilters() throws {
    let none = UserFilters(folder: folder.path.appending("none"))
    #expect(try none.list().filters.isEmpty)
    #expect(try none.filter(named: "mine") == nil)
    #expect(throws: EditError.unknownFilter("mine")) { try none.remove(named: "mine") }
    #expect(folder.names.isEmpty)
  }

  @Test func filtersAreListedByName() throws {
    try filters.save(filter("b"))
    try filters.save(filter("a", amount: 0.5))
    folder.put(Array("{".utf8), as: "c.json")
    folder.put(Array("notes".utf8), as: "notes.txt")
    let listing = try filters.list()
    #expect(try listing.filters == [filter("a", amount: 0.5), filter("b")])
    #expect(listing.problems.map(\.code) == ["unusable-filter"])
    #expect(try filters.filter(named: "b") == filter("b"))
    #expect(throws: EditError.self) { try filters.filter(named: "c") }
    #expect(try Filter.named("noir", userFilters: filters).name == "noir")
  }

  @Test func aNameThatIsTakenIsReplacedOnlyWhenAllowed() throws {
    try filters.save(filter("mine"))
    #expect(throws: EditError.filterName("mine", .exists)) {
      try filters.save(filter("mine", amount: 0.5))
    }
    #expect(try filters.filter(named: "mine") == filter("mine"))
    try filters.save(filter("mine", amount: 0.5), replacing: true)
    #expect(try filters.filter(named: "mine") == filter("mine", amount: 0.5))
    #expect(folder.names == ["mine.json"])
  }

  @Test func shippedFiltersAreNobodyElses() throws {
    #expect(throws: EditError.filterName("noir", .shipped)) { try filters.save(filter("noir")) }
    #expect(throws: EditError.filterName("noir", .shipped)) { try filters.remove(named: "noir") }
    #expect(throws: EditError.filterName("No", .invalid)) { try filters.checkName("No") }
    #expect(folder.names.isEmpty)
  }

  @Test func aFolderThatCannotBeMadeIsAnError() throws {
    folder.put([1], as: "file")
    let blocked = UserFilters(folder: folder.path.appending("file/filters"))
    let error = #expect(throws: EditError.self) { try blocked.save(filter("mine")) }
    #expect(error?.code == "file-system")
    #expect(folder.names == ["file"])
  }
}
