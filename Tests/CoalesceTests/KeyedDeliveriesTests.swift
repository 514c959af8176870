import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing
import coalesce

/// The options `--by`, `--jobs` and `--rate`, in virtual time.
struct KeyedDeliveriesTests {
  private let scheduler = TestScheduler()

  private func script(_ options: String, duration: Int = 0) throws -> KeyedScript {
    try KeyedScript(options, on: scheduler, duration: duration)
  }

  @Test("--by: each key has a window of its own, and its deliveries have only its lines")
  func windows() throws {
    let script = try script("--by 1 --debounce 20ms --stdin")
    for (instant, line) in [(0, "a 1"), (5, "b 1"), (10, "a 2"), (12, "b 2")] {
      script.add(at: instant, line)
    }
    scheduler.run()
    #expect(script.entries == ["30 a: a 1,a 2", "32 b: b 1,b 2"])
  }

  @Test("--by: without --stdin a delivery has the newest line of its key")
  func newest() throws {
    let script = try script("--by 1 --debounce 20ms")
    script.add("a 1", "b 1", "a 2")
    scheduler.run()
    #expect(script.entries == ["20 a: a 2", "20 b: b 1"])
  }

  @Test("--by: a line without the field has the empty key")
  func emptyKey() throws {
    let script = try script("--by 2 --separator , --next-turn --stdin")
    script.add("a", "b,", "c,x", "")
    scheduler.run()
    #expect(script.entries == ["0 : a,b,", "0 x: c,x"])
  }

  @Test("--by: the deliveries of two keys do not overlap without --jobs")
  func oneJob() throws {
    let script = try script("--by 1 --next-turn", duration: 10)
    script.add("a", "b", "c")
    scheduler.run()
    #expect(script.entries == ["0 a: a", "10 b: b", "20 c: c"])
  }

  @Test("--jobs: at most N keys run at the same time, in the order in which they are due, each once")
  func jobs() throws {
    let script = try script("--by 1 --next-turn --stdin --jobs 2", duration: 10)
    script.add("a 1", "b 1", "c 1", "d 1")
    // The key `a` runs, and is due again after the other keys.
    script.add(at: 5, "a 2")
    script.add(at: 6, "a 3", "d 2")
    scheduler.run()
    #expect(script.entries == ["0 a: a 1", "0 b: b 1", "10 c: c 1", "10 d: d 1,d 2", "20 a: a 2,a 3"])
  }

  @Test("--jobs: the runs of one key never overlap")
  func oneKey() throws {
    let script = try script("--by 1 --next-turn --stdin --jobs 4", duration: 10)
    for instant in [0, 3, 6, 9, 12] { script.add(at: instant, "a \(instant)") }
    scheduler.run()
    #expect(script.entries == ["0 a: a 0", "10 a: a 3,a 6,a 9", "20 a: a 12"])
  }

  @Test("--rate: deliveries of all keys wait for the rate, and include lines that arrive during the wait")
  func rate() throws {
    let script = try script("--by 1 --next-turn --stdin --jobs 3 --rate 10/s")
    script.add("a 1", "b 1", "c 1")
    script.add(at: 50, "b 2")
    script.add(at: 150, "c 2", "a 2")
    scheduler.run()
    #expect(script.entries == ["0 a: a 1", "100 b: b 1,b 2", "200 c: c 1,c 2", "300 a: a 2"])
  }

  @Test("--burst: after a pause, N deliveries follow each other immediately")
  func burst() throws {
    let script = try script("--by 1 --next-turn --rate 10/s --burst 3")
    script.add("a", "b", "c", "d", "e")
    scheduler.run()
    #expect(script.entries == ["0 a: a", "0 b: b", "0 c: c", "100 d: d", "200 e: e"])
  }

  @Test("--rate: the rate holds at the end of the input, and no line is lost")
  func rateAtEnd() throws {
    let script = try script("--by 1 --debounce 1h --jobs 4 --rate 1/500ms")
    try scheduler.run {
      script.add("a", "b", "c")
      await script.deliveries.finish()
    }
    #expect(script.entries == ["0 a: a", "500 b: b", "1000 c: c"])
    #expect(scheduler.milliseconds == 1000)
  }

  @Test("--rate: a delivery that waits for the rate is dropped when the program stops")
  func stop() throws {
    let script = try script("--by 1 --next-turn --rate 1/h")
    try scheduler.run {
      script.add("a", "b")
      try await scheduler.clock.sleep(for: .milliseconds(10))
      await script.deliveries.stop()
    }
    #expect(script.entries == ["0 a: a"])
    #expect(scheduler.milliseconds == 10)
    #expect(script.deliveries.lines.end().map(\.key) == [LineKey(Array("b".utf8)[...])])
  }

  @Test("--when-busy restart: lines during a run cancel it, and the next run of the key includes them")
  func restart() throws {
    let script = try script("--by 1 --next-turn --stdin --jobs 2 --when-busy restart", duration: 100)
    script.add("a 1", "b 1")
    script.add(at: 30, "a 2")
    scheduler.run()
    #expect(script.entries == ["0 a: a 1", "0 b: b 1", "30 a: a 2"])
    #expect(scheduler.milliseconds == 130)
  }

  @Test("--when-busy restart --rate: lines that arrive while a run waits for the rate are not lost")
  func restartWhileWaiting() throws {
    let script = try script("--by 1 --next-turn --stdin --when-busy restart --rate 10/s")
    script.add("a 1")
    for instant in stride(from: 10, to: 90, by: 10) { script.add(at: instant, "a \(instant)") }
    scheduler.run()
    #expect(script.entries == ["0 a: a 1", "100 a: a 10,a 20,a 30,a 40,a 50,a 60,a 70,a 80"])
  }

  @Test("--when-busy ignore: lines during the run of their key are part of its next delivery")
  func ignore() throws {
    let script = try script("--by 1 --next-turn --stdin --when-busy ignore", duration: 10)
    script.add("a 1")
    script.add(at: 5, "a 2")
    script.add(at: 30, "a 3")
    scheduler.run()
    #expect(script.entries == ["0 a: a 1", "30 a: a 2,a 3"])
  }

  @Test("--settle: lines during a run of their key and after it are dropped and counted")
  func settle() throws {
    let script = try script("--by 1 --next-turn --stdin --settle 20ms --jobs 2", duration: 10)
    script.add("a 1")
    script.add(at: 5, "a 2", "b 1")
    script.add(at: 29, "a 3")
    script.add(at: 30, "a 4")
    scheduler.run()
    #expect(script.entries == ["0 a: a 1", "5 b: b 1", "30 a: a 4"])
    #expect(script.deliveries.lines.settledCount == 2)
    #expect(script.deliveries.lines.lineCount == 3)
  }

  @Test("--by: at the end of the input each pending key is delivered once, within --jobs")
  func end() throws {
    let script = try script("--by 1 --debounce 1h --stdin --jobs 2", duration: 10)
    try scheduler.run {
      script.add("a 1", "b 1", "c 1", "a 2")
      await script.deliveries.finish()
    }
    #expect(script.entries == ["0 a: a 1,a 2", "0 b: b 1", "10 c: c 1"])
    #expect(script.deliveries.lines.end().isEmpty)
  }

  @Test(
    "--by: many keys that came and went leave no memory",
    arguments: ["--debounce 10ms", "--throttle 10ms", "--throttle 10ms --edges leading", "--settle 10ms"])
  func manyKeys(_ policy: String) throws {
    let script = try script("--by 1 --jobs 4 --stdin \(policy)")
    let (reads, size) = (isDebug ? 20 : 400, isDebug ? 50 : 250)
    for read in 0..<reads {
      _ = script.deliveries.add { add in
        for number in 0..<size { add(Array("\(read)-\(number)".utf8)[...], false, 1) }
      }
      scheduler.advance(by: .milliseconds(30))
      #expect(script.deliveries.lines.keyCount == 0)
      #expect(script.deliveries.lines.closedCount <= 2 * size + 16)
    }
    scheduler.run()
    #expect(script.entries.count == reads * size)
    #expect(script.deliveries.keyCount <= 2 * size)
  }
}
