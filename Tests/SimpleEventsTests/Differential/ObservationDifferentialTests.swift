import Observation
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// O1: runs random programs on two events. The first event leaves changes to its iterators. The second has an
/// observer, so it leaves none.
struct ObservationDifferentialTests {
  @Observable fileprivate final class Model {
    var size: Int = 0
    var title: String = ""
  }

  /// An event, its iterators, and the calls that they have received.
  private final class Side {
    let event: ObservationEvent
    let log: Log = Log()
    private let notifications: EventNotifications
    private(set) var cursors: [NotificationCursor] = []
    private var tokens: [any SimpleEventToken] = []

    init(_ model: Model, on scheduler: TestScheduler) {
      event = ObservationEvent(on: scheduler) { _ = (model.size, model.title) }
      notifications = event.notifications
      addCursor()
    }

    func addCursor() { cursors.append(notifications.cursor.makeCursor()) }

    func endCursor(_ index: Int) { cursors.remove(at: index).end() }

    func wait(_ index: Int, _ number: Int) {
      cursors[index].wait { [log] _ in log.add("woken \(number)") }
    }

    func addObserver(_ number: Int) {
      tokens += [event.addObserver { [log] _ in log.add("notified \(number)") }].compactMap(\.self)
    }

    func removeObservers() { tokens.removeAll() }

    func take() -> [Bool] { cursors.map { $0.take() } }
  }

  @Test("O1, N2: an event that leaves changes to its iterators loses no change and adds no notification")
  func agrees() {
    for seed in Stress.seeds(20_000) {
      var generator = SeededGenerator(seed: seed)
      let scheduler = TestScheduler()
      let model = Model()
      let (leaving, usual) = (Side(model, on: scheduler), Side(model, on: scheduler))
      let token = usual.event.addObserver { _ in }
      func both(_ body: (Side) -> Void) {
        body(leaving)
        body(usual)
      }
      // Both sides have the same state when the event with the observer has notified, and all iterators have
      // taken their notifications.
      func compare() {
        scheduler.run()
        #expect(leaving.take() == usual.take(), "seed \(seed)")
        #expect(leaving.log.entries == usual.log.entries, "seed \(seed)")
        #expect(!usual.event.isPending)
        #expect(!leaving.event.isPending || leaving.cursors.isEmpty, "seed \(seed)")
      }
      for number in 0..<Int.random(in: 1...30, using: &generator) {
        let index = Int.random(in: 0..<8, using: &generator)
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<25: model.size += 1
        case 25..<35: model.title += "a"
        case 35..<45: both { $0.event.trigger() }
        case 45..<55: scheduler.run()
        case 55..<65: both { $0.event.flush() }
        case 65..<70:
          compare()
          model.size += 1
          both { $0.event.cancel() }
        case 70..<75: both { $0.addCursor() }
        case 75..<78: both { if index < $0.cursors.count { $0.endCursor(index) } }
        case 78..<85:
          // A cursor cannot take a notification while it waits, so the program continues only after the
          // cursor was woken.
          compare()
          guard index < leaving.cursors.count else { continue }
          both { $0.wait(index, number) }
          if index % 2 == 0 { model.size += 1 } else { both { $0.event.trigger() } }
        case 85..<90:
          // Without an iterator, a change is left until the observer is added.
          compare()
          if !leaving.cursors.isEmpty { both { $0.addObserver(number) } }
        case 90..<93: both { $0.removeObservers() }
        default: compare()
        }
      }
      compare()
      withExtendedLifetime(token) {}
    }
  }
}
