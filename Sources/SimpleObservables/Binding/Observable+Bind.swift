public import SimpleEvents

extension Observable {
  /// Sets a property of an object to each value.
  ///
  /// ```swift
  /// viewModel.title.bind(to: \.text, on: label).disposed(by: bag)
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - object: The object. When it has gone, values are ignored.
  ///   - strongly: Whether the subscription keeps the object alive; by default it does not.
  /// - Returns: The token. The property is left alone when it is removed or let go.
  public func bind<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Value>, on object: Root, strongly: Bool = false
  ) -> any SimpleEventToken {
    let target = Target(object, strongly: strongly)
    return subscribe(next: { target.object?[keyPath: keyPath] = $0 }, end: { _ in })
  }

  /// Sets an optional property of an object to each value.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - object: The object. When it has gone, values are ignored.
  ///   - strongly: Whether the subscription keeps the object alive; by default it does not.
  /// - Returns: The token. The property is left alone when it is removed or let go.
  public func bind<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Value?>, on object: Root, strongly: Bool = false
  ) -> any SimpleEventToken {
    let target = Target(object, strongly: strongly)
    return subscribe(next: { target.object?[keyPath: keyPath] = .some($0) }, end: { _ in })
  }

  /// Sends all values of this observable, and its end, through a subject.
  ///
  /// - Parameter subject: Kept alive by the subscription.
  /// - Returns: The token. Forwarding ends when it is removed or let go.
  public func forward(to subject: Subject<Value>) -> any SimpleEventToken {
    subscribe(next: { subject.update($0) }, end: { subject.broadcast.end($0) })
  }
}

extension Variable {
  /// Makes this variable follow another observable: it is set to each value of that.
  ///
  /// NB: the values flow toward the receiver, as in "bind this to that". To send them the other way, use
  /// ``Observable/forward(to:)``. The end of the source leaves this variable as it is.
  ///
  /// - Parameter source: The observable to follow; a variable sets this one at once. It does not keep this
  ///   variable alive.
  /// - Returns: The token. Following ends when it is removed or let go.
  public func bind(to source: Observable<Value>) -> any SimpleEventToken {
    source.subscribe(next: { [weak self] in self?.value = $0 }, end: { _ in })
  }
}

/// An object that a binding sets properties of, held weakly or not.
private struct Target<Object: AnyObject> {
  private weak var observed: Object?
  private let owned: Object?

  init(_ object: Object, strongly: Bool) {
    observed = object
    owned = strongly ? object : nil
  }

  var object: Object? { owned ?? observed }
}
