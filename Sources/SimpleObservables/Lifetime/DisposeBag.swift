public import SimpleEvents

/// Tokens that are kept together, and let go together with whoever owns them.
///
/// ```swift
/// private var bag = DisposeBag()
/// model.title.subscribe { print($0) }.disposed(by: &bag)
/// ```
public typealias DisposeBag = [any SimpleEventToken]

extension SimpleEventToken {
  /// Puts this token into a bag, which keeps it.
  public func disposed(by bag: inout DisposeBag) {
    bag.append(self)
  }

  /// Hands this token to a disposer, which keeps it until it disposes.
  public func disposed(by disposer: Disposer) {
    disposer.add(self)
  }
}
