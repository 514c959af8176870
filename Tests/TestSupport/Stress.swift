internal import CPlatform

/// The lengths of tests that are long in release builds, where continuous integration runs them in full.
package enum Stress {
  /// The rounds of a race, or the runs that must agree: the given number in a release build; a fiftieth, but
  /// at least a hundred, under a sanitizer; a tenth of that in any other debug build.
  package static func rounds(_ count: Int) -> Int {
    if !isDebug { return count }
    let sanitized = max(count / 50, 100)
    return isSanitized ? sanitized : sanitized / 10
  }

  /// The seeds of random programs: the given number in a release build, a fiftieth, but at least twenty, in a
  /// debug build.
  package static func seeds(_ count: UInt64) -> Range<UInt64> { 0..<(isDebug ? max(count / 50, 20) : count) }

  /// The number of objects or nested calls: the given one in a release build, a fifth in a debug build.
  package static func size(_ count: Int) -> Int { isDebug ? count / 5 : count }

  /// The length of a soak, which the environment variable `SIMPLEEVENTS_SOAK` gives; nil in an ordinary run.
  /// Run a soak alone: `SIMPLEEVENTS_TESTS=all SIMPLEEVENTS_SOAK=600 swift test -c release --filter soak`.
  package static let soakSeconds: Double? = getenv("SIMPLEEVENTS_SOAK").flatMap {
    Double(String(cString: $0))
  }

  /// Whether the process runs under a sanitizer, which brings its own allocator and larger stack frames.
  package static let isSanitized: Bool = {
    let program = dlopen(nil, RTLD_NOW)
    return ["__asan_init", "__tsan_init"].contains { (name: String) in dlsym(program, name) != nil }
  }()
}
