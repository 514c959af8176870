import Foundation
import SimpleEvents
import SimpleObservables
import SimpleObservablesFoundation
import TestSupport
import Testing

struct NotificationCenterTests {
  let center: NotificationCenter = NotificationCenter()
  let log: Log = Log()

  @Test("NotificationCenter: sends notifications synchronously until the token is removed")
  func notifications() {
    let token = center.observe(.rename).subscribe { log.add($0.name.rawValue) }
    center.post(name: .rename, object: nil)
    center.post(name: .other, object: nil)
    #expect(log.entries == ["rename"])
    token.remove()
    center.post(name: .rename, object: nil)
    #expect(log.entries == ["rename"])
  }

  @Test("NotificationCenter: sends only the notifications of the given object")
  func notificationsOfObject() {
    let object = Canary()
    let token = center.observe(.rename, object: object).subscribe { _ in log.add("x") }
    center.post(name: .rename, object: Canary())
    center.post(name: .rename, object: object)
    #expect(log.entries == ["x"])
    token.remove()
  }

  @Test("V5, NotificationCenter: an observer is registered only while there is a subscriber")
  func registration() {
    weak var weakCanary: Canary?
    do {
      let canary = Canary()
      weakCanary = canary
      let token = center.observe(.rename).subscribe { _ in withExtendedLifetime(canary) {} }
      withExtendedLifetime(token) { #expect(weakCanary != nil) }
    }
    #expect(weakCanary == nil)
  }
}

extension Notification.Name {
  fileprivate static let rename: Notification.Name = Notification.Name("rename")
  fileprivate static let other: Notification.Name = Notification.Name("other")
}
