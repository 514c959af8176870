internal import CPlatform
internal import Dispatch

/// Runs a body on several threads at the same time, and returns when all calls have returned.
///
/// The threads are created for the call, because a concurrent queue has no more threads than the machine has
/// cores.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) {
  let allStarted = DispatchSemaphore(value: 0)
  let done = DispatchGroup()
  for index in 0..<count {
    done.enter()
    startThread {
      // The last thread to arrive wakes all others.
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

/// Starts a detached thread.
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
  precondition(code == 0, "pthread_create failed with error \(code)")
  pthread_detach(handle)
}

private final class ThreadStart: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  // SAFETY: `startThread` retains the object once, and the thread that it starts calls this function once.
  static func run(_ start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue().body()
    return nil
  }
}
