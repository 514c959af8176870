internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleEventsLoops

/// The answer for which a caller of a loop waits.
private final class Answer {
  private let wait: AnswerWait = AnswerWait()
  private let runs: LoopRuns
  private(set) var count: Int = 0
  private(set) var end: CancellableWait.End?

  init(_ runs: LoopRuns) { self.runs = runs }

  var hasSucceeded: Bool { end == .reached && wait.error == nil }

  /// Requests a run.
  ///
  /// - Parameter body: Called with the answer.
  func request(_ body: @escaping () -> Void = {}) {
    // SAFETY: all fibers run on one thread.
    nonisolated(unsafe) let (answer, body) = (self, body)
    runs.request(wait) { end in
      expectUnlocked()
      answer.count += 1
      answer.end = end
      body()
    }
  }

  func cancel() { runs.cancel(wait) }

  func expectOne() { expect(count == 1, "L10: a caller has exactly one answer") }
}

/// Creates the runs of an owned loop. Their tasks are turns of a concurrent queue.
private func makeRuns(
  _ policy: CoalescingPolicy, _ whenBusy: RefreshLoop.WhenBusy, _ body: @escaping (LoopRuns) -> Void
) -> LoopRuns {
  let tasks = DispatchQueue(label: "tasks", attributes: .concurrent)
  return LoopRuns(
    on: DispatchQueue(label: "queue"), policy: policy, whenBusy: whenBusy, DiagnosticSubject(Answer.self)
  ) { runs, task, _ in
    tasks.run {
      guard case .run = runs.begin(task) else { return }
      step()
      body(runs)
    }
  }
}

/// Two callers make requests. Each is answered by a run that has read the caller's data.
private func answers(_ policy: NamedPolicy, _ whenBusy: RefreshLoop.WhenBusy) -> Scenario {
  Scenario("answers-\(policy.name)-\(whenBusy)", "L10 L2 C2") {
    let data = (Datum(), Datum())
    let runs = makeRuns(policy.policy, whenBusy) { runs in
      data.0.read()
      data.1.read()
      runs.end(.succeeded)
    }
    let callers = (Answer(runs), Answer(runs))
    let isExact = policy.isComplete && whenBusy != .ignore
    parallel(
      {
        data.0.write()
        callers.0.request { if isExact { expect(data.0.isSeen, "L10: a run after the request answers it") } }
      },
      {
        data.1.write()
        callers.1.request { if isExact { expect(data.1.isSeen, "L10: a run after the request answers it") } }
      },
      { runs.request() })
    settle()
    callers.0.expectOne()
    callers.1.expectOne()
    expect(callers.0.hasSucceeded && callers.1.hasSucceeded, "L10: a run that has succeeded is the answer")
    runs.stop()
  }
}

/// A caller is cancelled while its run begins and ends.
private let callerCancelled: Scenario = Scenario("answer-cancelled-caller", "L10 M3") {
  let datum = Datum()
  let runs = makeRuns(.nextTurn, .rerun) { runs in
    datum.read()
    runs.end(.succeeded)
  }
  let caller = Answer(runs)
  var isBefore = false
  parallel(
    {
      datum.write()
      caller.request()
    },
    {
      isBefore = caller.count == 0
      caller.cancel()
    })
  settle()
  caller.expectOne()
  expect(isBefore || caller.hasSucceeded, "L10: an answer stays")
  expect(runs.isSettled, "L10: a caller that is cancelled leaves nothing pending")
}

/// A call drops the pending requests while a caller makes a request.
private func dropped(
  _ name: String, _ policy: NamedPolicy, _ drop: @escaping @Sendable (LoopRuns) -> Void
) -> Scenario {
  Scenario("answer-\(name)-\(policy.name)", "L10 L5 C7") {
    let runs = makeRuns(policy.policy, .rerun) { $0.end(.succeeded) }
    let callers = (Answer(runs), Answer(runs))
    callers.0.request()
    parallel({ callers.1.request() }, { drop(runs) }, { runs.request() })
    settle()
    callers.0.expectOne()
    callers.1.expectOne()
    expect(runs.isSettled, "L5: nothing is pending")
    runs.stop()
  }
}

/// A run fails, or is cancelled, while a second caller makes a request. The run that replaces it answers the
/// first caller.
private func replaced(_ whenBusy: RefreshLoop.WhenBusy) -> Scenario {
  Scenario("answer-replaced-\(whenBusy)", "L10 L3 L8") {
    var count = 0
    let runs = makeRuns(.nextTurn, whenBusy) { runs in
      count += 1
      runs.end(count == 1 ? (whenBusy == .restart ? .cancelled : .failed(retryAfter: .zero)) : .succeeded)
    }
    let callers = (Answer(runs), Answer(runs))
    parallel({ callers.0.request() }, { callers.1.request() })
    settle()
    callers.0.expectOne()
    callers.1.expectOne()
    expect(
      callers.0.hasSucceeded || callers.1.hasSucceeded || count == 1,
      "L10: the run that follows answers the requests of a run that is repeated")
    if whenBusy != .restart {
      expect(
        callers.0.hasSucceeded && callers.1.hasSucceeded, "L10: the attempt that has succeeded is the answer")
    }
    runs.stop()
  }
}

/// The host of a closed loop is cancelled while a caller makes a request.
private let closedHost: Scenario = Scenario("answer-closed-host", "L10 L5 L7") {
  let loop = HostedLoop(.nextTurn)
  let host = loop.host {}
  let caller = Answer(loop.runs)
  var (isClosed, isClosedBefore) = (false, false)
  parallel(
    { caller.request() },
    {
      loop.runs.close()
      isClosed = true
    },
    {
      isClosedBefore = isClosed
      host?.cancel()
    })
  settle()
  expect(host?.hasLeft == true, "L7: a host that is cancelled leaves")
  // A loop that is closed without a host leaves the request to a later host.
  expect(!isClosedBefore || caller.count == 1, "L5: a closed loop ends with its host")
  loop.runs.stop()
  settle()
  caller.expectOne()
}

/// Callers wait for the batches of their elements, while a call drops elements or cancels a caller.
private func elements(
  _ name: String, _ limit: @escaping @Sendable () -> ElementLimit<Int>,
  _ drop: @escaping @Sendable (LoopRuns, ElementCaller) -> Void
) -> Scenario {
  Scenario("answer-element-\(name)", "L10 C9 L9") {
    let tasks = DispatchQueue(label: "tasks", attributes: .concurrent)
    let subject = DiagnosticSubject(Answer.self)
    let elements = BatchElements<Int>(keeping: limit(), for: subject)
    var saved: Set<Int> = []
    var attempts = 0
    let runs = LoopRuns(on: DispatchQueue(label: "queue"), policy: .nextTurn, subject, input: elements) {
      runs, task, _ in
      tasks.run {
        var taken: BatchElements<Int>.Taken?
        guard case .run = runs.begin(task, taking: { taken = elements.take() }) else { return }
        guard let batch = elements.value(of: taken!) else { return _ = runs.end(.succeeded) }
        taken = nil
        attempts += 1
        let fails = attempts == 1
        if !fails { saved.formUnion(batch.batch) }
        var isKept = false
        runs.end(fails ? .failed(retryAfter: .zero) : .succeeded) {
          isKept = true
          elements.keep(batch)
        }
        if !isKept { elements.answer(batch, fails ? CancellationError() : nil) }
      }
    }
    let callers = (1...3).map { ($0, ElementCaller(), Counter()) }
    // SAFETY: all fibers run on one thread.
    nonisolated(unsafe) let (unsafeElements, unsafeCallers) = (elements, callers)
    let add = { @Sendable (index: Int) in
      let (number, caller, answers) = unsafeCallers[index]
      let isWaiting = caller.begin { _ in
        expectUnlocked()
        answers.value += 1
      }
      if isWaiting { unsafeElements.queued.add(LoopElement(number, for: caller), to: runs) }
    }
    add(0)
    parallel({ add(1) }, { add(2) }, { drop(runs, unsafeCallers[0].1) })
    settle()
    for (number, caller, answers) in callers {
      expect(answers.value == 1, "L10: a caller has exactly one answer")
      if name == "combined" {
        expect(caller.error == nil, "L10: the batch of the successor of an element answers")
      } else {
        expect(caller.error != nil || saved.contains(number), "L10: the batch of an element answers")
      }
    }
    runs.stop()
  }
}

let answerScenarios: [Scenario] = {
  let policies = NamedPolicy.all.filter { ["nextTurn", "throttle", "leading"].contains($0.name) }
  let elementScenarios = [
    elements("cancel", { .unlimited }) { runs, _ in runs.cancel() },
    elements("stop", { .unlimited }) { runs, _ in runs.stop() },
    elements("finish", { .unlimited }) { runs, _ in runs.close() },
    elements("caller", { .unlimited }) { $1.end(.cancelled, with: CancellationError()) },
    elements("newest", { .newest(2) }) { runs, _ in runs.flush() },
    elements("oldest", { .oldest(2) }) { runs, _ in runs.flush() },
    elements("combined", { .combined { $0 + $1 } }) { runs, _ in runs.flush() },
  ]
  return [callerCancelled, closedHost, replaced(.rerun), replaced(.restart)] + elementScenarios
    + policies.flatMap { policy -> [Scenario] in
      [
        answers(policy, .rerun), answers(policy, .ignore),
        dropped("cancel", policy) { $0.cancel() }, dropped("stop", policy) { $0.stop() },
        dropped("finish", policy) { $0.close() }, dropped("flush", policy) { $0.flush() },
      ]
    }
}()
