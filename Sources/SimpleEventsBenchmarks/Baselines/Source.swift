internal import Dispatch

/// Coalescing by Dispatch: a source that merges data until its handler runs.
///
/// SAFETY: `@unchecked`, because Dispatch does not declare its sources `Sendable`. Any thread may use them.
struct Source: @unchecked Sendable {
  let source: any DispatchSourceUserDataOr

  init(_ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeUserDataOrSource(queue: queue)
    source.setEventHandler(handler: handler)
    source.activate()
  }

  @inline(__always)
  func trigger() {
    source.or(data: 1)
  }
}

extension Subject {
  /// Returns the subject of a source that merges data while its handler is pending.
  static var pendingSource: Subject {
    Subject(Baseline.source) { fixture in
      let queue = fixture.queue()
      let sink = fixture.sink
      let source = Source(queue) { sink.hit() }
      return .pending(fixture, queue, keeping: nil) {
        for _ in 0..<fixture.n {
          source.trigger()
        }
      }
    }
  }
}
