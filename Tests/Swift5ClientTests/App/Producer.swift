import SimpleEvents

/// Puts jobs into a mailbox, one at a time.
final class Producer {
  private let _didChange: LazySimpleEvent
  var didChange: SimpleEventObservable { _didChange }

  private(set) lazy var jobs = SimpleMailbox<Job>(event: _didChange)
  private(set) lazy var titles = SimpleMailbox<String?>(event: _didChange)

  init(event: LazySimpleEvent = LazySimpleEvent()) {
    _didChange = event
  }

  func produce(_ name: String) {
    jobs.placeIfFits(Job(name))
  }
}
