internal import CPlatform

/// The lengths of long tests. Continuous integration runs them at full length in release builds, and shortens
/// them in debug builds.
package enum Stress {
  /// Returns the number of rounds of a race, or of runs that must agree: the given number in a release build.
  /// Under a sanitizer the number is a fiftieth of it, but at least a hundred. In other debug builds it is a
  /// tenth of the number under a sanitizer.
  package static func rounds(_ count: Int) -> Int {
    if !isDebug { return count }
    let sanitized = max(count / 50, 100)
    return isSanitized ? sanitized : sanitized / 10
  }

  /// Returns the seeds of random programs. In a release build, their number is the given one. In a debug
  /// build it is a fiftieth, but at least twenty.
  package static func seeds(_ count: UInt64) -> Range<UInt64> { 0..<(isDebug ? max(count / 50, 20) : count) }

  /// Returns the number of objects or nested calls: the given number in a release build, a fifth of it in a
  /// debug build.
  package static func size(_ count: Int) -> Int { isDebug ? count / 5 : count }

  /// The length of a soak in seconds, read from the environment variable `SIMPLEEVENTS_SOAK`; nil in an
  /// ordinary run. Run a soak alone: `SIMPLEEVENTS_TESTS=all SIMPLEEVENTS_SOAK=600 swift test -c release
  /// --filter soak`.
  package static let soakSeconds: Double? = getenv("SIMPLEEVENTS_SOAK").flatMap {
    Double(String(cString: $0))
  }

  /// Whether the process runs under a sanitizer. A sanitizer has its own allocator and makes stack frames
  /// larger.
  package static let isSanitized: Bool = {
    let program = dlopen(nil, RTLD_NOW)
    return ["__asan_init", "__tsan_init"].contains { (name: String) in dlsym(program, name) != nil }
  }()
}
