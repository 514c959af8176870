public import SimpleEvents

extension Observable {
  /// Sets a property of an object to each value.
  ///
  /// ```swift
  /// viewModel.title.bind(to: \.text, on: label).disposed(by: bag)
  /// ```
  ///
  /// The property is set on the thread that sends the value. A key path has no isolation, so the thread
  /// cannot be checked (E9). For a property of the main actor, use `observe(on: .main).bind(to:on:)`.
  ///
  /// - Parameters:
  ///   - keyPath: The property to set.
  ///   - object: The object that has the property. Values that are sent after its deallocation are ignored.
  ///   - strongly: Whether the subscription keeps the object alive. By default it does not.
  /// - Returns: The token. The binding ends when the token is removed or deallocated.
  public func bind<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Value>, on object: Root, strongly: Bool = false
  ) -> any SimpleEventToken {
    let target = Target(object, strongly: strongly)
    return subscribe(next: { target.object?[keyPath: keyPath] = $0 }, end: nil)
  }

  /// Sets an optional property of an object to each value.
  ///
  /// The property is set on the thread that sends the value. A key path has no isolation, so the thread
  /// cannot be checked (E9). For a property of the main actor, use `observe(on: .main).bind(to:on:)`.
  ///
  /// - Parameters:
  ///   - keyPath: The property to set.
  ///   - object: The object that has the property. Values that are sent after its deallocation are ignored.
  ///   - strongly: Whether the subscription keeps the object alive. By default it does not.
  /// - Returns: The token. The binding ends when the token is removed or deallocated.
  public func bind<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Value?>, on object: Root, strongly: Bool = false
  ) -> any SimpleEventToken {
    let target = Target(object, strongly: strongly)
    return subscribe(next: { target.object?[keyPath: keyPath] = .some($0) }, end: nil)
  }

  /// Sends the values of this observable through a subject.
  ///
  /// A subject can receive the values of several observables. By default, the end of one of them does not end
  /// the subject (V4). Two subjects that forward to each other would send forever: use `bind(to:)` of two
  /// variables with `Equatable` values instead.
  ///
  /// The observable and the subject have the same type of values. If only the values of the subject are
  /// optional, write `map(Optional.some).forward(to: subject)`.
  ///
  /// - Parameters:
  ///   - subject: The subject that sends the values. The subscription keeps it alive.
  ///   - includesEnd: Whether the end or an error of this observable ends the subject. If this observable is
  ///     a subject, its deallocation counts as its end.
  /// - Returns: The token. Forwarding ends when the token is removed or deallocated.
  public func forward(
    to subject: Subject<Value>, includingEnd includesEnd: Bool = false
  ) -> any SimpleEventToken {
    subscribe(
      next: { subject.update($0) }, end: { if includesEnd { subject.broadcast.end($0) } })
  }
}

/// The object whose property a binding sets. It is held weakly or strongly.
private struct Target<Object: AnyObject> {
  private weak var observed: Object?
  private let owned: Object?

  init(_ object: Object, strongly: Bool) {
    observed = object
    owned = strongly ? object : nil
  }

  var object: Object? { owned ?? observed }
}
