internal import CPlatform

/// The number of repetitions that a stress test runs.
package enum Stress {
  /// The given count in a release build; a fiftieth, but at least a hundred, in a debug build, which is
  /// slower, and slower again under a sanitizer.
  package static func rounds(_ count: Int) -> Int {
    #if DEBUG
      max(count / 50, 100)
    #else
      count
    #endif
  }

  /// The seeds of the random programs that a differential test compares: the given number in a release build,
  /// a fifth in a debug build.
  package static func seeds(_ count: UInt64) -> Range<UInt64> { 0..<(isDebug ? count / 5 : count) }

  /// The length of a soak, which the environment variable `SIMPLEEVENTS_SOAK` gives; nil in an ordinary run.
  /// Run a soak alone: `SIMPLEEVENTS_SOAK=600 swift test -c release --filter soak`.
  package static let soakSeconds: Double? = getenv("SIMPLEEVENTS_SOAK").flatMap {
    Double(String(cString: $0))
  }

  /// Whether the process runs under a sanitizer, which brings its own allocator and larger stack frames.
  package static var isSanitized: Bool {
    let program = dlopen(nil, RTLD_NOW)
    return ["__asan_init", "__tsan_init"].contains { (name: String) in dlsym(program, name) != nil }
  }
}
