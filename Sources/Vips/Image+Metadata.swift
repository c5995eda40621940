import SafelightCVips

extension Image {
  /// A block of bytes that the decoder attached to the image.
  public enum Attachment: String, Sendable {
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
  public func attachment(_ attachment: Attachment) -> [UInt8]? {
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
  public func number(_ name: String) -> Int? {
    guard vips_image_get_typeof(pointer, name) != 0 else { return nil }
    var value: Int32 = 0
    guard vips_image_get_int(pointer, name, &value) == 0 else {
      vips_error_clear()
      return nil
    }
    return Int(value)
  }

  /// The same pixels with other attachments: each given one is replaced, or dropped when `nil`.
  ///
  /// The decoder's EXIF fields and orientation are dropped too: libvips would otherwise write
  /// EXIF from them instead of from the block.
  public func replacingAttachments(_ attachments: [Attachment: [UInt8]?]) throws(VipsError)
    -> Image
  {
    // libvips images may be shared; metadata is only ever set on a fresh copy.
    let copy = try Operation.image("copy", ["in": .image(self)])
    for name in copy.fieldNames where name.hasPrefix("exif-ifd") || name == "orientation" {
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
