import SafelightAdjustments

/// The filters that Safelight ships, in the order of lists.
///
/// ```swift
/// for filter in ShippedFilters.all { print(filter.name, filter.summary) }
/// ```
///
/// A new filter needs a JSON file in `Looks` and a line here.
public enum ShippedFilters {
  /// Every shipped filter.
  public static let all: [Filter] = sources.map { bytes in
    do {
      return try Filter(json: bytes)
    } catch {
      // The files are part of the program, and a test reads each of them.
      preconditionFailure("A shipped filter does not parse: \(error)")
    }
  }

  private static let sources = [
    PackageResources.noir_json,
    PackageResources.mono_json,
    PackageResources.tonal_json,
    PackageResources.silvertone_json,
    PackageResources.chrome_json,
    PackageResources.fade_json,
    PackageResources.instant_json,
    PackageResources.process_json,
    PackageResources.transfer_json,
    PackageResources.sepia_json,
    PackageResources.vivid_json,
    PackageResources.vivid_warm_json,
    PackageResources.vivid_cool_json,
    PackageResources.dramatic_json,
    PackageResources.dramatic_warm_json,
    PackageResources.dramatic_cool_json,
  ]
}
