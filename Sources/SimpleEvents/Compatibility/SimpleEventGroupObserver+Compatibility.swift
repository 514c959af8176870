extension SimpleEventGroupObserver {
  /// Creates an observer of an array of events, as MMMObservables does.
  ///
  /// - Parameters:
  ///   - events: The events to observe. One that is listed twice is observed once.
  ///   - debounceTimeout: Seconds. Zero or less delivers on the next turn.
  ///   - debouncePolicy: The meaning of the timeout.
  ///   - label: The name of the observer in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - block: Called on the main queue with the events that fired.
  public convenience init(
    events: [any SimpleEventObservable], debounceTimeout: Double = 0,
    debouncePolicy: DebouncePolicy = .default, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping @isolated(any) ([any SimpleEventObservable]) -> Void
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    self.init(
      of: events, on: .main, policy: debouncePolicy.policy(timeout: debounceTimeout, subject), label: label,
      misuse: misuse, fileID: fileID, line: line, block: block)
  }

  /// Creates an observer of the listed events, as MMMObservables does.
  public convenience init(
    events: any SimpleEventObservable..., debounceTimeout: Double = 0,
    debouncePolicy: DebouncePolicy = .default, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping @isolated(any) ([any SimpleEventObservable]) -> Void
  ) {
    self.init(
      events: events, debounceTimeout: debounceTimeout, debouncePolicy: debouncePolicy, label: label,
      misuse: misuse, fileID: fileID, line: line, block: block)
  }
}

extension SimpleEventGroupObserver: SimpleEventObserver {
  /// Takes in that an event fired, as if it were one of the observed.
  public func simpleEventDidTrigger(_ event: any SimpleEventObservable) { fired?.add(event) }
}
