public import Dispatch

// These are the `queue:` initialisers of MMMObservables. The queue has no default value where a default would
// make the call ambiguous with an initialiser that takes `on:`.

extension CoalescingCallback {
  /// Creates a callback on a queue, as MMMObservables does.
  public convenience init(
    queue: DispatchQueue, fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping @isolated(any) () -> Void
  ) {
    self.init(on: queue, fileID: fileID, line: line, block: block)
  }
}

extension LazySimpleEvent {
  /// Creates an event on a queue, as MMMObservables does.
  public convenience init(queue: DispatchQueue, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(on: queue, fileID: fileID, line: line)
  }
}

extension SimpleEventProxy {
  /// Creates a proxy of an array of events on a queue, as MMMObservables does.
  public convenience init(
    queue: DispatchQueue = .main, events: [any SimpleEventObservable], fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(of: events, on: queue, fileID: fileID, line: line)
  }

  /// Creates a proxy of the listed events on a queue, as MMMObservables does.
  public convenience init(
    queue: DispatchQueue = .main, events: any SimpleEventObservable..., fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(of: events, on: queue, fileID: fileID, line: line)
  }
}
