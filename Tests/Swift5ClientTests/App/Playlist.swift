import Dispatch
import Foundation
import SimpleEvents

/// A model that notifies lazily, and tells of its own changes and of those of its tracks with one event.
class Playlist {
  let cover: StoredTrack
  let theme: StoredTrack

  private lazy var proxy = SimpleEventProxy(events: cover.didChange, theme.didChange)
  var didChange: SimpleEventObservable { proxy }

  var name: String = "" {
    didSet { proxy.trigger(if: name != oldValue) }
  }

  init(cover: StoredTrack, theme: StoredTrack) {
    self.cover = cover
    self.theme = theme
  }
}

/// A subclass with a second proxy, of an array, that also listens to the first.
final class SharedPlaylist: Playlist {
  let owner: Track

  private(set) lazy var everything: SimpleEventProxy = SimpleEventProxy(
    queue: .main, events: [didChange, owner.didChange])

  /// A proxy is a lazy event: whoever wants one of those gets it.
  private(set) lazy var requests = SimpleMailbox<String>(event: everything)

  init(owner: Track, cover: StoredTrack, theme: StoredTrack) {
    self.owner = owner
    super.init(cover: cover, theme: theme)
  }
}

/// A job in a mailbox: neither equatable nor a value.
final class Job {
  let name: String

  init(_ name: String) {
    self.name = name
  }
}

/// Provides jobs, one at a time.
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

/// Takes them.
final class Consumer {
  private let producer: Producer
  private var producerDidChange: SimpleEventToken?
  private(set) var names: [String] = []

  init(producer: Producer) {
    self.producer = producer
    producer.didChange.addObserver(&producerDidChange) { [weak self] _ in
      self?.work()
    }
  }

  private func work() {
    if let job = producer.jobs.take() {
      names.append(job.name)
    }
  }
}
