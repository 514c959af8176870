import Dispatch
import SimpleEvents
import SimpleEventsLoops
import Testing

/// Loops on a real queue. Their bodies are isolated to the actor that makes the requests.
@Suite(.serialized) struct RealLoopStressTests {
  private actor Saver {
    nonisolated let elements: BatchLoop<Int>
    nonisolated let requests: RefreshLoop
    private(set) var batches: [[Int]] = []
    private(set) var runs: Int = 0

    init() {
      let queue = DispatchQueue(label: "loops")
      elements = BatchLoop(on: queue, keeping: .unlimited)
      requests = RefreshLoop(on: queue)
    }

    func save() async { await elements.run { self.batches.append(Array($0)) } }

    func count() async { await requests.run { self.runs += 1 } }

    func change() {
      for number in 0..<10 {
        elements.add(number)
        requests.request()
      }
    }
  }

  @Test(
    "L2, L9: an actor's requests before it suspends are one run of a hosted body on the actor")
  func hosted() async {
    let saver = Saver()
    let hosts = (Task { await saver.save() }, Task { await saver.count() })
    for number in 1...200 {
      await saver.change()
      await saver.elements.settle()
      await saver.requests.settle()
      #expect(await saver.batches.count == number)
      #expect(await saver.runs == number)
    }
    await saver.elements.finish()
    await saver.requests.finish()
    _ = await (hosts.0.value, hosts.1.value)
    #expect(await saver.batches.allSatisfy { $0 == Array(0..<10) })
  }

  @MainActor
  @Test("L2, L9: the main actor's requests before it suspends are one run of its own body")
  func owned() async {
    var batches: [[Int]] = []
    var runs = 0
    let queue = DispatchQueue(label: "loops")
    let elements = BatchLoop<Int>(on: queue, keeping: .unlimited) { batch in
      batches.append(Array(batch))
    }
    let requests = RefreshLoop(on: queue) { runs += 1 }
    for number in 1...200 {
      for element in 0..<10 {
        elements.add(element)
        requests.request()
      }
      await elements.settle()
      await requests.settle()
      #expect(batches.count == number)
      #expect(runs == number)
    }
    #expect(batches.allSatisfy { $0 == Array(0..<10) })
  }
}
