// swift-tools-version: 6.0
import PackageDescription

// Measures the previews of an edit session as another program would use it. Build it with
// swift build -c release --package-path Tests/Benchmarks/sessions
let package = Package(
  name: "session-benchmark",
  dependencies: [.package(name: "safelight", path: "../../..")],
  targets: [
    .executableTarget(
      name: "SessionBenchmark",
      dependencies: [.product(name: "PhotoEditing", package: "safelight")])
  ],
  swiftLanguageModes: [.v6]
)
