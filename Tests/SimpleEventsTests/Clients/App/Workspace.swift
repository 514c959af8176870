import SimpleEvents

/// A main-actor class that owns a proxy, a mailbox and a group observer in lazy properties.
@MainActor
final class Workspace {
  private let parent = SimpleEvent()
  private let child = SimpleEvent()
  private lazy var proxy = SimpleEventProxy(of: parent, child)
  private(set) lazy var found = SimpleMailbox<String>(event: proxy)
  private lazy var group = SimpleEventGroupObserver(of: parent, child, policy: .debounce(.milliseconds(1))) {
    [weak self] fired in self?.refresh(fired.count)
  }
  private(set) var refreshed: [Int] = []
  var onRefresh: () -> Void = {}

  func change() {
    withExtendedLifetime(group) {}
    parent.coalescingNotifications {
      parent.trigger()
      child.trigger()
    }
  }

  private func refresh(_ count: Int) {
    refreshed.append(count)
    onRefresh()
  }
}
