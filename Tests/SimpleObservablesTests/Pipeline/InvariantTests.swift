#if DEBUG
  import SimpleEvents
  @testable import SimpleObservables
  import Synchronization
  import Testing

  /// The invariants that debug builds check after each change.
  @Suite struct InvariantTests {
    @Test(
      "a bug in the state of a queue or a list is found by the next change", arguments: PlantedBug.allCases)
    func found(bug: PlantedBug) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [bug = bug as PlantedBug] in
        bug.plant()
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains(bug.message), "\(message)")
    }

    @Test("Invariants hold after each of many changes")
    func hold() {
      var list = SubscriberList()
      var subscriptions: [Subscription] = []
      for number in 0..<400 {
        if number % 3 == 2 {
          _ = list.remove(subscriptions.remove(at: number * 7 % subscriptions.count))
        } else {
          subscriptions.append(Subscription())
          list.append(SubscriberEntry(subscriptions.last!))
        }
      }
      var count = 0
      list.forEach { _ in count += 1 }
      #expect(count == subscriptions.count)
      list.releaseAll()
    }
  }

  /// A queue whose steps do nothing.
  private final class Steps: StepQueue<Int>, @unchecked Sendable {
    override func drain() { drain({ _ in }, again: { [self] in drain() }) }
  }

  /// A bug that is planted in the state, for a process of its own.
  enum PlantedBug: String, CaseIterable, Codable, Sendable {
    case idleWithSteps, queuedWithoutSteps, noThread, notReplaced, misplaced, uncounted, tooLong

    /// The text that the message contains.
    var message: String {
      switch self {
      case .idleWithSteps: "a step queue with steps is not queued"
      case .queuedWithoutSteps: "or an empty one is"
      case .noThread: "no thread performs the step"
      case .notReplaced: "has not taken the place of the one before"
      case .misplaced: "a subscriber at 2 is noted at 7"
      case .uncounted: "1 slots are empty, and 0 are noted"
      case .tooLong: "a list of subscribers has"
      }
    }

    /// Plants the bug, and makes the change that finds it.
    func plant() {
      switch self {
      case .idleWithSteps:
        let steps = Steps()
        steps.queued.append(QueuedStep(step: 1, isForeign: false, isReplaceable: false))
        steps.submit(2) {}
      case .queuedWithoutSteps:
        let steps = Steps()
        steps.submit(1) {
          steps.phase.store(.queued, ordering: .relaxed)
          steps.performingThread.withLock { steps.checkInvariants($0) }
        }
      case .noThread:
        let steps = Steps()
        steps.phase.store(.performing, ordering: .relaxed)
        steps.submit(1, if: { false }) {}
      case .notReplaced:
        let steps = Steps()
        steps.submit(1) {
          steps.submit(2, admission: { .replaceable }) {}
          steps.queued.append(QueuedStep(step: 3, isForeign: false, isReplaceable: true))
          steps.submit(4, if: { false }) {}
        }
      case .misplaced:
        var list = SubscriberList()
        let subscriptions = (0..<3).map { _ in Subscription() }
        for subscription in subscriptions { list.append(SubscriberEntry(subscription)) }
        subscriptions[2].position = 7
        list.append(SubscriberEntry(Subscription()))
      case .uncounted:
        var list = SubscriberList()
        let subscriptions = (0..<4).map { _ in Subscription() }
        for subscription in subscriptions { list.append(SubscriberEntry(subscription)) }
        _ = list.remove(subscriptions[1])
        list.header!.pointee.vacancies = 0
        list.append(SubscriberEntry(Subscription()))
      case .tooLong:
        let list = subscribers(3)
        list.header!.pointee.length += 8
        list.checkInvariants()
      }
    }

    private func subscribers(_ count: Int) -> SubscriberList {
      var list = SubscriberList()
      for _ in 0..<count { list.append(SubscriberEntry(Subscription())) }
      return list
    }
  }
#endif
