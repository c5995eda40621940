import SafelightCVips

/// One call of a libvips operation: sets its inputs, builds it, reads its output.
///
/// All operations of this module are called here, so that references are counted in one place.
struct Operation: ~Copyable {
  /// A value for one input of an operation.
  enum Input {
    case whole(Int)
    case number(Double)
    case flag(Bool)
    case image(Image)
    case source(Source)
    case target(Target)
    case numbers([Double])
    /// A value of an enumeration by its short name in libvips, such as `truncated`; or a text.
    case named(String)
  }

  private let name: String
  private let operation: UnsafeMutablePointer<VipsOperation>

  /// Runs the operation `name` and gives its output image.
  static func image(_ name: String, _ inputs: KeyValuePairs<String, Input>) throws(VipsError)
    -> Image
  {
    let operation = try Operation(name)
    try operation.build(inputs)
    return Image(taking: safelight_image(operation.outputObject()))
  }

  /// Runs an operation that has no output, such as a saver.
  static func run(_ name: String, _ inputs: KeyValuePairs<String, Input>) throws(VipsError) {
    try Operation(name).build(inputs)
  }

  /// Runs an operation that measures something, and gives its number.
  static func number(_ name: String, _ inputs: KeyValuePairs<String, Input>) throws(VipsError)
    -> Double
  {
    let operation = try Operation(name)
    try operation.build(inputs)
    var value = GValue()
    g_value_init(&value, safelight_type_double())
    defer { g_value_unset(&value) }
    g_object_get_property(safelight_object(operation.operation), "out", &value)
    return g_value_get_double(&value)
  }

  private init(_ name: String) throws(VipsError) {
    try Library.start()
    guard let operation = vips_operation_new(name) else {
      vips_error_clear()
      throw .missingOperation(name)
    }
    self.name = name
    self.operation = operation
  }

  private func build(_ inputs: KeyValuePairs<String, Input>) throws(VipsError) {
    for (property, input) in inputs { try set(property, input) }
    // The operation cache is off, so building never swaps this operation for an earlier one.
    guard vips_object_build(safelight_vips_object(operation)) == 0 else { throw .last(name) }
  }

  deinit {
    vips_object_unref_outputs(safelight_vips_object(operation))
    g_object_unref(operation)
  }

  private func set(_ property: String, _ input: Input) throws(VipsError) {
    switch input {
    case .whole(let whole):
      set(property, as: safelight_type_int()) { g_value_set_int(&$0, Int32(clamping: whole)) }
    case .number(let number):
      set(property, as: safelight_type_double()) { g_value_set_double(&$0, number) }
    case .flag(let flag):
      set(property, as: safelight_type_boolean()) { g_value_set_boolean(&$0, flag ? 1 : 0) }
    case .image(let image):
      set(property, as: safelight_type_image()) { g_value_set_object(&$0, image.pointer) }
    case .source(let source):
      set(property, as: safelight_type_source()) { g_value_set_object(&$0, source.pointer) }
    case .target(let target):
      set(property, as: safelight_type_target()) { g_value_set_object(&$0, target.pointer) }
    case .numbers(let numbers):
      set(property, as: safelight_type_array_double()) {
        vips_value_set_array_double(&$0, numbers, Int32(numbers.count))
      }
    case .named(let text):
      let object = safelight_vips_object(operation)
      guard vips_object_set_argument_from_string(object, property, text) == 0 else {
        throw .last(name)
      }
    }
  }

  private func set(_ property: String, as type: GType, _ fill: (inout GValue) -> Void) {
    var value = GValue()
    g_value_init(&value, type)
    defer { g_value_unset(&value) }
    fill(&value)
    g_object_set_property(safelight_object(operation), property, &value)
  }

  private func outputObject() -> UnsafeMutableRawPointer {
    var value = GValue()
    g_value_init(&value, safelight_type_image())
    defer { g_value_unset(&value) }
    g_object_get_property(safelight_object(operation), "out", &value)
    return UnsafeMutableRawPointer(g_value_dup_object(&value)!)
  }
}
