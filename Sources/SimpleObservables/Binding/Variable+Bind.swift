public import SimpleEvents

extension Variable {
  /// Makes this variable follow another observable: it is set to each value of that observable.
  ///
  /// ```swift
  /// label.isHidden.bind(to: model.isLoading).disposed(by: bag)
  /// ```
  ///
  /// The receiver follows the argument. To send values from the receiver to the argument, use
  /// ``Observable/forward(to:includingEnd:)``. The end of the source does not end this variable.
  ///
  /// If the values are `Equatable`, a value that equals the variable's own value is ignored, so that two
  /// variables can follow each other. Without `Equatable` values, two such variables would set each other
  /// forever, and a variable that follows itself would set itself forever. Both are flagged in debug builds.
  ///
  /// - Parameters:
  ///   - source: The observable to follow. If the source is a variable, this variable is set to the value of
  ///     the source immediately. During a delivery of the source, this variable is set after that delivery.
  ///     The source does not keep this variable alive.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  /// - Returns: The token. Following ends when the token is removed or deallocated.
  public func bind(
    to source: Observable<Value>, fileID: StaticString = #fileID, line: UInt = #line
  ) -> any SimpleEventToken {
    let site = CallSite(fileID: fileID, line: line)
    guard !flagIfSame(source, at: site) else { return Disposable(plain: {}) }
    #if DEBUG
      if let variable = source as? Variable<Value> {
        if variable.followed.contains(self) {
          let subject = DiagnosticSubject(type(of: self))
          subject.misuse.flag(.boundInCircle(subject, at: site))
        }
        return followed.add(variable, until: follow(source))
      }
    #endif
    return follow(source)
  }

  private func follow(_ source: Observable<Value>) -> any SimpleEventToken {
    source.subscribe(next: { [weak self] in self?.broadcast.send($0) }, end: nil)
  }

  /// Flags a binding of the variable to itself; returns whether the source is this variable.
  fileprivate func flagIfSame(_ source: Observable<Value>, at site: CallSite) -> Bool {
    guard source === self else { return false }
    let subject = DiagnosticSubject(type(of: self))
    subject.misuse.flag(.boundToItself(subject, at: site))
    return true
  }
}

extension Variable where Value: Equatable {
  /// Makes this variable follow another observable: it is set to each value that differs from its current
  /// value.
  ///
  /// The receiver follows the argument. To send values from the receiver to the argument, use
  /// ``Observable/forward(to:includingEnd:)``. The end of the source does not end this variable.
  ///
  /// Two variables can follow each other, because a value that equals the variable's own value does not set
  /// it again. If the source is a variable, this variable is set to the newest value of the source, even
  /// while the source is still delivering an earlier value. Set both variables on the same thread: if two
  /// threads set them at the same time, the variables may exchange their values for a while. A value that
  /// does not equal itself, such as a NaN, would be exchanged forever.
  ///
  /// - Parameters:
  ///   - source: The observable to follow. If the source is a variable, this variable is set to the value of
  ///     the source immediately. During a delivery of the source, this variable is set after that delivery.
  ///     The source does not keep this variable alive. A variable that follows itself is flagged in debug
  ///     builds.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  /// - Returns: The token. Following ends when the token is removed or deallocated.
  public func bind(
    to source: Observable<Value>, fileID: StaticString = #fileID, line: UInt = #line
  ) -> any SimpleEventToken {
    guard !flagIfSame(source, at: CallSite(fileID: fileID, line: line)) else {
      return Disposable(plain: {})
    }
    // NB: the newest value is used, because the variables would otherwise exchange the delivered value and a
    // queued newer value forever. The closure retains the broadcast of the source until the source releases
    // its subscribers, in its `deinit`.
    let origin = (source as? Variable<Value>)?.broadcast
    return source.subscribe(
      next: { [weak self] delivered in
        let value = origin?.newest ?? delivered
        if let self, self.value != value { broadcast.send(value) }
      }, end: nil)
  }
}
