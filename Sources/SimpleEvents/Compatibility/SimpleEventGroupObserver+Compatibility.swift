extension SimpleEventGroupObserver {
  /// Creates an observer of an array of events, as MMMObservables does.
  ///
  /// The block is called on the main queue. The timeout is in seconds; zero or less delivers on the next
  /// turn.
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
  /// Counts an event as fired, as if it were one of the observed events.
  public func simpleEventDidTrigger(_ event: any SimpleEventObservable) { fired?.add(event) }
}
