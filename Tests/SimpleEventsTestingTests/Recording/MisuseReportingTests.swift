import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

struct MisuseReportingTests {
  private final class Observer: Sendable {}

  private let misuses = MisuseLog()
  private let hub = ObserverHub<Observer>()
  private let observer = Observer()

  /// Returns the misuses that are expected in this build: a release build does not check for misuse.
  private func expected(_ kinds: Misuse.Kind...) -> [Misuse.Kind] {
    isDebug ? kinds : []
  }

  private func report(_ misuse: Misuse) {
    misuses.handler.flag(misuse)
  }

  @Test("withMisuseReported: the operation reports its misuse and continues")
  func operation() {
    let result = withMisuseReported(report) {
      hub.remove(observer)
      hub.add(observer)
      hub.add(observer)
      return 7
    }
    #expect(result == 7)
    #expect(misuses.kinds == expected(.notInstalled, .addedTwice))
    hub.remove(observer)
    #expect(hub.isEmpty)
  }

  @Test("withMisuseReported: rethrows the error of the operation with its type")
  func error() {
    struct Failure: Error {}
    do throws(Failure) {
      try withMisuseReported(report) { () throws(Failure) in
        hub.remove(observer)
        throw Failure()
      }
      Issue.record("no error was thrown")
    } catch {
      #expect(misuses.kinds == expected(.notInstalled))
    }
  }

  @Test("withMisuseReported: work that a test scheduler runs inside the operation reports its misuse")
  func scheduledWork() {
    let scheduler = TestScheduler()
    let event = LazySimpleEvent(on: scheduler)
    let token = event.addObserver { [hub, observer] _ in hub.remove(observer) }
    event.trigger()
    withMisuseReported(report) {
      scheduler.advance()
    }
    #expect(misuses.kinds == expected(.notInstalled))
    withExtendedLifetime(token) {}
  }

  @Test("withMisuseReported: tasks that inherit from the operation report their misuse")
  func tasks() async {
    let hub = ObserverHub<Observer>()
    await withMisuseReported(report) {
      hub.remove(observer)
      await Task { hub.remove(observer) }.value
      await withTaskGroup { group in
        group.addTask { [observer] in hub.remove(observer) }
      }
    }
    #expect(misuses.kinds == expected(.notInstalled, .notInstalled, .notInstalled))
  }

  @Test("withMisuseReported: a handler that reports to another closure stays in effect")
  func otherHandler() {
    let own = MisuseLog()
    let hub = ObserverHub<Observer>(misuse: own.handler)
    withMisuseReported(report) {
      hub.remove(observer)
    }
    #expect(own.kinds == [.notInstalled])
    #expect(misuses.kinds == [])
  }

  @Test("withMisuseReported: the closure of an inner operation replaces that of the outer one")
  func nesting() {
    let inner = MisuseLog()
    withMisuseReported(report) {
      withMisuseReported {
        inner.handler.flag($0)
      } operation: {
        hub.remove(observer)
      }
      hub.remove(observer)
    }
    #expect(inner.kinds == expected(.notInstalled))
    #expect(misuses.kinds == expected(.notInstalled))
  }

  @Test("withMisuseReported: misuse after the operation stops a debug build", .enabled(if: isDebug))
  func afterOperation() async {
    await #expect(processExitsWith: .failure) {
      let hub = ObserverHub<Observer>()
      withMisuseReported { _ in
      } operation: {
        hub.remove(Observer())
      }
      hub.remove(Observer())
    }
  }

  @Test("withMisuseReported: a handler that traps in every build stays in effect")
  func trap() async {
    await #expect(processExitsWith: .failure) {
      withMisuseReported { _ in
      } operation: {
        ObserverHub<Observer>(misuse: .trap).remove(Observer())
      }
    }
  }
}
