internal import Dispatch
internal import SimpleEvents

/// Two tasks pass a value to each other.
enum MailboxRally {
  static var workloads: [Workload] { [pingPong] }

  private static var pingPong: Workload {
    Workload(
      "mailbox-ping-pong", unit: "round trip", sizes: [1000], quickSize: 100, repetitions: Workload.many,
      bars: [.ratio(0.95, to: Baseline.stream)],
      subjects: [
        Subject("SimpleEvents SimpleMailbox.next") { fixture in
          trial(fixture) { n in
            let (there, back) = (SimpleMailbox<Int>(), SimpleMailbox<Int>())
            Task.detached {
              for _ in 0..<n {
                guard let value = await there.next() else { break }
                back.replaceEvenIfSame(value)
              }
            }
            var sum = 0
            for number in 0..<n {
              there.replaceEvenIfSame(number)
              sum += await back.next() ?? 0
            }
            return sum
          }
        },
        Subject(Baseline.stream) { fixture in
          trial(fixture) { n in
            let (there, toOther) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
            let (back, toHere) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
            Task.detached {
              var iterator = there.makeAsyncIterator()
              for _ in 0..<n {
                guard let value = await iterator.next() else { break }
                toHere.yield(value)
              }
            }
            var iterator = back.makeAsyncIterator()
            var sum = 0
            for number in 0..<n {
              toOther.yield(number)
              sum += await iterator.next() ?? 0
            }
            return sum
          }
        },
      ])
  }

  /// A trial that runs the task of one side. The task returns the sum of the values that came back.
  private static func trial(_ fixture: Fixture, _ body: @escaping @Sendable (Int) async -> Int) -> Trial {
    let n = fixture.n
    let sink = fixture.sink
    return Trial(operations: n, deliveries: { runs, _ in runs...runs }) {
      Task.detached {
        let sum = await body(n)
        precondition(sum == n * (n - 1) / 2, "a value was lost")
        sink.hitAndSignal()
      }
      sink.wait()
    }
  }
}
