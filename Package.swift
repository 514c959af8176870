// swift-tools-version: 6.2
import PackageDescription

let core: Target.Dependency = "SimpleEvents"
let testing: Target.Dependency = "SimpleEventsTesting"

let package = Package(
  name: "SimpleEvents",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "SimpleEvents", targets: ["SimpleEvents"]),
    .library(name: "SimpleEventsTesting", targets: ["SimpleEventsTesting"]),
    .library(name: "SimpleObservables", targets: ["SimpleObservables"]),
    .library(name: "SimpleObservablesFoundation", targets: ["SimpleObservablesFoundation"]),
    .executable(name: "coalesce", targets: ["coalesce"]),
  ],
  targets: [
    .target(name: "SimpleEvents", dependencies: ["CSimpleEvents"]),
    // C code, for functions that Swift cannot call (of its runtime and of the thread sanitizer) or cannot
    // replace (`malloc`, in tests).
    .target(name: "CSimpleEvents"),
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    .target(name: "SimpleEventsTesting", dependencies: [core, "CTaskHook"]),
    .target(name: "CTaskHook"),
    .target(name: "SimpleObservables", dependencies: [core]),
    // The only library target that links Foundation.
    .target(name: "SimpleObservablesFoundation", dependencies: [core, "SimpleObservables"]),
    .executableTarget(name: "coalesce", dependencies: [core, testing]),
    .executableTarget(
      name: "SimpleEventsBenchmarks", dependencies: [core, testing, "SimpleObservables"]),
    .target(name: "TestSupport", dependencies: [core, testing], path: "Tests/TestSupport"),
    .testTarget(
      name: "SimpleEventsTests", dependencies: [core, testing, "TestSupport", "CAllocationCount"]),
    .testTarget(name: "SimpleEventsTestingTests", dependencies: [core, testing, "TestSupport"]),
    .testTarget(
      name: "SimpleObservablesTests",
      dependencies: [core, testing, "TestSupport", "SimpleObservables", "SimpleObservablesFoundation"]),
    .testTarget(
      name: "SimpleObservablesFoundationTests",
      dependencies: [core, "TestSupport", "SimpleObservables", "SimpleObservablesFoundation"]),
    .testTarget(name: "CoalesceTests", dependencies: ["coalesce", core, testing, "TestSupport"]),
    .testTarget(
      name: "SnippetTests",
      dependencies: [core, testing, "TestSupport", "SimpleObservables", "SimpleObservablesFoundation"]),
    .testTarget(
      name: "Swift5ClientTests", dependencies: [core, testing, "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ],
  swiftLanguageModes: [.v6]
)

// The sanitizers run the tests of threads and lifetimes only, because building the others takes most of the time.
if Context.environment["SIMPLEEVENTS_STRESS"] == "1" {
  let sources = [
    "SimpleEventsTests": [
      "Stress", "Support", "Events/Isolation", "Clients/App", "Clients/SharedObservableTests.swift",
      "Coalescing/CollectorReleaseTests.swift", "Coalescing/CollectorThreadTests.swift",
      "Coalescing/CollectorRuleTests.swift", "Coalescing/GateReference.swift", "Coalescing/OneHopTests.swift",
      "Lifetime/CaptureTests.swift", "Lifetime/DeepAndWideTests.swift", "Lifetime/ReleaseTests.swift",
      "Scheduling/ActorSchedulerTests.swift", "Scheduling/ActorTimeTests.swift",
      "Scheduling/LossTests.swift", "Scheduling/ManualExecutor.swift", "Scheduling/RealDeadlineTests.swift",
      "Scheduling/QueueLaneTests.swift", "Scheduling/UnorderedExecutor.swift",
    ],
    "SimpleEventsTestingTests": [
      "Scheduler/EscapeTests.swift", "Scheduler/MainActorBodyTests.swift", "Scheduler/OutsideJobTests.swift",
      "Scheduler/Repeated.swift", "Scheduler/RunMisuseTests.swift",
      "Scheduler/RunOnMainTests.swift", "Scheduler/RunTests.swift", "Scheduler/SchedulerClockTests.swift",
      "Scheduler/SchedulerLifetimeTests.swift",
    ],
    "SimpleObservablesTests": ["Threads"],
  ]
  package.products.removeAll { $0.name == "coalesce" }
  package.targets.removeAll { ($0.isTest && sources[$0.name] == nil) || $0.type == .executable }
  for target in package.targets where target.isTest {
    target.sources = sources[target.name]
  }
}

// Warnings are errors in CI only, so that a new compiler does not break packages that depend on this one.
let strict = Context.environment["SIMPLEEVENTS_STRICT"] == "1"

let cTargets: Set<String> = ["CSimpleEvents", "CTaskHook", "CAllocationCount"]

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
    // An unsafe use is marked, beside its proof.
    settings.append(.strictMemorySafety())
  }
  if strict {
    settings.append(.treatAllWarnings(as: .error))
  }
  target.swiftSettings = settings
}
