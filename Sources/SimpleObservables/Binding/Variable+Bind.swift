public import SimpleEvents

extension Variable {
  /// Makes this variable follow another observable: it is set to each value of that observable.
  ///
  /// ```swift
  /// label.isHidden.bind(to: model.isLoading).disposed(by: bag)
  /// ```
  ///
  /// The receiver follows the argument. To send values from the receiver to the argument, use
  /// ``Observable/forward(to:includingEnd:)``. The end of the source leaves this variable as it is.
  ///
  /// If the values are `Equatable`, a value that is equal to the variable's own is ignored, so that two
  /// variables can follow each other. Otherwise they would set each other without end, as would a variable
  /// that follows itself. Both are flagged in debug builds.
  ///
  /// - Parameters:
  ///   - source: The observable to follow; a variable sets this one immediately. It does not keep this
  ///     variable alive.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  /// - Returns: The token. Following ends when it is removed or deallocated.
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
  /// Makes this variable follow another observable: it is set to each value of that observable that differs
  /// from its own.
  ///
  /// The receiver follows the argument. To send values from the receiver to the argument, use
  /// ``Observable/forward(to:includingEnd:)``. The end of the source leaves this variable as it is.
  ///
  /// Two variables can follow each other, because a value that is equal to the variable's own does not set it
  /// again. Of a source that is a variable, the newest value counts, even if it is set during the delivery of
  /// an earlier one. Set both on the same thread: if two threads set them at the same time, the variables may
  /// exchange their values for a while. A value that does not equal itself, such as a NaN, would be exchanged
  /// without end.
  ///
  /// - Parameters:
  ///   - source: The observable to follow; a variable sets this one immediately. It does not keep this
  ///     variable alive. A variable that follows itself is flagged in debug builds.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  /// - Returns: The token. Following ends when it is removed or deallocated.
  public func bind(
    to source: Observable<Value>, fileID: StaticString = #fileID, line: UInt = #line
  ) -> any SimpleEventToken {
    guard !flagIfSame(source, at: CallSite(fileID: fileID, line: line)) else {
      return Disposable(plain: {})
    }
    // NB: the newest value, because the variables would otherwise exchange the delivered value and a newer
    // one, which is queued, without end. The source releases its subscribers, and thus the broadcast, in its
    // `deinit`.
    let origin = (source as? Variable<Value>)?.broadcast
    return source.subscribe(
      next: { [weak self] delivered in
        let value = origin?.newest ?? delivered
        if let self, self.value != value { broadcast.send(value) }
      }, end: nil)
  }
}
