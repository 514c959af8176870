internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// Two threads observe an event that nothing has observed before.
let firstUse: Scenario = Scenario("first-use", "E4") {
  let queue = DispatchQueue(label: "queue")
  let event = makeEvent(on: queue)
  let calls = Counter()
  var tokens: [any SimpleEventToken] = []
  parallel(
    { tokens.append(event.observe { calls.value += 1 }) },
    { tokens.append(event.observe { calls.value += 1 }) },
    { event.trigger() })
  drain()
  calls.value = 0
  event.trigger()
  drain()
  expect(calls.value == 2, "E4: a delivery reaches all observers")
}
