internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// Two threads remove one token. The second thread does so on the delivering queue.
let twoRemovals: Scenario = Scenario("token-two-removals", "E5") {
  let queue = DispatchQueue(label: "queue")
  let event = makeEvent(on: queue)
  let removed = Counter()
  let alive = Counter()
  var token: (any SimpleEventToken)?
  do {
    let captured = LeakCheckedObject(alive)
    token = event.observe {
      expectUnlocked()
      withExtendedLifetime(captured) {}
      expect(
        removed.value == 0,
        "E5: after the removal has returned on the delivering thread the block is not called")
    }
  }
  event.trigger()
  parallel(
    { token!.remove() },
    {
      queue.run {
        token!.remove()
        removed.value = 1
      }
      event.trigger()
    })
  drain()
  expect(alive.value == 0, "E5: captures are released no later than the end of the cycle in progress")
  token = nil
}

/// One thread removes a token, another thread signals, and the queue delivers.
let removalDuringDelivery: Scenario = Scenario("token-removal-during-delivery", "E5 H1 H3") {
  let event = makeEvent(on: DispatchQueue(label: "queue"))
  let alive = Counter()
  var calls: [Int] = []
  var tokens: [(any SimpleEventToken)?] = []
  for number in 0..<3 {
    let captured = LeakCheckedObject(alive)
    tokens.append(
      event.observe {
        expectUnlocked()
        withExtendedLifetime(captured) { calls.append(number) }
      })
  }
  event.trigger()
  parallel(
    { tokens[1]?.remove() },
    { tokens[0] = nil })
  drain()
  expect(
    calls == calls.sorted() && calls.contains(2), "H1: observers are called in the order they were added")
  expect(alive.value == 1, "E5: captures are released no later than the end of the cycle in progress")
  calls = []
  event.trigger()
  drain()
  expect(calls == [2], "E5: removed blocks are not called")
  tokens = []
}

/// Observers are added during a cycle, both inside the cycle and on another thread.
let additionDuringCycle: Scenario = Scenario("token-addition-during-cycle", "H1 H3") {
  let event = makeEvent(on: DispatchQueue(label: "queue"))
  var cycle = 0
  var isInCycle = false
  var calls: [Int] = []
  var tokens: [any SimpleEventToken] = []
  tokens.append(
    event.observe {
      cycle += 1
      isInCycle = true
      calls.append(0)
      if cycle == 1 {
        tokens.append(
          event.observe {
            expect(cycle > 1, "H3: an observer added during a cycle is not called in that cycle")
            calls.append(1)
          })
      }
    })
  tokens.append(
    event.observe {
      calls.append(2)
      isInCycle = false
    })
  event.trigger()
  parallel(
    {
      let start = isInCycle ? cycle : 0
      tokens.append(
        event.observe {
          expect(cycle > start, "H3: an observer added during a cycle is not called in that cycle")
          calls.append(3)
        })
    },
    { event.trigger() })
  drain()
  calls = []
  event.trigger()
  drain()
  expect(
    calls.sorted() == [0, 1, 2, 3] && calls.prefix(2) == [0, 2],
    "H1: observers are called in the order they were added")
  for token in tokens {
    token.remove()
  }
}

/// A block removes itself and the next block, while another thread also removes the first block.
let removalInsideBlock: Scenario = Scenario("token-removal-inside", "E5 H3") {
  let event = makeEvent(on: DispatchQueue(label: "queue"))
  let alive = Counter()
  var tokens: [(any SimpleEventToken)?] = [nil, nil]
  var calls = [0, 0]
  do {
    let captured = LeakCheckedObject(alive)
    tokens[0] = event.observe {
      withExtendedLifetime(captured) {}
      calls[0] += 1
      tokens[0]?.remove()
      tokens[1]?.remove()
    }
    tokens[1] = event.observe {
      withExtendedLifetime(captured) {}
      calls[1] += 1
    }
  }
  event.trigger()
  parallel(
    { tokens[1]?.remove() },
    { event.trigger() })
  drain()
  expect(calls[0] == 1, "E5: a block that has removed itself is not called again")
  expect(calls[1] == 0, "H3: an observer removed before its turn is not called")
  expect(alive.value == 0, "E5: captures are released no later than the end of the cycle in progress")
  tokens = []
}

/// One thread removes a token while another thread releases the event.
let tokenOutlivesEvent: Scenario = Scenario("token-outlives-event", "E5 H5") {
  let queue = DispatchQueue(label: "queue")
  let alive = Counter()
  var event: LazySimpleEvent? = makeEvent(on: queue)
  var token: (any SimpleEventToken)?
  var other: (any SimpleEventToken)?
  do {
    let captured = (LeakCheckedObject(alive), LeakCheckedObject(alive))
    token = event!.observe { withExtendedLifetime(captured.0) {} }
    other = event!.observe { withExtendedLifetime(captured.1) {} }
  }
  event!.trigger()
  parallel(
    { event = nil },
    { token!.remove() },
    { other = nil })
  drain()
  expect(alive.value == 0, "E5: neither the event nor a token keeps captures after both have ended")
  token = nil
}

/// Two threads are the first to observe an event, and a third thread signals.
let firstUse: Scenario = Scenario("first-use", "C2 E4 H1") {
  let event = makeEvent(on: DispatchQueue(label: "queue"))
  let calls = (Counter(), Counter())
  var tokens: [any SimpleEventToken] = []
  parallel(
    {
      tokens.append(event.observe { calls.0.value += 1 })
      event.trigger()
    },
    {
      tokens.append(event.observe { calls.1.value += 1 })
      event.trigger()
    },
    { event.trigger() })
  drain()
  expect(calls.0.value >= 1, "C2: a block is called for a signal after its registration")
  expect(calls.1.value >= 1, "C2: a block is called for a signal after its registration")
  calls.0.value = 0
  calls.1.value = 0
  event.trigger()
  drain()
  expect(calls.0.value == 1 && calls.1.value == 1, "E4: a delivery reaches all observers")
}

/// One thread is the first to observe an event, and another thread releases the event.
let firstUseAndEnd: Scenario = Scenario("first-use-and-end", "E4 E5") {
  var references: [LazySimpleEvent?] = Array(
    repeating: makeEvent(on: DispatchQueue(label: "queue")), count: 2)
  let alive = Counter()
  var token: (any SimpleEventToken)?
  parallel(
    {
      let captured = LeakCheckedObject(alive)
      token = references[0]!.observe { withExtendedLifetime(captured) {} }
      references[0] = nil
    },
    {
      references[1]!.trigger()
      references[1] = nil
    })
  drain()
  expect(alive.value == 0, "E5: the deallocation of an event releases the captures of its blocks")
  token = nil
}
