#if DEBUG
  @testable import SimpleEvents
  import Testing

  /// Runs each check of invariants on a state that a defect would leave behind.
  struct InvariantTests {
    /// A defect, and the check that finds it.
    enum Defect: String, CaseIterable, Codable {
      case queueKeepsLeft, gateDropsDue, gateArmsClosedWindow, gateWithoutTimer, heapUnordered, slotKeepsWork
      case entryMisplaced, vacancyUncounted, collectorOverLimit, collectorPlaceLost, waitUncounted
      case actorWithoutJob, workWithoutTimer, cursorEndedTwice, iteratorUncounted
      case runWithoutTask, taskDuringRun, eventWithTask
      case signalUncounted, signalWithoutInstant

      func plant() {
        switch self {
        case .queueKeepsLeft:
          var queue = Fifo([1, 2])
          queue.head = 1
          queue.checkInvariants()
        case .gateDropsDue:
          var gate = CoalescingGate(policy: .nextTurn)
          gate.flags = .due
          gate.checkInvariants()
        case .gateArmsClosedWindow:
          var gate = CoalescingGate(policy: .audit(.seconds(1)))
          gate.flags = .armed
          gate.checkInvariants()
        case .gateWithoutTimer:
          var gate = CoalescingGate(policy: .audit(.seconds(1)))
          _ = gate.signal(at: EventInstant(nanoseconds: 0))
          gate.flags.remove(.armed)
          gate.checkInvariants()
        case .heapUnordered:
          var queue = Self.queue()
          queue.items.swapAt(0, 1)
          queue.checkInvariants()
        case .slotKeepsWork:
          var queue = Self.queue()
          queue.freeSlots.append(0)
          queue.checkInvariants()
        case .entryMisplaced:
          let list = Self.list()
          list.others!.slots[0]!.position = 7
          list.checkInvariants()
        case .vacancyUncounted:
          let list = Self.list()
          list.others!.vacancies = 1
          list.checkInvariants()
        case .collectorOverLimit:
          var store = CollectorStore<Int>(limit: 1)
          _ = store.addNewest(1)
          store.batch.elements.append(2)
          store.checkInvariants()
        case .collectorPlaceLost:
          var store = CollectorStore<Int>(limit: 2)
          _ = store.addDistinct(1, 1)
          store.latest[1] = 5
          store.checkInvariants()
        case .waitUncounted:
          var waits = WaitList<QueuedWait>()
          let wait = QueuedWait()
          _ = waits.add(wait) { _ in }
          _ = wait.state.end(.cancelled)
          waits.checkInvariants()
        case .actorWithoutJob:
          var state = ActorWorkQueue.State()
          state.waiting.append {}
          state.checkInvariants()
        case .workWithoutTimer:
          var state = QueueTimers.State()
          state.queue.push(QueuedWork {}, at: .distantFuture)
          state.checkInvariants()
        case .cursorEndedTwice:
          let counter = Self.counter()
          counter.checkInvariants(NotificationCounter.State(cursorCount: -1))
        case .iteratorUncounted:
          let counter = Self.counter()
          var state = NotificationCounter.State(cursorCount: 1)
          _ = state.waits.add(CursorWait(seen: 0)) { _ in }
          counter.checkInvariants(state)
        case .runWithoutTask:
          var gate = CoalescingGate(policy: .nextTurn.makingRuns(.makesRuns))
          gate.flags = .due
          gate.checkInvariants()
        case .taskDuringRun:
          var gate = CoalescingGate(policy: .nextTurn.makingRuns(.makesRuns))
          gate.flags = .running
          gate.flags.insert(.starting)
          gate.checkInvariants()
        case .eventWithTask:
          var gate = CoalescingGate(policy: .nextTurn)
          gate.flags = .next
          gate.checkInvariants()
        case .signalUncounted:
          var state = SourceState()
          state.noteSignals(1, at: EventInstant(nanoseconds: 0))
          state.pending.count = 2
          state.checkInvariants()
        case .signalWithoutInstant:
          var state = SourceState()
          state.noteSignals(1, at: nil)
        }
      }

      private static func queue() -> TimeQueue<QueuedWork> {
        var queue = TimeQueue<QueuedWork>()
        for instant in 0..<2 { queue.push(QueuedWork {}, at: EventInstant(nanoseconds: Int64(instant))) }
        return queue
      }

      private static func counter() -> NotificationCounter {
        NotificationCounter(DiagnosticSubject(SimpleEvent.self))
      }

      private static func list() -> ObserverList.Entries {
        var list = ObserverList.Entries()
        for _ in 0..<2 { list.append(BlockObserver({ _ in }, at: nil)) }
        return list
      }
    }

    @Test("States: the check after a change finds a defect", arguments: Defect.allCases)
    func planted(_ defect: Defect) async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [defect] in
        defect.plant()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("SimpleEvents invariant"), "\(defect): \(text)")
    }
  }
#endif
