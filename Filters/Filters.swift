import SafelightAdjustments

/// The filters that Safelight ships, in the order of lists.
///
/// ```swift
/// for filter in ShippedFilters.all { print(filter.name, filter.summary) }
/// ```
///
/// A new filter needs a JSON file in `Looks` and a line here.
public enum ShippedFilters {
  private static let files: KeyValuePairs = [
    "noir": PackageResources.noir_json,
    "mono": PackageResources.mono_json,
    "tonal": PackageResources.tonal_json,
    "silvertone": PackageResources.silvertone_json,
    "chrome": PackageResources.chrome_json,
    "fade": PackageResources.fade_json,
    "instant": PackageResources.instant_json,
    "process": PackageResources.process_json,
    "transfer": PackageResources.transfer_json,
    "sepia": PackageResources.sepia_json,
    "vivid": PackageResources.vivid_json,
    "vivid-warm": PackageResources.vivid_warm_json,
    "vivid-cool": PackageResources.vivid_cool_json,
    "dramatic": PackageResources.dramatic_json,
    "dramatic-warm": PackageResources.dramatic_warm_json,
    "dramatic-cool": PackageResources.dramatic_cool_json,
  ]

  /// Every shipped filter.
  public static let all: [Filter] = files.map { read($0.value) }

  /// The shipped filter of a name, the only one that is read; `nil` when there is none.
  public static func named(_ name: String) -> Filter? {
    files.first { $0.key == name }.map { read($0.value) }
  }

  /// Whether a filter of the name ships with Safelight.
  public static func contains(_ name: String) -> Bool { files.contains { $0.key == name } }

  private static func read(_ json: [UInt8]) -> Filter {
    do {
      return try Filter(json: json)
    } catch {
      // The files are part of the program, and a test reads each of them.
      preconditionFailure("A shipped filter does not parse: \(error)")
    }
  }
}
