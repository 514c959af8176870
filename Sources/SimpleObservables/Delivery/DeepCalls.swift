internal import SimpleEvents

/// Calls that lead to further calls of the same kind, along a chain of any length (V8).
///
/// Up to a limit they nest. A call that would nest deeper waits for the deepest one that may nest, which makes it when its
/// own work has returned. So the stack does not grow with the chain, and the first call returns after all others.
enum DeepCalls {
  /// A call that began a chain, and those that it has led to.
  private struct Chain {
    /// The number of calls on the stack.
    var depth: Int = 1
    /// The calls that would have nested too deeply.
    var waiting: Fifo<Call> = Fifo()
  }

  private struct Call {
    let make: () -> Void
  }

  /// How deep the calls of a chain nest; at least two.
  private static var limit: Int { 8 }

  /// Guards the chains that each thread is in, the innermost last. Calls are made, and released, after the lock.
  private static let threads: Guarded<[ThreadIdentity: [Chain]]> = Guarded([:])

  /// Makes a call: now, or later if the calls of its chain are nested up to the limit.
  static func run(_ call: @escaping () -> Void) {
    let depth = innermost { chain -> Int? in
      guard chain.depth < limit else {
        chain.waiting.append(Call(make: call))
        return nil
      }
      chain.depth += 1
      return chain.depth
    }
    guard let depth else { return runAnew(call) }
    guard let depth else { return }
    call()
    if depth == limit {
      while let next = innermost({ $0.waiting.popFirst() }) ?? nil { next.make() }
    }
    _ = innermost { $0.depth -= 1 }
  }

  /// Makes a call that begins a chain, and all that wait for it.
  static func runAnew(_ call: () -> Void) {
    let thread = ThreadIdentity.current
    threads.withLock { $0[thread, default: []].append(Chain()) }
    call()
    threads.withLock { threads in
      threads[thread]!.removeLast()
      if threads[thread]!.isEmpty { threads[thread] = nil }
    }
  }

  /// Releases something that may release something alike.
  static func release<Something>(_ last: inout Something?) {
    var object = last.take()
    run { object = nil }
    withExtendedLifetime(object) {}
  }

  /// Reads and changes the innermost chain of the calling thread; nil if the thread is in none.
  private static func innermost<Result>(_ body: (inout Chain) -> Result) -> Result? {
    threads.withLock { threads in
      let thread = ThreadIdentity.current
      guard let last = threads[thread]?.indices.last else { return nil }
      return body(&threads[thread]![last])
    }
  }
}
