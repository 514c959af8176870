import SimpleEvents

extension ObserverHub: ListUnderTest where T == any Watching {
  convenience init(reportingTo log: HubMisuseLog) {
    self.init(misuse: .report { misuse in log.add(misuse.kind) })
  }

  func put(_ observer: any Watching) { add(observer) }
  func take(_ observer: any Watching) { remove(observer) }
  func each(_ body: (any Watching) throws -> Void) throws { try forEach(body) }
}
