import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs a body on several threads at once, and returns when all are done.
///
/// Threads and not a concurrent queue, which gives no more of them than there are cores.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) {
  let allStarted = DispatchSemaphore(value: 0)
  let done = DispatchGroup()
  for index in 0..<count {
    done.enter()
    startThread {
      // The last one lets all of them go.
      if index == count - 1 {
        for _ in 1..<count { allStarted.signal() }
      } else {
        allStarted.wait()
      }
      body(index)
      done.leave()
    }
  }
  done.wait()
}

/// Starts a thread that nobody joins.
private func startThread(_ body: @escaping @Sendable () -> Void) {
  let start = Unmanaged.passRetained(ThreadStart(body))
  #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(&thread, nil, { ThreadStart.run($0) }, start.toOpaque())
    let handle = thread!
  #else
    var handle = pthread_t()
    let code = pthread_create(&handle, nil, { ThreadStart.run($0!) }, start.toOpaque())
  #endif
  precondition(code == 0, "no thread to be had: \(code)")
  pthread_detach(handle)
}

private final class ThreadStart: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  static func run(_ start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue().body()
    return nil
  }
}

extension DispatchSemaphore {
  /// Waits for a signal that is certain to come if all is well; returns false if it does not.
  func waitOrGiveUp() -> Bool {
    wait(timeout: .now() + .seconds(20)) == .success
  }
}

/// How often to do what is left to chance.
enum Stress {
  /// As often as told in a release build; less often in a debug one, which the sanitizers make slower yet.
  static func rounds(_ count: Int) -> Int {
    #if DEBUG
      max(count / 50, 100)
    #else
      count
    #endif
  }

  /// Whether a sanitizer keeps the heap in ways of its own.
  static var isSanitized: Bool {
    let program = dlopen(nil, RTLD_NOW)
    return ["__asan_init", "__tsan_init"].contains { (name: String) in dlsym(program, name) != nil }
  }
}
