// swift-tools-version: 6.0
import PackageDescription

// Measures a library and its pictures as another program would use it. Build it with
// swift build -c release --package-path Tests/Benchmarks/library
let package = Package(
  name: "library-benchmark",
  dependencies: [.package(name: "safelight", path: "../../..")],
  targets: [
    .executableTarget(
      name: "LibraryBenchmark",
      dependencies: [.product(name: "PhotoLibraryKit", package: "safelight")]),
    .executableTarget(
      name: "ImagesBenchmark",
      dependencies: [.product(name: "PhotoLibraryKit", package: "safelight")]),
  ],
  swiftLanguageModes: [.v6]
)
