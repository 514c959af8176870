import SimpleEvents
import SimpleEventsTesting

extension MisuseScenario {
  func misuseSize() {
    let scheduler = TestScheduler()
    var batches: [[Int]] = []
    switch self {
    case .batchSizeBelowOne:
      site(#line + 1)
      let collector = CoalescingCollector<Int>(
        on: scheduler, keeping: .unlimited, batchSize: 0, label: "lines"
      ) { batch in batches.append(Array(batch)) }
      collector.add(contentsOf: [1, 2])
      scheduler.run()
      require(batches == [[1], [2]])
    default:
      site(#line + 1)
      let collector = CoalescingCollector<Int>(
        on: scheduler, keeping: .combined { $0 + $1 }, batchSize: 1, label: "sum"
      ) { batch in batches.append(Array(batch)) }
      collector.add(contentsOf: [1, 2])
      scheduler.run()
      require(batches == [[3]])
    }
  }
}
