/// The observable of an operator: it connects each of its subscribers to its sources.
@_fixed_layout
@usableFromInline
final class Operator<Value>: Observable<Value> {
  /// The function in a structure of its own, because a generic function takes a bare one as a copy.
  @frozen
  @usableFromInline
  struct Connection {
    @usableFromInline let connect: (Observer<Value>) -> Void

    @inlinable
    init(connect: @escaping (Observer<Value>) -> Void) { self.connect = connect }
  }

  /// How many operators there are from here to the farthest source, this one included.
  @usableFromInline let distance: Int
  /// Makes a source send its signals to an observer, one at a time, and adds what ends this to the observer's
  /// subscription.
  ///
  /// SAFETY: nil only after the last reference is gone.
  @exclusivity(unchecked) @usableFromInline var connection: Connection?

  /// - Parameters:
  ///   - upstream: The largest depth of a source; zero without sources.
  ///   - connectSources: Connects an observer to the sources.
  @inlinable
  init(after upstream: Int, _ connectSources: @escaping (Observer<Value>) -> Void) {
    distance = upstream + 1
    unsafe connection = Connection(connect: connectSources)
    super.init()
  }

  deinit {
    if ChainBreak<Value>.isDue(at: distance) { unsafe DeepCalls.release(&connection) }
  }

  override var depth: Int { distance }

  override var publicType: Any.Type { Observable<Value>.self }

  @usableFromInline
  override func attach(_ observer: Observer<Value>) {
    guard ChainBreak<Value>.isDue(at: distance) else { return unsafe connection!.connect(observer) }
    let link = ChainBreak(observer)
    DeepCalls.run { [self] in unsafe connection!.connect(link.observer) }
  }
}

// SAFETY: as its superclass. The function is never replaced while there is a reference.
extension Operator: @unchecked Sendable where Value: Sendable {}
