import SimpleEvents
import TestSupport

extension ObserverHub: ListUnderTest where T == any Watching {
  convenience init(reportingTo reports: Shared<[Misuse.Kind]>) {
    self.init(misuse: .report { misuse in reports.change { $0.append(misuse.kind) } })
  }

  func put(_ observer: any Watching) { add(observer) }
  func take(_ observer: any Watching) { remove(observer) }
  func each(_ body: (any Watching) throws -> Void) throws { try forEach(body) }
}
