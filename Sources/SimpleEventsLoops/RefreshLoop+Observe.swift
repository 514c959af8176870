public import SimpleEvents

extension RefreshLoop {
  /// Requests a run for each notification of an event, until the loop is closed, stopped or deallocated.
  ///
  /// The loop keeps the event alive until then. If the observation has to end earlier, do not use this
  /// method: add an observer that calls ``request()``. The release of its token ends the observation.
  ///
  /// - Parameters:
  ///   - event: The event to observe. Its notifications may come on any thread.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  /// - Complexity: Amortised O(1).
  public func observe(_ event: any SimpleEventObservable, fileID: StaticString = #fileID, line: UInt = #line)
  {
    let token = event.addObserver(at: CallSite(fileID: fileID, line: line)) { @Sendable [runs] _ in
      runs.request()
    }
    keep(event)
    if let token { keep(token) }
  }
}
