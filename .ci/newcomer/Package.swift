// swift-tools-version: 6.0
import PackageDescription

// A program of somebody who has just found the package: outside its tree, with no settings of its own.
let package = Package(
  name: "newcomer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "SimpleEvents", path: Context.environment["SIMPLEEVENTS"]!)],
  targets: [
    .executableTarget(
      name: "five", dependencies: ["SimpleEvents"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(name: "six", dependencies: ["SimpleEvents"]),
  ]
)
