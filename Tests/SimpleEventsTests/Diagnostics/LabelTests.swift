import SimpleEvents
import SimpleEventsTesting
import Testing

/// The labels of objects that are not events.
struct LabelTests {
  @Test("Diagnostics: every object shows the label that it was created with", arguments: ["a", nil])
  func label(_ label: String?) {
    let scheduler = TestScheduler(label: label)
    let labels: [String?] = [
      scheduler.label,
      ObserverHub<any SimpleEventObserver>(label: label).label,
      CoalescingCallback(on: scheduler, label: label) {}.label,
      CoalescingCollector<Int>(on: scheduler, keeping: .newest(1), label: label) { _ in }.label,
      SimpleEventGroupObserver(of: [], on: scheduler, label: label) { _ in }.label,
      LatestCall(on: scheduler, label: label).label,
      KeyedCallback<Int>(on: scheduler, label: label) { _ in }.label,
      KeyedCollector<Int, Int>(on: scheduler, keeping: .newest(1), label: label) { _, _ in }.label,
      RateLimiter(every: .seconds(1), on: scheduler, label: label).label,
      SimpleMailbox<Int>(label: label).label,
    ]
    #expect(labels == Array(repeating: label, count: labels.count))
  }
}
