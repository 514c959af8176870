internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// Two threads remove one token, the second of them on the queue that delivers.
let twoRemovals: Scenario = Scenario("two-removals", "E5 C1") {
  let queue = DispatchQueue(label: "queue")
  let event = makeEvent(on: queue)
  let removed = Counter()
  let token = event.observe {
    expectUnlocked()
    expect(removed.value == 0, "E5: after the removal has returned on the delivering thread the block is not called")
  }
  event.trigger()
  parallel(
    { token.remove() },
    {
      queue.run {
        token.remove()
        removed.value = 1
      }
      event.trigger()
    })
}
