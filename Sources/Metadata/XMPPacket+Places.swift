import SafelightFormats

extension XMPPacket.Namespace {
  /// A rectangle, circle or point of the Metadata Working Group; other programs' regions use it too.
  static let area = "http://ns.adobe.com/xmp/sType/Area#"
  static let dimensions = "http://ns.adobe.com/xap/1.0/sType/Dimensions#"
  static let person = "http://ns.microsoft.com/photo/1.2/t/Region#"
  static let iptcExtension = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
}

extension XMPPacket {
  /// Whether the packet names places in the picture.
  var namesPlaces: Bool {
    tree.elements.contains { element in
      element.isPlace || element.attributes.contains { $0.namespace == Namespace.person }
    }
  }

  /// Moves all places in the picture to where they are in a render.
  func edit(_ places: MetadataPlaces, into edits: inout TextEdits) {
    editSphere(places, into: &edits)
    // A depth map lies over the pixels as they were.
    remove(
      { namespace, _ in namespace == Namespace.depthMap || namespace == Namespace.focus },
      into: &edits)
    guard namesPlaces else { return }
    for property in descriptions.flatMap({ tree.children(of: $0) }) {
      var mover = RegionMover(self, places, in: property)
      mover.visit(property, in: nil)
      mover.finish(into: &edits)
    }
  }

  /// A value of a structure, and where it stands.
  struct Field {
    let text: String
    let range: Range<Int>

    /// The value, when it is a number that pixels or shares can have.
    var number: Double? { Double(text.withoutOuterSpaces).flatMap { abs($0) < 1e9 ? $0 : nil } }
  }

  /// The simple values of a structure in a namespace: attributes or elements, of the element itself or of an
  /// `rdf:Description` in it.
  func fields(of element: XMLTree.Element, _ namespace: String) -> [String: Field] {
    var fields: [String: Field] = [:]
    let inner = tree.children(of: element).filter {
      $0.namespace == Namespace.rdf && $0.name == "Description"
    }
    for part in [element] + inner {
      for attribute in part.attributes where attribute.namespace == namespace {
        fields[attribute.name] = Field(text: tree.text(of: attribute), range: attribute.value)
      }
      for child in tree.children(of: part) where child.namespace == namespace {
        guard let content = child.content, child.children.isEmpty else { continue }
        fields[child.name] = Field(text: tree.text(of: child), range: content)
      }
    }
    return fields
  }
}

extension XMLTree.Element {
  /// Whether the element, or something right in it, is a place in the picture.
  fileprivate var isPlace: Bool {
    typealias Name = XMPPacket.Namespace
    return switch (namespace, name) {
    case (Name.area, _), (Name.person, _), (Name.iptcExtension, "RegionBoundary"),
      (Name.exif, "SubjectArea"), (Name.exif, "SubjectLocation"):
      true
    default: attributes.contains { $0.namespace == Name.area }
    }
  }
}

/// Moves the regions of one property of a packet.
private struct RegionMover {
  private typealias Name = XMPPacket.Namespace
  private let xmp: XMPPacket
  private let places: MetadataPlaces
  private let property: XMLTree.Element
  /// The size in which the property counts its places; `nil` when it says none.
  private var applied: (width: Double, height: Double)?
  private var changes: [(range: Range<Int>, text: String)] = []
  /// The items of the property's lists. Those without a place say who or what is in the picture somewhere, and stay.
  private var items: [Range<Int>] = []
  /// Items whose regions are outside of the render, with all that is said of them.
  private var gone: Set<Range<Int>> = []
  /// Whether a region is in the render, and whether one that has no list around it is not.
  private var (isThere, isLooseGone) = (false, false)

  init(_ xmp: XMPPacket, _ places: MetadataPlaces, in property: XMLTree.Element) {
    (self.xmp, self.places, self.property) = (xmp, places, property)
    applied = Self.dimensions(of: property, in: xmp)
  }

  func finish(into edits: inout TextEdits) {
    // Only a property that says nothing else goes with its regions.
    if !isThere, isLooseGone || !gone.isEmpty, items.allSatisfy(gone.contains) {
      edits.remove(property.range, withSpaceIn: xmp.bytes)
      return
    }
    for range in gone { edits.remove(range, withSpaceIn: xmp.bytes) }
    for change in changes { edits.replace(change.range, with: change.text) }
  }

  /// Looks for regions in an element.
  ///
  /// - Parameter item: The item of a list that the element stands in.
  mutating func visit(_ element: XMLTree.Element, in item: XMLTree.Element?) {
    let isItem = element.namespace == Name.rdf && element.name == "li"
    if isItem, item == nil { items.append(element.range) }
    let item = isItem ? element : item
    if element.namespace == Name.exif, ["SubjectArea", "SubjectLocation"].contains(element.name) {
      moveSubject(element)
      return
    }
    if element.namespace == Name.iptcExtension, element.name == "RegionBoundary" {
      count(moveBoundary(element), in: item)
      return
    }
    let area = xmp.fields(of: element, Name.area)
    if area["x"] != nil, area["y"] != nil {
      count(moveArea(area), in: item)
      return
    }
    if let rectangle = xmp.fields(of: element, Name.person)["Rectangle"] {
      count(movePerson(rectangle), in: item)
      return
    }
    let size = xmp.fields(of: element, Name.dimensions)
    if element.name == "AppliedToDimensions", let width = size["w"], let height = size["h"] {
      change(width, to: Double(places.stored.pixelWidth), digits: 0)
      change(height, to: Double(places.stored.pixelHeight), digits: 0)
      return
    }
    for child in xmp.tree.children(of: element) { visit(child, in: item) }
  }

  private mutating func count(_ isThere: Bool, in item: XMLTree.Element?) {
    if isThere {
      self.isThere = true
    } else if let item {
      gone.insert(item.range)
    } else {
      isLooseGone = true
    }
  }

  private mutating func change(_ field: XMPPacket.Field?, to value: Double, digits: Int = 6) {
    guard let field else { return }
    changes.append((field.range, Self.text(value, digits: digits)))
  }

  // MARK: Regions of each kind

  /// `stArea`: a middle with width and height, or with a diameter as a share of the shorter side, or alone.
  ///
  /// - Returns: Whether the region is in the render. What cannot be read is not.
  private mutating func moveArea(_ area: [String: XMPPacket.Field]) -> Bool {
    guard var x = area["x"]?.number, var y = area["y"]?.number else { return false }
    let mapping = places.mapping(appliedTo: applied)
    let size = applied ?? (Double(places.size.width), Double(places.size.height))
    let inPixels = area["unit"]?.text == "pixel"
    let (wide, high) = inPixels ? size : (1, 1)
    let (across, down) =
      inPixels ? (Double(mapping.pixelWidth), Double(mapping.pixelHeight)) : (1, 1)
    let digits = inPixels ? 0 : 6
    (x, y) = (x / wide, y / high)
    if let diameter = area["d"]?.number, area["w"] == nil {
      let shorter = inPixels ? 1 : min(size.width, size.height)
      let pixels = diameter * shorter
      let around = PlaceFrame(
        middle: x, y, width: pixels / size.width, height: pixels / size.height)
      guard mapping.frame(of: around) != nil, let middle = mapping.place(x: x, y: y),
        let scale = mapping.magnification(x: x, y: y, of: (Int(size.width), Int(size.height)))
      else { return false }
      change(area["x"], to: middle.x * across, digits: digits)
      change(area["y"], to: middle.y * down, digits: digits)
      let side = inPixels ? 1 : Double(min(mapping.pixelWidth, mapping.pixelHeight))
      change(area["d"], to: pixels * scale / side, digits: digits)
      return true
    }
    let frame = PlaceFrame(
      middle: x, y, width: (area["w"]?.number ?? 0) / wide,
      height: (area["h"]?.number ?? 0) / high)
    guard let moved = mapping.frame(of: frame) else { return false }
    change(area["x"], to: moved.middle.x * across, digits: digits)
    change(area["y"], to: moved.middle.y * down, digits: digits)
    change(area["w"], to: moved.width * across, digits: digits)
    change(area["h"], to: moved.height * down, digits: digits)
    return true
  }

  /// Microsoft's rectangle: left, top, width and height in one text. People without one are nowhere in the picture, and
  /// stay.
  private mutating func movePerson(_ rectangle: XMPPacket.Field) -> Bool {
    let numbers = rectangle.text.split(separator: ",").compactMap {
      XMPPacket.Field(text: String($0), range: rectangle.range).number
    }
    guard numbers.count == 4,
      let moved = places.stored.frame(
        of: PlaceFrame(
          left: numbers[0], top: numbers[1], right: numbers[0] + numbers[2],
          bottom: numbers[1] + numbers[3]))
    else { return false }
    let texts = [moved.left, moved.top, moved.width, moved.height].map { Self.text($0, digits: 6) }
    changes.append((rectangle.range, texts.joined(separator: ", ")))
    return true
  }

  /// IPTC's boundary: a rectangle by its upper left corner, a circle by its middle and a radius in shares of the width,
  /// or a polygon.
  private mutating func moveBoundary(_ boundary: XMLTree.Element) -> Bool {
    let fields = xmp.fields(of: boundary, Name.iptcExtension)
    let mapping = places.stored
    let inPixels = fields["rbUnit"]?.text == "pixel"
    let (wide, high) = inPixels ? (Double(places.size.width), Double(places.size.height)) : (1, 1)
    let (across, down) =
      inPixels ? (Double(mapping.pixelWidth), Double(mapping.pixelHeight)) : (1, 1)
    let digits = inPixels ? 0 : 6
    if let list = vertices(of: boundary) {
      let polygon = mapping.polygon(of: list.places.map { ($0.x / wide, $0.y / high) })
      guard !polygon.isEmpty else { return false }
      let items = polygon.map { place in
        let (x, y) = (
          Self.text(place.x * across, digits: digits), Self.text(place.y * down, digits: digits)
        )
        return """
          <\(list.rdf)li \(list.rdf)parseType="Resource"><\(list.own)rbX>\(x)</\(list.own)rbX>\
          <\(list.own)rbY>\(y)</\(list.own)rbY></\(list.rdf)li>
          """
      }
      changes.append((list.range, items.joined()))
      return true
    }
    guard let x = fields["rbX"]?.number.map({ $0 / wide }),
      let y = fields["rbY"]?.number.map({ $0 / high })
    else { return false }
    if let radius = fields["rbRx"]?.number {
      let pixels = inPixels ? radius : radius * Double(places.size.width)
      let around = PlaceFrame(
        middle: x, y, width: 2 * pixels / Double(places.size.width),
        height: 2 * pixels / Double(places.size.height))
      guard mapping.frame(of: around) != nil, let middle = mapping.place(x: x, y: y),
        let scale = mapping.magnification(x: x, y: y, of: places.size)
      else { return false }
      change(fields["rbX"], to: middle.x * across, digits: digits)
      change(fields["rbY"], to: middle.y * down, digits: digits)
      let side = inPixels ? 1 : Double(mapping.pixelWidth)
      change(fields["rbRx"], to: pixels * scale / side, digits: digits)
      return true
    }
    let (width, height) = (
      (fields["rbW"]?.number ?? 0) / wide, (fields["rbH"]?.number ?? 0) / high
    )
    guard
      let moved = mapping.frame(
        of: PlaceFrame(left: x, top: y, right: x + width, bottom: y + height))
    else { return false }
    change(fields["rbX"], to: moved.left * across, digits: digits)
    change(fields["rbY"], to: moved.top * down, digits: digits)
    change(fields["rbW"], to: moved.width * across, digits: digits)
    change(fields["rbH"], to: moved.height * down, digits: digits)
    return true
  }

  /// The corners of a polygon, where their list stands, and the prefixes that are used there.
  private func vertices(
    of boundary: XMLTree.Element
  ) -> (places: [(x: Double, y: Double)], range: Range<Int>, rdf: String, own: String)? {
    let parts = [boundary] + xmp.tree.children(of: boundary)
    guard
      let property = parts.flatMap({ xmp.tree.children(of: $0) }).first(where: {
        $0.namespace == Name.iptcExtension && $0.name == "rbVertices"
      }), let list = xmp.tree.children(of: property).first, let range = list.content
    else { return nil }
    let places = xmp.tree.children(of: list).compactMap { item -> (x: Double, y: Double)? in
      let fields = xmp.fields(of: item, Name.iptcExtension)
      guard let x = fields["rbX"]?.number, let y = fields["rbY"]?.number else { return nil }
      return (x, y)
    }
    return (places, range, xmp.prefix(of: list), xmp.prefix(of: property))
  }

  /// Exif's subject in XMP: a list of whole numbers.
  private mutating func moveSubject(_ property: XMLTree.Element) {
    let items = xmp.tree.children(of: property).flatMap { xmp.tree.children(of: $0) }
    let numbers = items.compactMap { Int(xmp.tree.text(of: $0).withoutOuterSpaces) }
    guard numbers.count == items.count, let moved = places.subject(numbers) else {
      count(false, in: nil)
      return
    }
    count(true, in: nil)
    for (item, number) in zip(items, moved) {
      if let content = item.content { changes.append((content, "\(number)")) }
    }
  }

  private static func dimensions(
    of property: XMLTree.Element, in xmp: XMPPacket
  ) -> (width: Double, height: Double)? {
    var waiting = [property]
    while let element = waiting.popLast() {
      if element.name == "AppliedToDimensions" {
        let size = xmp.fields(of: element, Name.dimensions)
        guard let width = size["w"]?.number, let height = size["h"]?.number, width >= 1,
          height >= 1,
          width < 1e9, height < 1e9
        else { return nil }
        return (width, height)
      }
      waiting += xmp.tree.children(of: element)
    }
    return nil
  }

  /// A number with a point and no zeros at its end.
  private static func text(_ value: Double, digits: Int) -> String {
    if digits == 0 { return "\(Int(min(max(value, -1e9), 1e9).rounded()))" }
    let rounded = (min(max(value, -1e9), 1e9) * 1e6).rounded() / 1e6
    if rounded == rounded.rounded() { return "\(Int(rounded))" }
    let (whole, part) = (Int(abs(rounded)), Int((abs(rounded) * 1e6).rounded()) % 1_000_000)
    var digits = "\(1_000_000 + part)".dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return (rounded < 0 ? "-" : "") + "\(whole).\(digits)"
  }
}
