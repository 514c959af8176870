import Foundation
import SimpleEvents
import SimpleObservables
import SimpleObservablesFoundation
import TestSupport
import Testing

extension Notification.Name {
  fileprivate static let titleDidChange: Notification.Name = Notification.Name("titleDidChange")
}

struct FoundationSnippets {
  @Test("Documentation: notifications are observed until the token or the bag is deallocated")
  func notifications() {
    let log = Log()
    func print(_ name: Notification.Name) { log.add(name.rawValue) }
    func print(_ notification: Notification) { log.add("in a bag") }

    let token = NotificationCenter.default.observe(.titleDidChange).subscribe { notification in
      print(notification.name)
    }
    let center = NotificationCenter.default
    let bag = DisposeBag()
    center.observe(.titleDidChange).subscribe { print($0) }.disposed(by: bag)

    center.post(name: .titleDidChange, object: nil)
    #expect(Set(log.entries) == ["titleDidChange", "in a bag"])
    withExtendedLifetime((token, bag)) {}
  }
}
