import SafelightCVips
import SafelightVipsOpening
import Synchronization

/// The running libvips: started once, when the first image is opened.
package enum Library {
  /// The version of the system's libvips, such as `8.14.1`; `nil` when the system has none that can be opened. Asking
  /// opens the library, which takes some 20 ms, and does not start it.
  package static var version: String? {
    guard openFailure == nil else { return nil }
    return "\(vips_version(0)).\(vips_version(1)).\(vips_version(2))"
  }

  /// The warnings of libvips and its decoders since the last call, oldest first.
  ///
  /// The list belongs to the process, so it is exact only while one image is worked on at a time.
  package static func takeWarnings() -> [String] {
    warnings.withLock { list in
      defer { list = [] }
      return list
    }
  }

  /// Starts libvips, or throws the reason why it did not start. Everything in this module calls
  /// this first.
  package static func start() throws(VipsError) {
    if let failure = startFailure { throw failure }
  }

  /// A part of libvips that may be a module of its own.
  package enum Module: String, Sendable, Codable, CaseIterable {
    /// HEIC and AVIF.
    case heif
    /// JPEG XL.
    case jpegXL = "jxl"
  }

  /// Loads a module, when libvips was built with modules and the program keeps libvips from loading them (by `VIPSHOME`,
  /// as `edit` does).
  ///
  /// Does nothing when the module is loaded already or not installed. Without it, opening and writing
  /// such a file throws ``VipsError/missingOperation(_:)``.
  package static func load(_ module: Module) throws(VipsError) {
    try start()
    switch module {
    case .heif: _ = heifModule
    case .jpegXL: _ = jpegXLModule
    }
  }

  private static let heifModule: Void = open(.heif)
  private static let jpegXLModule: Void = {
    open(.jpegXL)
    // libvips trusts neither direction. Its writer sees no file but pixels; files are never read by it.
    vips_operation_block_set("VipsForeignSaveJxl", 0)
  }()

  private static func open(_ module: Module) {
    guard vips_type_find("VipsOperation", module.rawValue + "save_target") == 0,
      let folder = libraryFolder
    else { return }
    let version = "\(vips_version(0)).\(vips_version(1))"
    let path = "\(folder)/vips-modules-\(version)/vips-\(module.rawValue).so"
    guard let module = g_module_open(path, G_MODULE_BIND_LAZY) else { return }
    // The types of the module stay registered, so its code must stay loaded.
    g_module_make_resident(module)
  }

  /// The folder from which libvips was loaded.
  private static var libraryFolder: String? {
    guard let path = safelight_vips_path().map({ String(cString: $0) }) else { return nil }
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  private static let warnings = Mutex<[String]>([])

  private static func note(_ message: String) {
    for line in message.split(separator: "\n") {
      // libvips first writes the number of the decoder's warnings. It also warns that it ignores
      // the coded colors of HEIF files, but the renderer reads them.
      guard !line.hasPrefix("read gave"), !line.hasSuffix("ignoring nclx profile") else { continue }
      let text = line.hasPrefix("VipsJpeg: ") ? String(line.dropFirst(10)) : String(line)
      warnings.withLock { list in
        // A damaged file can cause a warning for each row; the first few are enough.
        if list.count < 8, !list.contains(text) { list.append(text) }
      }
    }
  }

  private static let openFailure: VipsError? = safelight_open_vips().map {
    .start(detail: String(cString: $0))
  }

  private static let startFailure: VipsError? = {
    if let openFailure { return openFailure }
    guard vips_init("safelight") == 0 else {
      return .start(detail: VipsError.takeErrorText())
    }
    vips_block_untrusted_set(1)
    // The operation cache returns the old pixels of a file that was rewritten under its name.
    vips_cache_set_max(0)
    g_log_set_handler(
      "VIPS", G_LOG_LEVEL_MASK,
      { _, level, message, _ in
        guard level.rawValue & G_LOG_LEVEL_WARNING.rawValue != 0, let message else { return }
        Library.note(String(cString: message))
      }, nil)
    return nil
  }()
}

/// Why libvips could not do something.
///
/// libvips has one error text for the whole process, so `detail` is exact only while one operation
/// runs. It is for people to read; a program must not decide by it.
package enum VipsError: Error, Equatable, CustomStringConvertible {
  /// libvips did not start. Its installation is broken.
  case start(detail: String)
  /// The operation does not exist in this build of libvips, such as `heifload_source` without
  /// its module.
  case missingOperation(String)
  /// The operation refused its input or failed while it ran.
  case operation(String, detail: String)
  /// The operation found no memory, or a limit of the process does not allow it.
  case outOfMemory
  /// The file could not be opened for reading; `code` is the system's errno.
  case open(code: Int32)

  /// What happened, in one sentence.
  package var description: String {
    switch self {
    case .start(let detail): "libvips did not start: \(detail)"
    case .missingOperation(let name): "This libvips has no \(name)."
    case .operation(let name, let detail): "\(name): \(detail)"
    case .outOfMemory: "There is not enough memory."
    case .open(let code): "The file could not be opened (errno \(code))."
    }
  }

  /// Whether libvips said nothing about a failure.
  var isWithoutText: Bool {
    if case .operation(_, detail: "") = self { true } else { false }
  }

  /// Does the work of an operation, and makes other errors than libvips's failures of that operation.
  package static func thrown<Result>(
    by name: String, _ body: () throws -> Result
  ) throws(VipsError) -> Result {
    do {
      return try body()
    } catch let error as VipsError {
      throw error
    } catch {
      throw .operation(name, detail: "\(error)")
    }
  }

  /// The failure of the operation `name`, with the current error text of libvips.
  static func last(_ name: String) -> VipsError {
    let detail = takeErrorText()
    // libvips has no codes for errors. Its own allocators say this, and libjpeg's in capitals.
    let isMemory = ["out of memory", "Insufficient memory"].contains { detail.contains($0) }
    return isMemory ? .outOfMemory : .operation(name, detail: detail)
  }

  static func takeErrorText() -> String {
    guard let buffer = vips_error_buffer_copy() else { return "" }
    defer { g_free(buffer) }
    let lines = String(cString: buffer).split(separator: "\n").map { line in
      line.hasPrefix("VipsJpeg: ") ? line.dropFirst(10) : line
    }
    // libvips repeats a line for each operation through which the failure passes.
    var unique: [Substring] = []
    for line in lines where !unique.contains(line) { unique.append(line) }
    return unique.joined(separator: "; ")
  }
}

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
