import Dispatch
import SimpleEvents
import SimpleEventsLoops
import Synchronization
import TestSupport
import Testing

/// Callers on several threads. They wait for the answers of a loop on a real queue.
@Suite(.serialized) struct AnswerStressTests {
  private enum Answer: Sendable {
    case success, error, dropped

    init(_ call: () async throws -> Void) async {
      do {
        try await call()
        self = .success
      } catch is CancellationError {
        self = .dropped
      } catch {
        self = .error
      }
    }
  }

  private final class Counter: Sendable {
    private let number: Atomic<Int> = Atomic(0)

    // The ordering is relaxed: only the number counts, and the answer of a run orders the load after the run.
    var value: Int { number.load(ordering: .relaxed) }

    func add() { number.wrappingAdd(1, ordering: .relaxed) }
  }

  private final class Elements: Sendable {
    private let elements: Guarded<Set<Int>> = Guarded([])

    var count: Int { elements.withLock { $0.count } }

    func insert(_ new: some Sequence<Int>) { elements.withLock { $0.formUnion(new) } }

    func contains(_ element: Int) -> Bool { elements.withLock { $0.contains(element) } }
  }

  private struct Failure: Error {}

  private static let courses: Int = max(20, Stress.rounds(2000) / 10)

  @Test("L10: each caller of refresh gets one answer, from a run that began after its call")
  func refresh() async {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for course in 0..<Self.courses {
      let begun = Counter()
      let loop = RefreshLoop(on: queue, whenBusy: course.isMultiple(of: 2) ? .rerun : .restart) {
        begun.add()
        await Task.yield()
        if course.isMultiple(of: 3) { throw Failure() }
      } onError: { _ in
      }
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<10 {
              let before = begun.value
              let answer = await Answer { try await loop.refresh() }
              #expect(answer == (course.isMultiple(of: 3) ? .error : .success))
              #expect(begun.value > before)
            }
          }
        }
      }
      await loop.stop()
    }
  }

  @Test("L10: no caller waits forever while others cancel, stop, and cancel callers")
  func drops() async {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for course in 0..<Self.courses {
      let loop = RefreshLoop(
        on: queue, policy: course.isMultiple(of: 2) ? .nextTurn : .audit(.microseconds(20))
      ) {
        await Task.yield()
      }
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            for number in 0..<10 {
              let call = Task { await Answer { try await loop.refresh() } }
              if number.isMultiple(of: 3) { call.cancel() }
              #expect(await call.value != .error)
            }
          }
        }
        group.addTask {
          for _ in 0..<10 {
            loop.cancel()
            await Task.yield()
            loop.cancelRun()
          }
          await loop.stop()
        }
      }
      #expect(!loop.isPending && !loop.isRunning)
    }
  }

  @Test("L9, L10: a caller of process succeeds if its element was saved, and throws if it was dropped")
  func process() async {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for course in 0..<Self.courses {
      let (saved, dropped) = (Elements(), Elements())
      let rules: [ElementLimit<Int>] = [.newest(3), .oldest(3), .unlimited]
      let loop = BatchLoop<Int>(
        on: queue, keeping: rules[course % 3], batchSize: 2,
        onDrop: { element in dropped.insert([element]) }
      ) { batch in
        await Task.yield()
        saved.insert(batch)
      }
      await withTaskGroup { group in
        for thread in 0..<4 {
          group.addTask {
            for number in 0..<10 {
              let element = 10 * thread + number
              let answer = await Answer { try await loop.process(element) }
              // The fate is recorded before the caller is resumed.
              let isSaved = saved.contains(element)
              #expect(answer == (isSaved ? .success : .dropped))
              #expect(isSaved != dropped.contains(element))
            }
          }
        }
        group.addTask {
          for _ in 0..<5 {
            loop.cancel()
            await Task.yield()
          }
        }
      }
      #expect(saved.count + dropped.count == 40)
      await loop.stop()
    }
  }
}
