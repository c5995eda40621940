import Glibc

/// How often a test with random or numbered cases goes round. The gate's long checks set
/// `SAFELIGHT_LONG_TESTS`, and go round more often than each run of the tests. With the value `all` also
/// those tests try every case that take many minutes for it.
package enum Rounds {
  package static let areLong = getenv("SAFELIGHT_LONG_TESTS") != nil

  private static let areComplete =
    getenv("SAFELIGHT_LONG_TESTS").map { String(cString: $0) } == "all"

  /// How many cases a test tries that has thousands.
  package static func sample(_ usual: Int) -> Int {
    areComplete ? .max : areLong ? usual * 30 : usual
  }

  package static func count(_ usual: Int, long: Int) -> Int { areLong ? long : usual }
}

extension FaultInjection.Kind {
  /// The kinds that tests of many operations try. Each run of the tests has those that differ most,
  /// and the gate's long checks have all.
  package static let tried =
    Rounds.areLong ? allCases : [.ioErrorOnce, .halfAWriteThenDiskFull, .crash]
}
