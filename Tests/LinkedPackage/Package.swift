// swift-tools-version: 6.0
import PackageDescription

// What a tool that links Safelight looks like. It depends on nothing but the product.
let package = Package(
  name: "linked-package",
  dependencies: [.package(name: "safelight", path: "../..")],
  targets: [
    .executableTarget(
      name: "LinkedPackage",
      dependencies: [.product(name: "PhotoEditing", package: "safelight")]),
    .executableTarget(
      name: "ReadmeExample",
      dependencies: [.product(name: "PhotoEditing", package: "safelight")]),
  ],
  swiftLanguageModes: [.v6]
)
