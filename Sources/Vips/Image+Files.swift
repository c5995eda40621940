import Glibc
import SafelightCVips
import SafelightFiles

extension Image {
  /// A file format that Safelight lets libvips decode.
  ///
  /// Decoders are called by name, so libvips never chooses a decoder itself: neither one that it
  /// marks as untrusted, nor ImageMagick as the last resort.
  package enum FileFormat: String, Sendable {
    /// JPEG, by libjpeg.
    case jpeg = "jpegload_source"
    /// PNG, by libpng.
    case png = "pngload_source"
    /// TIFF, by libtiff; the first picture of several, or the one that is asked for.
    case tiff = "tiffload_source"
    /// WebP, by libwebp; the first frame of an animation.
    case webp = "webpload_source"
    /// HEIC and AVIF, by libheif, turned upright by it.
    case heif = "heifload_source"
  }

  /// Opens a picture and reads its header. The pixels are decoded when they are read; they must be
  /// read once, from top to bottom, because the decoder streams. ``inMemory()`` removes this limit.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - format: What the file is, by its content.
  ///   - allowingDamage: Decodes as much as possible of a truncated or damaged file; otherwise
  ///     reading its pixels fails.
  ///   - shrink: How much smaller a JPEG's decoder makes the picture along each side: 1, 2, 4 or 8.
  ///     Each pixel is the mean of a square of the whole picture's; other formats need 1.
  ///   - page: Which picture of a TIFF: the number of its page, and its place below that page; `nil`
  ///     for the first one.
  /// - Throws: ``VipsError/operation(_:detail:)`` when the header does not parse.
  package static func open(
    _ source: Source, as format: FileFormat, allowingDamage: Bool = false, shrink: Int = 1,
    page: (number: Int, child: Int?)? = nil
  ) throws(VipsError) -> Image {
    if format == .heif { try Library.load(.heif) }
    let (access, damage) = (
      Operation.Input.named("sequential"), Operation.Input.named(allowingDamage ? "none" : "error")
    )
    if let page {
      return try Operation.image(
        format.rawValue,
        [
          "source": .source(source), "access": access, "fail_on": damage,
          "page": .whole(page.number), "subifd": .whole(page.child ?? -1),
        ])
    }
    guard shrink > 1 else {
      return try Operation.image(
        format.rawValue, ["source": .source(source), "access": access, "fail_on": damage])
    }
    return try Operation.image(
      format.rawValue,
      [
        "source": .source(source), "access": access, "fail_on": damage, "shrink": .whole(shrink),
      ])
  }

  /// An image over bytes in memory, row after row, bands side by side; the bytes are copied.
  ///
  /// - Parameters:
  ///   - bytes: `width × height × bands` samples.
  ///   - width: Pixels from left to right.
  ///   - height: Pixels from top to bottom.
  ///   - bands: 1 for gray, 3 for red, green and blue.
  ///   - format: `.uint8`, `.uint16` (native byte order) or `.float`.
  /// - Throws: ``VipsError`` when the byte count does not fit the size.
  package static func fromMemory(
    _ bytes: [UInt8], width: Int, height: Int, bands: Int, format: SampleFormat
  ) throws(VipsError) -> Image {
    try Library.start()
    let vipsFormat =
      switch format {
      case .uint8: VIPS_FORMAT_UCHAR
      case .uint16: VIPS_FORMAT_USHORT
      case .float, .other: VIPS_FORMAT_FLOAT
      }
    guard
      let pointer = vips_image_new_from_memory_copy(
        bytes, bytes.count, Int32(width), Int32(height), Int32(bands), vipsFormat)
    else { throw .last("new_from_memory") }
    let image = Image(taking: pointer)
    let interpretation =
      switch (bands, format) {
      case (1...2, .uint16): "grey16"
      case (1...2, _): "b-w"
      case (_, .uint16): "rgb16"
      case (_, .float), (_, .other): "scrgb"
      default: "srgb"
      }
    return try Operation.image(
      "copy", ["in": .image(image), "interpretation": .named(interpretation)])
  }

  /// An image in memory of its own, with the format, the meaning and the resolution of another image.
  ///
  /// - Parameters:
  ///   - model: The other image.
  ///   - width: Pixels from left to right.
  ///   - height: Pixels from top to bottom.
  ///   - fill: Writes all pixels: rows without gaps, bands side by side.
  package static func filled(
    like model: Image, width: Int, height: Int, by fill: (UnsafeMutableRawPointer) throws -> Void
  ) throws -> Image {
    let count = width * height * model.bytesPerPixel
    // Larger pages are fewer, and the system makes each of them when it is touched first.
    let page = 1 << 21
    var allocated: UnsafeMutableRawPointer?
    guard posix_memalign(&allocated, page, max(count, 1)) == 0, let memory = allocated else {
      throw VipsError.outOfMemory
    }
    if count > 8 * page { madvise(memory, count, MADV_HUGEPAGE) }
    do {
      try fill(memory)
    } catch {
      free(memory)
      throw error
    }
    guard
      let pointer = vips_image_new_from_memory(
        memory, count, Int32(width), Int32(height), Int32(model.bands),
        vips_image_get_format(model.pointer))
    else {
      free(memory)
      throw VipsError.last("new_from_memory")
    }
    // The memory lives as long as the image, which those made from it hold.
    g_object_set_data_full(
      safelight_object(pointer), "safelight-memory", memory, { free($0) })
    pointer.pointee.Type = vips_image_get_interpretation(model.pointer)
    (pointer.pointee.Xres, pointer.pointee.Yres) = model.resolution
    if let unit = model.resolutionUnit {
      vips_image_set_string(pointer, VIPS_META_RESOLUTION_UNIT, unit)
    }
    return Image(taking: pointer)
  }

  /// Encodes a PNG, 8 or 16 bits as the image is, with the image's attachments.
  package func writePNG(to target: Target) throws(VipsError) {
    try Operation.run("pngsave_target", ["in": .image(self), "target": .target(target)])
  }

  /// Encodes a TIFF, Deflate with a predictor, with the image's profile.
  ///
  /// The whole file is in memory until the encoding ends: libtiff goes back to fill in its
  /// directory, which a target cannot do.
  ///
  /// - Parameter completing: Completes the encoded file; `nil` leaves it as it is.
  package func writeTIFF(
    to target: Target, completing: (UnsafeRawBufferPointer) -> Completion? = { _ in nil }
  ) throws(VipsError) {
    let memory = try Target()
    try Operation.run(
      "tiffsave_target",
      [
        "in": .image(self), "target": .target(memory), "compression": .named("deflate"),
        "predictor": .named("horizontal"),
      ])
    try target.write(contentOf: memory, completing: completing)
  }

  /// Encodes a WebP with the image's attachments; `quality` from 1 to 100, 100 being lossless.
  ///
  /// - Parameter completing: Completes the encoded file; `nil` leaves it as it is.
  package func writeWebP(
    to target: Target, quality: Int,
    completing: (UnsafeRawBufferPointer) -> Completion? = { _ in nil }
  ) throws(VipsError) {
    let memory = try Target()
    try Operation.run(
      "webpsave_target",
      [
        "in": .image(self), "target": .target(memory), "Q": .whole(quality),
        "lossless": .flag(quality == 100),
      ])
    try target.write(contentOf: memory, completing: completing)
  }

  /// A block of bytes that the decoder attached to the image.
  package enum Attachment: String, Sendable, CaseIterable {
    /// The ICC profile.
    case profile = "icc-profile-data"
    /// The EXIF block: `Exif`, two zero bytes and a TIFF structure.
    case exif = "exif-data"
    /// The XMP packet.
    case xmp = "xmp-data"
    /// The IPTC records.
    case iptc = "iptc-data"
  }

  /// The bytes of an attachment, or `nil` when the image has none.
  package func attachment(_ attachment: Attachment) -> [UInt8]? {
    guard vips_image_get_typeof(pointer, attachment.rawValue) != 0 else { return nil }
    var data: UnsafeRawPointer?
    var length = 0
    guard vips_image_get_blob(pointer, attachment.rawValue, &data, &length) == 0, let data else {
      vips_error_clear()
      return nil
    }
    return Array(UnsafeRawBufferPointer(start: data, count: length))
  }

  /// A whole number that the decoder attached under `name`, such as `n-pages`; `nil` when absent.
  package func number(_ name: String) -> Int? {
    guard vips_image_get_typeof(pointer, name) != 0 else { return nil }
    var value: Int32 = 0
    guard vips_image_get_int(pointer, name, &value) == 0 else {
      vips_error_clear()
      return nil
    }
    return Int(value)
  }

  /// The same pixels with other attachments: each given attachment is replaced, or removed when it
  /// is `nil`.
  ///
  /// What else the decoder attached, and an encoder would write, is removed too: the EXIF fields, from which libvips would
  /// write the EXIF instead of from the block, and Photoshop resources and texts, which stay in a file of their format.
  package func replacingAttachments(_ attachments: [Attachment: [UInt8]?]) throws(VipsError)
    -> Image
  {
    // libvips images may be shared, so metadata is only set on a new copy.
    let copy = try Operation.image("copy", ["in": .image(self)])
    for name in copy.fieldNames where Self.isWrittenUnasked(name) {
      vips_image_remove(copy.pointer, name)
    }
    for (attachment, bytes) in attachments {
      if let bytes {
        vips_image_set_blob_copy(copy.pointer, attachment.rawValue, bytes, bytes.count)
      } else {
        vips_image_remove(copy.pointer, attachment.rawValue)
      }
    }
    return copy
  }

  /// Whether an encoder writes what stands under a name. Source: libvips 8.14 (`tiff2vips.c`, `vipspng.c`, `exif.c`).
  private static func isWrittenUnasked(_ name: String) -> Bool {
    ["exif-ifd", "png-comment-"].contains { name.hasPrefix($0) }
      || ["orientation", "photoshop-data", "image-description"].contains(name)
  }

  private var fieldNames: [String] {
    guard let fields = vips_image_get_fields(pointer) else { return [] }
    defer { g_strfreev(fields) }
    var names: [String] = []
    var next = fields
    while let name = next.pointee {
      names.append(String(cString: name))
      next += 1
    }
    return names
  }
}

/// A file that libvips reads, by a descriptor of its own.
///
/// Reading by descriptor and not by name makes sure that the decoded bytes are the bytes that were
/// locked and hashed, even when the name changes meanwhile.
package final class Source: @unchecked Sendable {
  // `@unchecked`: the pointer is only given to libvips, which locks; it is never changed here.
  let pointer: UnsafeMutablePointer<VipsSource>

  /// Reads an open file from its start. The position of `file` does not move, and the access time of
  /// the file does not change where the system allows that.
  ///
  /// - Parameter isMapped: Whether to read through memory, for a process that can open no files. The
  ///   process ends when the file gets shorter meanwhile. A file with replaced bytes always is.
  /// - Parameter patch: An offset, and the bytes that libvips reads from there on instead of the file's own.
  package init(
    _ file: OpenFile, isMapped: Bool = false, replacing patch: (offset: Int, bytes: [UInt8])? = nil
  ) throws(VipsError) {
    try Library.start()
    if isMapped || patch != nil {
      let (offset, bytes) = patch ?? (0, [])
      guard let source = safelight_mapped_source(file.descriptor, offset, bytes, bytes.count)
      else { throw .last("source") }
      pointer = source
      return
    }
    let own: OpenFile
    do { own = try FileSystem.real.reopened(file) } catch { throw .open(code: error.errno) }
    guard
      let source = withExtendedLifetime(own, { vips_source_new_from_descriptor(own.descriptor) })
    else { throw .last("source") }
    pointer = source
  }

  /// Reads bytes in memory.
  package init(_ bytes: [UInt8]) throws(VipsError) {
    try Library.start()
    guard let source = safelight_memory_source(bytes, bytes.count) else {
      throw .last("source")
    }
    pointer = source
  }

  deinit {
    g_object_unref(pointer)
  }
}

/// Where libvips writes an encoded picture: each run of bytes goes to a closure, or into memory.
package final class Target {
  let pointer: UnsafeMutablePointer<VipsTarget>
  private let sink: Sink?

  /// Carries the closure through C, and brings back the error that it throws.
  private final class Sink {
    let write: (UnsafeRawBufferPointer) throws -> Void
    var failure: (any Error)?

    init(_ write: @escaping (UnsafeRawBufferPointer) throws -> Void) {
      self.write = write
    }
  }

  /// The error that the closure threw; libvips then reports a failed write.
  package var failure: (any Error)? { sink?.failure }

  /// Calls `write` with the encoded bytes in order, on the thread that encodes, one call at a time.
  package init(_ write: @escaping (UnsafeRawBufferPointer) throws -> Void) throws(VipsError) {
    try Library.start()
    guard let target = vips_target_custom_new() else { throw .last("target") }
    let sink = Sink(write)
    self.sink = sink
    pointer = safelight_target(target)

    let onWrite:
      @convention(c) (
        UnsafeMutablePointer<VipsTargetCustom>?, UnsafeRawPointer?, Int64, UnsafeMutableRawPointer?
      ) -> Int64 = { _, bytes, length, user in
        let sink = Unmanaged<Sink>.fromOpaque(user!).takeUnretainedValue()
        do {
          try sink.write(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
          return length
        } catch {
          sink.failure = error
          return -1
        }
      }
    g_signal_connect_data(
      pointer, "write", unsafeBitCast(onWrite, to: GCallback.self),
      Unmanaged.passUnretained(sink).toOpaque(), nil, GConnectFlags(rawValue: 0))
  }

  /// Collects the encoded bytes in memory, where an encoder may also change earlier bytes.
  init() throws(VipsError) {
    try Library.start()
    guard let target = vips_target_new_to_memory() else { throw .last("target") }
    sink = nil
    pointer = target
  }

  deinit {
    g_object_unref(pointer)
  }

  /// Writes all bytes that an encoder put into `memory`, completed.
  func write(
    contentOf memory: Target, completing: (UnsafeRawBufferPointer) -> Image.Completion?
  ) throws(VipsError) {
    var size = 0
    // The encoder has ended the target, so its bytes are in this block.
    guard let blob = memory.pointer.pointee.blob, let bytes = vips_blob_get(blob, &size) else {
      throw .last("target_write")
    }
    let completion =
      completing(UnsafeRawBufferPointer(start: bytes, count: size))
      ?? Image.Completion(replacing: [], kept: size, end: [])
    let middle = completion.middle.clamped(to: 0..<size)
    guard vips_target_write(pointer, completion.beginning, completion.beginning.count) == 0,
      vips_target_write(pointer, bytes + middle.lowerBound, middle.count) == 0,
      vips_target_write(pointer, completion.end, completion.end.count) == 0,
      vips_target_end(pointer) == 0
    else { throw .last("target_write") }
  }
}
