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
    case .rateOutOfRange:
      site(#line + 1)
      let limiter = RateLimiter(10, per: .seconds(1), burst: 0, on: scheduler, label: "api")
      require(limiter.tryAcquire() && !limiter.tryAcquire())
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
