internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleObservables

/// A subscriber that requests values by number.
private final class Receiver {
  let subject: PublishSubject<Int> = PublishSubject()
  private(set) var values: [Int] = []
  private(set) var ends: Int = 0
  private(set) var isRunning: Bool = false
  private var value: DemandBuffer<Int, any Error>?

  init() {
    value = DemandBuffer(
      receive: { [unowned self] value in
        take {
          expect(ends == 0, "V4: no value follows the end")
          values.append(value)
        }
        return 0
      },
      complete: { [unowned self] _ in take { ends += 1 } },
      failure: { $0 })
    value?.connect(to: subject)
  }

  var calls: Int { values.count + ends }

  func request(_ count: Int?) { value?.request(count) }

  func cancel() { value?.cancel() }

  private func take(_ body: () -> Void) {
    expectUnlocked()
    expect(!isRunning, "V2: no subscriber is called by two threads at the same time")
    isRunning = true
    body()
    step()
    isRunning = false
  }
}

/// A thread sends values and the end, while another thread requests two values.
private let demandedValues: Scenario = Scenario("demanded-values", "V1 V2 V4") {
  let receiver = Receiver()
  parallel(
    {
      receiver.subject.update(1)
      receiver.subject.update(2)
      receiver.subject.finish()
    },
    {
      receiver.request(1)
      receiver.request(1)
    })
  expect(receiver.values == receiver.values.sorted(), "V1: values are delivered in order")
  expect(receiver.values.last == 2, "V1: the newest value is delivered once there is a demand for it")
  expect(receiver.ends == 1, "V4: the end reaches a subscriber once, after the last value")
}

/// A thread sends values and the end, while another thread requests a value and a third thread cancels.
private let demandCancelled: Scenario = Scenario("demand-cancelled", "E5 V2 V4") {
  let receiver = Receiver()
  /// The number of calls that may have been made after the cancellation.
  var count = 0
  parallel(
    {
      receiver.subject.update(1)
      receiver.subject.update(2)
      receiver.subject.finish()
    },
    { receiver.request(1) },
    {
      receiver.cancel()
      // The thread that sends may have decided on a further call.
      count = receiver.calls + (receiver.isRunning ? 0 : 1)
    })
  expect(receiver.calls <= count, "E5: a cancelled subscription delivers nothing")
  count = receiver.calls
  receiver.request(nil)
  expect(receiver.calls == count, "E5: a cancelled subscription delivers nothing")
}

/// The scenarios of subscribers that request values by number.
let demandBufferScenarios: [Scenario] = [demandedValues, demandCancelled]
