#if DEBUG
  import SimpleEvents
  @testable import SimpleObservables
  import Synchronization
  import Testing

  /// The invariants that debug builds check after each change.
  struct InvariantTests {
    @Test(
      "Invariants: the next change of a queue or a list finds a bug in its state",
      arguments: PlantedBug.allCases)
    func found(bug: PlantedBug) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [bug = bug as PlantedBug] in
        bug.plant()
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains(bug.message), "\(message)")
    }

    @Test("Invariants: the state is valid after each of many changes")
    func hold() {
      var list = SubscriberList()
      var subscriptions: [Subscription] = []
      for number in 0..<400 {
        if number % 3 == 2 {
          _ = list.remove(at: subscriptions.remove(at: number * 7 % subscriptions.count).position)
        } else {
          subscriptions.append(Subscription())
          list.append(subscriptions.last!)
        }
      }
      var count = 0
      list.forEach { _ in
        count += 1
        return true
      }
      #expect(count == subscriptions.count)
    }
  }

  /// A queue whose steps do nothing.
  private final class Steps: StepQueue<Int>, @unchecked Sendable {
    override func drain() { drain { _ in } }
  }

  /// A bug that a test plants in the state, in a separate process.
  enum PlantedBug: String, CaseIterable, Codable, Sendable {
    case idleWithSteps, queuedWithoutSteps, notUrgent, noThread, notReplaced, firstMisplaced, misplaced,
      uncounted, tooManyEmpty, lastEmpty

    /// The text that the message must contain.
    var message: String {
      switch self {
      case .idleWithSteps: "the phase of a step queue contradicts its queued steps"
      case .queuedWithoutSteps: "the phase of a step queue contradicts its queued steps"
      case .notUrgent: "the phase of a step queue and its first step do not agree on urgency"
      case .noThread: "no thread performs the step"
      case .notReplaced: "has not taken the place of the one before"
      case .firstMisplaced: "the first entry is in the first place"
      case .misplaced: "an entry knows its slot"
      case .uncounted: "empty slots are counted"
      case .tooManyEmpty: "at most half of the slots and a few more are empty"
      case .lastEmpty: "the last slot is not empty"
      }
    }

    /// Plants the bug, and makes a change. The check after the change finds the bug.
    func plant() {
      switch self {
      case .idleWithSteps:
        let steps = Steps()
        steps.withQueued {
          $0.append(QueuedStep(step: 1, isForeign: false, isReplaceable: false, isUrgent: false))
        }
        steps.submit(2) {}
      case .queuedWithoutSteps:
        let steps = Steps()
        steps.submit(1) {
          steps.phase.store(.queued, ordering: .relaxed)
          steps.performingThread.withLock { steps.checkInvariants($0) }
        }
      case .notUrgent:
        let steps = Steps()
        steps.submit(1) {
          steps.submit(2, isUrgent: true) {}
          steps.phase.store(.queued, ordering: .relaxed)
          steps.submit(3, if: { false }) {}
        }
      case .noThread:
        let steps = Steps()
        steps.phase.store(.performing, ordering: .relaxed)
        steps.submit(1, if: { false }) {}
      case .notReplaced:
        let steps = Steps()
        steps.submit(1) {
          steps.submit(2, admission: { .replaceable }) {}
          steps.withQueued {
            $0.append(QueuedStep(step: 3, isForeign: false, isReplaceable: true, isUrgent: false))
          }
          steps.submit(4, if: { false }) {}
        }
      case .firstMisplaced:
        let list = subscribers(2)
        list.first!.position = 1
        list.checkInvariants()
      case .misplaced:
        let list = subscribers(4)
        list.others!.slots[1]!.position = 7
        list.checkInvariants()
      case .uncounted:
        let list = subscribers(4)
        list.others!.slots[1] = nil
        list.checkInvariants()
      case .tooManyEmpty:
        let list = subscribers(4)
        list.others!.vacancies = 11
        list.checkInvariants()
      case .lastEmpty:
        let list = subscribers(4)
        list.others!.slots[2] = nil
        list.others!.vacancies = 1
        list.checkInvariants()
      }
    }

    private func subscribers(_ count: Int) -> SubscriberList {
      var list = SubscriberList()
      for _ in 0..<count { list.append(Subscription()) }
      return list
    }
  }
#endif
