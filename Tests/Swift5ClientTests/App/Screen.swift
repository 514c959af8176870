import Dispatch
import Foundation
import SimpleEvents

/// A screen on the main actor. Its token, callback and group observer are lazy variables.
@MainActor final class Screen {
  private let playlist: SharedPlaylist
  private let loudness = LazySimpleEvent()
  private let marker = SimpleEvent()

  private(set) var refreshes: Int = 0
  private(set) var groups: [[SimpleEventObservable]] = []
  let deliveries = Deliveries()

  private lazy var token: SimpleEventToken? = playlist.didChange.addObserver { [weak self] _ in
    self?.refresh()
  }
  private lazy var callback = CoalescingCallback { [weak self] in
    self?.refresh()
  }
  private lazy var group = SimpleEventGroupObserver(events: loudness, marker, block: collect)

  init(playlist: SharedPlaylist) {
    self.playlist = playlist
  }

  func appear() {
    precondition(token != nil)
    group.simpleEventDidTrigger(marker)
  }

  func rotate() {
    callback.schedule()
    callback.schedule()
  }

  func turnUp() {
    loudness.trigger()
    marker.trigger()
  }

  func disappear() {
    token = nil
    group.remove()
  }

  private func refresh() {
    refreshes += 1
    deliveries.note()
  }

  private func collect(_ events: [SimpleEventObservable]) {
    groups.append(events)
    deliveries.note()
  }
}
