// swift-tools-version: 6.2
import PackageDescription

// The targets on which most others depend.
let core: Target.Dependency = "SimpleEvents"
let testing: Target.Dependency = "SimpleEventsTesting"
let loops: Target.Dependency = "SimpleEventsLoops"
let monitoring: Target.Dependency = "SimpleEventsMonitoring"

let package = Package(
  name: "SimpleEvents",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "SimpleEvents", targets: ["SimpleEvents"]),
    .library(name: "SimpleEventsLoops", targets: ["SimpleEventsLoops"]),
    .library(name: "SimpleEventsMonitoring", targets: ["SimpleEventsMonitoring"]),
    .library(name: "SimpleEventsTesting", targets: ["SimpleEventsTesting"]),
    .library(name: "SimpleObservables", targets: ["SimpleObservables"]),
    .library(name: "SimpleObservablesFoundation", targets: ["SimpleObservablesFoundation"]),
    .executable(name: "coalesce", targets: ["coalesce"]),
  ],
  targets: [
    // The products.
    .target(name: "SimpleEvents", dependencies: ["CSimpleEvents"]),
    .target(name: "SimpleEventsLoops", dependencies: [core]),
    .target(name: "SimpleEventsMonitoring", dependencies: [core]),
    .target(
      name: "SimpleEventsTesting", dependencies: [core, monitoring, "CSimpleEvents", "CTaskHook"]),
    .target(name: "SimpleObservables", dependencies: [core]),
    // The only library target that links Foundation.
    .target(name: "SimpleObservablesFoundation", dependencies: [core, "SimpleObservables"]),
    .executableTarget(name: "coalesce", dependencies: [core, loops, monitoring, testing, "CPlatform"]),
    // C code. It provides functions that Swift cannot call (of its runtime and of the thread sanitizer) or
    // cannot replace (`malloc`, in tests).
    .target(name: "CSimpleEvents"),
    .target(name: "CTaskHook"),
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    // The functions of POSIX, for the tool and the tests.
    .systemLibrary(name: "CPlatform"),
    // The benchmarks.
    .executableTarget(
      name: "SimpleEventsBenchmarks",
      dependencies: [core, loops, testing, "SimpleObservables", "TestSupport"]),
    // The tests in virtual time: one target for each product, the code that they share, the code of the
    // articles, and code in Swift 5 mode.
    .target(name: "TestSupport", dependencies: [core, testing, "CPlatform"], path: "Tests/TestSupport"),
    .testTarget(
      name: "SimpleEventsTests",
      dependencies: [core, loops, monitoring, testing, "TestSupport", "CAllocationCount"]),
    .testTarget(
      name: "SimpleEventsLoopsTests", dependencies: [core, loops, monitoring, testing, "TestSupport"]),
    .testTarget(
      name: "SimpleEventsMonitoringTests", dependencies: [core, loops, monitoring, testing, "TestSupport"]),
    .testTarget(
      name: "SimpleEventsTestingTests", dependencies: [core, loops, monitoring, testing, "TestSupport"]),
    .testTarget(
      name: "SimpleObservablesTests",
      dependencies: [core, testing, "TestSupport", "SimpleObservables", "SimpleObservablesFoundation"]),
    .testTarget(
      name: "SimpleObservablesFoundationTests",
      dependencies: [core, "TestSupport", "SimpleObservables", "SimpleObservablesFoundation"]),
    .testTarget(name: "CoalesceTests", dependencies: ["coalesce", core, loops, testing, "TestSupport"]),
    .testTarget(
      name: "SnippetTests",
      dependencies: [
        core, loops, monitoring, testing, "TestSupport", "SimpleObservables", "SimpleObservablesFoundation",
      ]),
    .testTarget(
      name: "Swift5ClientTests", dependencies: [core, testing, "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // The tests of threads and lifetimes. They also run under sanitizers.
    .testTarget(
      name: "SimpleEventsStressTests", dependencies: [core, loops, monitoring, testing, "TestSupport"],
      path: "Tests/StressTests/SimpleEvents"),
    .testTarget(
      name: "SimpleEventsTestingStressTests", dependencies: [core, loops, testing, "TestSupport"],
      path: "Tests/StressTests/SimpleEventsTesting"),
    .testTarget(
      name: "SimpleObservablesStressTests",
      dependencies: [core, testing, "TestSupport", "SimpleObservables", "CPlatform"],
      path: "Tests/StressTests/SimpleObservables"),
  ],
  swiftLanguageModes: [.v6]
)

// `swift test` runs the unit tests. The variable selects other tests: one target by its name, the clients
// (`clients`: the code of the articles, and code in Swift 5 mode), the stress tests (`stress`, for the
// sanitizers), or all tests (`all`, for release builds).
let tests = Context.environment["SIMPLEEVENTS_TESTS"] ?? "unit"
package.targets.removeAll { target in
  let isStress = target.name.hasSuffix("StressTests")
  let isClient = ["SnippetTests", "Swift5ClientTests"].contains(target.name)
  let isSelected =
    switch tests {
    case "all": true
    case "clients": isClient
    case "stress": isStress
    case "unit": !isStress && !isClient
    default: target.name == tests
    }
  return target.isTest && !isSelected
}

// Warnings are errors only in CI, so that a new compiler does not break packages that depend on this one.
let strict = Context.environment["SIMPLEEVENTS_STRICT"] == "1"

// Settings of the Swift targets.
let cTargets: Set<String> = ["CSimpleEvents", "CTaskHook", "CAllocationCount", "CPlatform"]

for target in package.targets where !cTargets.contains(target.name) {
  var settings = target.swiftSettings ?? []
  if target.name != "Swift5ClientTests" {
    settings += [
      // An existential type is written with `any`.
      .enableUpcomingFeature("ExistentialAny"),
      // An import is internal unless it is declared public or package.
      .enableUpcomingFeature("InternalImportsByDefault"),
      // A member is visible only in files that import its module.
      .enableUpcomingFeature("MemberImportVisibility"),
      // A nonisolated async function runs on the actor of its caller.
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      // A conformance of an actor-isolated type is isolated to the same actor.
      .enableUpcomingFeature("InferIsolatedConformances"),
    ]
  }
  if target.path == nil && !target.isTest {
    // Each unsafe use must be marked, next to its proof.
    settings.append(.strictMemorySafety())
  }
  if strict {
    settings.append(.treatAllWarnings(as: .error))
    if target.isTest && target.path == nil && target.name != "Swift5ClientTests" {
      // The optimizer takes minutes for the expectations of unit tests. Stress tests and the tests in Swift 5
      // mode are optimised together with the code that they use.
      settings.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
    }
  }
  target.swiftSettings = settings
}
