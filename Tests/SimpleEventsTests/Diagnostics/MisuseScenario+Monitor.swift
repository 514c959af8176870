import SimpleEvents
import SimpleEventsTesting
import TestSupport

extension MisuseScenario {
  func misuseMonitor() {
    let (scheduler, log) = (TestScheduler(), MonitorLog())
    switch self {
    case .bootstrappedTwice:
      CoalescingSystem.bootstrap(log)
      site(#line + 1)
      CoalescingSystem.bootstrap(MonitorLog())
      let event = LazySimpleEvent(on: scheduler, label: "seen")
      require(log.records.map(\.source.label) == ["seen"])
      withExtendedLifetime(event) {}
    case .bootstrappedLate:
      let early = LazySimpleEvent(on: scheduler, label: "unseen")
      site(#line + 1)
      CoalescingSystem.bootstrap(log)
      let late = LazySimpleEvent(on: scheduler, label: "seen")
      require(log.records.map(\.source.label) == ["seen"])
      withExtendedLifetime((early, late)) {}
    default:
      break
    }
  }
}
