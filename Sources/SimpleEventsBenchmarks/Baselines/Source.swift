internal import Dispatch

/// What Dispatch itself has for coalescing: a source that merges data until its handler has run.
struct Source: @unchecked Sendable {
  // NB: `@unchecked`, since Dispatch does not declare its sources to be what they are: made to be
  // triggered from any thread.
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
