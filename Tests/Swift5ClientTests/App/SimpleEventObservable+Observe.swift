import SimpleEvents

extension SimpleEventObservable {
  /// A client's own method on all observables. It holds the owner weakly.
  func observe<Owner: AnyObject>(
    for owner: Owner, _ block: @escaping (Owner) -> Void
  ) -> SimpleEventToken? {
    addObserver { [weak owner] _ in
      owner.map(block)
    }
  }
}
