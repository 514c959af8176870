import SimpleEvents
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

/// S4: two runs of the same body have the same trace, whatever the body uses. Each test compares 2,000 runs.
struct ExactnessTests {
  @Test("S4: sleeps wake in the order of their deadlines, and equal deadlines in the order of the calls")
  func sleeps() {
    let difference = firstDifference(from: ["0 begin", "1 c", "2 a", "2 b", "2 end"]) { trace in
      trace.add("begin")
      await withTaskGroup { group in
        for (name, delay) in [("a", 2), ("b", 2), ("c", 1)] {
          group.addTask {
            try? await trace.sleep(delay)
            trace.add(name)
          }
        }
      }
      trace.add("end")
    }
    #expect(difference == nil)
  }

  @Test("S4: the results of a task group come in the order of the deadlines")
  func groups() {
    let difference = firstDifference(from: ["1 2", "2 1", "3 0", "3 end"]) { trace in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for index in 0..<3 {
          group.addTask {
            try await trace.sleep(3 - index)
            return index
          }
        }
        for try await index in group {
          trace.add("\(index)")
        }
      }
      trace.add("end")
    }
    #expect(difference == nil)
  }

  @Test("S4: runs with async let have the same trace")
  func asyncLet() {
    let difference = firstDifference(from: ["0 body", "5 first", "7 second", "7 12"]) { trace in
      @Sendable func wait(_ delay: Int, _ name: String) async throws -> Int {
        try await trace.sleep(delay)
        trace.add(name)
        return delay
      }
      async let second = wait(7, "second")
      async let first = wait(5, "first")
      trace.add("body")
      let sum = try await first + second
      trace.add("\(sum)")
    }
    #expect(difference == nil)
  }

  @Test("S4: Task.yield lets the other tasks run in turn")
  func yields() {
    let difference = firstDifference(from: ["0 a", "0 b", "0 a", "0 b", "0 a", "0 b"]) { trace in
      await withTaskGroup { group in
        for name in ["a", "b"] {
          group.addTask {
            for _ in 0..<3 {
              trace.add(name)
              await Task.yield()
            }
          }
        }
      }
    }
    #expect(difference == nil)
  }

  #if os(Linux) && compiler(>=6.3) && compiler(<6.4)
    @Test("S4: a task that yields in an actor, or after a call of an actor, stays in the run")
    func yieldsWithActors() {
      let expected = ["0 first", "0 first again", "0 second", "0 second again", "1 end"]
      let difference = firstDifference(from: expected) { trace in
        let yielder = Yielder()
        Task { await yielder.yield { trace.add("first\($0)") } }
        Task {
          await yielder.enter()
          for _ in 0..<9 { await Task.yield() }
          trace.add("second")
          await Task.yield()
          trace.add("second again")
        }
        try await trace.sleep(1)
        trace.add("end")
      }
      #expect(difference == nil)
    }

    private actor Yielder {
      private var count = 0

      func enter() { count += 1 }

      func yield(_ report: (String) -> Void) async {
        count += 1
        report("")
        await Task.yield()
        report(" again")
      }
    }
  #endif

  @Test("S4: runs with streams have the same trace")
  func streams() {
    let difference = firstDifference(from: ["1 1", "2 2", "3 3", "3 end"]) { trace in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let producer = Task {
        for value in 1...3 {
          try await trace.sleep(1)
          continuation.yield(value)
        }
        continuation.finish()
      }
      for await value in stream {
        trace.add("\(value)")
      }
      try await producer.value
      trace.add("end")
    }
    #expect(difference == nil)
  }

  @Test("S4: a cancellation handler runs at the instant of the cancellation, and the sleep ends there")
  func cancellation() {
    let difference = firstDifference(from: ["4 cancel", "4 handler", "4 cancelled"]) { trace in
      let task = Task {
        await withTaskCancellationHandler {
          do {
            try await trace.sleep(1000)
          } catch {
            trace.add("cancelled")
          }
        } onCancel: {
          trace.add("handler")
        }
      }
      try await trace.sleep(4)
      trace.add("cancel")
      task.cancel()
      await task.value
    }
    #expect(difference == nil)
  }

  @Test("S4: runs with continuations that other work resumes have the same trace")
  func continuations() {
    let difference = firstDifference(from: ["0 asked", "9 answer"]) { trace in
      let answer = await withCheckedContinuation { continuation in
        trace.scheduler.at(9) { continuation.resume(returning: "answer") }
        trace.add("asked")
      }
      trace.add(answer)
    }
    #expect(difference == nil)
  }

  @Test("S4: a @concurrent function runs on the scheduler")
  func concurrentFunctions() {
    @concurrent @Sendable func compute(_ trace: Trace, _ name: String) async -> Int {
      trace.add(name)
      try? await trace.sleep(2)
      return 1
    }
    let difference = firstDifference(from: ["0 a", "0 b", "2 2"]) { trace in
      async let a = compute(trace, "a")
      async let b = compute(trace, "b")
      let sum = await a + b
      trace.add("\(sum)")
    }
    #expect(difference == nil)
  }

  @Test("S4: runs with private default actors have the same trace")
  func privateActors() {
    actor Counter {
      var count: Int = 0
      func next(_ trace: Trace, _ name: String) async {
        count += 1
        trace.add("\(name) \(count)")
        try? await trace.sleep(1)
        trace.add("\(name) again")
      }
    }
    let difference = firstDifference(from: ["0 a 1", "0 b 2", "1 a again", "1 b again"]) { trace in
      let counter = Counter()
      await withTaskGroup { group in
        for name in ["a", "b"] {
          group.addTask { await counter.next(trace, name) }
        }
      }
    }
    #expect(difference == nil)
  }

  @Test("S4: runs with actors on the scheduler have the same trace")
  func actorsOnScheduler() {
    actor Counter {
      let trace: Trace
      var count: Int = 0
      nonisolated var unownedExecutor: UnownedSerialExecutor { trace.scheduler.asUnownedSerialExecutor() }
      init(_ trace: Trace) {
        self.trace = trace
      }
      func next() {
        count += 1
        trace.add("\(count) \(trace.scheduler.isIsolatingCurrentContext() == true)")
        trace.scheduler.schedule { self.assumeIsolated { $0.trace.add("work \($0.count)") } }
      }
    }
    let difference = firstDifference(from: ["0 1 true", "0 work 1", "1 2 true", "1 work 2"]) { trace in
      let counter = Counter(trace)
      await counter.next()
      try await trace.sleep(1)
      await counter.next()
    }
    #expect(difference == nil)
  }

  @Test("S4: runs with Task { }, with and without actors, have the same trace")
  func unstructuredTasks() {
    let difference = firstDifference(from: ["0 body", "0 a", "0 b", "2 a", "2 b", "2 3"]) { trace in
      let tasks = ["a", "b"].enumerated().map { index, name in
        Task {
          trace.add(name)
          try await trace.sleep(2)
          trace.add(name)
          return index + 1
        }
      }
      trace.add("body")
      var sum = 0
      for task in tasks {
        sum += try await task.value
      }
      trace.add("\(sum)")
    }
    #expect(difference == nil)
  }

  @Test("S4: runs with Task.detached have the same trace")
  func detachedTasks() {
    let difference = firstDifference(from: ["0 body", "0 a", "0 b", "2 a", "2 b", "2 end"]) { trace in
      let tasks = ["a", "b"].map { name in
        Task.detached {
          trace.add(name)
          await Task.yield()
          try await trace.sleep(2)
          trace.add(name)
        }
      }
      trace.add("body")
      for task in tasks {
        try await task.value
      }
      trace.add("end")
    }
    #expect(difference == nil)
  }

  @Test("S4: runs with isolated deinits have the same trace")
  func isolatedDeinits() {
    actor Owner {
      let trace: Trace
      let name: String
      init(_ trace: Trace, _ name: String) {
        self.trace = trace
        self.name = name
      }
      isolated deinit {
        trace.add("deinit \(name)")
      }
    }
    let difference = firstDifference(from: ["0 made", "0 deinit a", "0 deinit b", "0 dropped", "1 end"]) {
      trace in
      var owners = [Owner(trace, "a"), Owner(trace, "b")]
      trace.add("made")
      owners.removeFirst()
      owners.removeFirst()
      trace.add("dropped")
      try await trace.sleep(1)
      trace.add("end")
    }
    #expect(difference == nil)
  }
}
