import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// E9: a block of the main actor is flagged before a background queue calls it.
///
/// Release builds do not check the isolation of blocks, so they flag nothing.
@MainActor
@Suite(.serialized) struct IsolationTests {
  private let queue = DispatchQueue(label: "background")
  private let calls = MisuseLog()

  /// Lets the queue deliver. Expects that the queue flags a block that was registered on a line, and then
  /// calls the block.
  private func expectFlag(line: UInt, sourceLocation: SourceLocation = #_sourceLocation) {
    queue.sync {}
    #expect(calls.misusesBefore == (isDebug ? [1] : [0]), sourceLocation: sourceLocation)
    guard isDebug, let misuse = calls.all.first else { return }
    #expect(misuse.kind == .wrongIsolation, sourceLocation: sourceLocation)
    #expect(misuse.line == line, sourceLocation: sourceLocation)
    for part in ["\"subject\"", "MainActor", "@Sendable", "IsolationTests.swift:\(line)"] {
      #expect(misuse.message.contains(part), sourceLocation: sourceLocation)
    }
    #expect(!misuse.message.contains("operator"), sourceLocation: sourceLocation)
  }

  @Test("E9: a main-actor block of a CoalescingCallback on a background queue is flagged")
  func callback() {
    let line: UInt = #line + 1
    let callback = CoalescingCallback(on: queue, label: "subject", misuse: calls.handler) {
      @MainActor [calls] in
      calls.noteCall()
    }
    callback.schedule()
    expectFlag(line: line)
    withExtendedLifetime(callback) {}
  }

  @Test("E9: a main-actor closure of a LatestCall on a background queue is flagged at its own call site")
  func latestCall() {
    let latest = LatestCall(
      on: queue, policy: .debounce(.seconds(60)), label: "subject", misuse: calls.handler)
    latest.schedule { [calls] in calls.noteCall() }
    latest.schedule { [calls] in calls.noteCall() }
    let line: UInt = #line - 1
    // The call is not made by `sync`, because `sync` would flush on the main thread.
    queue.async { latest.flush() }
    expectFlag(line: line)
    // The closure is a constant, because a literal would have the isolation of the code around it.
    let unisolated: @Sendable () -> Void = { [calls] in calls.noteCall() }
    latest.schedule(unisolated)
    queue.async { latest.flush() }
    queue.sync {}
    #expect(calls.all.count == (isDebug ? 1 : 0), "E9: a closure without isolation is not flagged")
  }

  @Test("E9: a main-actor block of a group observer on a background queue is flagged")
  func groupObserver() {
    let source = SimpleEvent()
    let line: UInt = #line + 1
    let observer = SimpleEventGroupObserver(
      of: source, on: queue, label: "subject", misuse: calls.handler
    ) {
      @MainActor [calls] _ in
      calls.noteCall()
    }
    source.trigger()
    expectFlag(line: line)
    observer.remove()
  }

  @Test("E9: a main-actor block of a CoalescingCollector on a background queue is flagged")
  func collector() {
    let line: UInt = #line + 1
    let collector = CoalescingCollector<Int>(
      on: queue, keeping: .newest(1), label: "subject", misuse: calls.handler
    ) { @MainActor [calls] _ in calls.noteCall() }
    collector.add(1)
    expectFlag(line: line)
    withExtendedLifetime(collector) {}
  }

  @Test("E9: a main-actor block of a KeyedCallback on a background queue is flagged")
  func keyedCallback() {
    let line: UInt = #line + 1
    let callback = KeyedCallback<Int>(on: queue, label: "subject", misuse: calls.handler) {
      @MainActor [calls] _ in
      calls.noteCall()
    }
    callback.schedule(1)
    expectFlag(line: line)
    withExtendedLifetime(callback) {}
  }

  @Test("E9: a main-actor block of a KeyedCollector on a background queue is flagged")
  func keyedCollector() {
    let line: UInt = #line + 1
    let collector = KeyedCollector<Int, Int>(
      on: queue, keeping: .newest(1), label: "subject", misuse: calls.handler
    ) { @MainActor [calls] _, _ in calls.noteCall() }
    collector.add(1, for: 1)
    expectFlag(line: line)
    withExtendedLifetime(collector) {}
  }

  @Test("E9: a main-actor block that observes a lazy event on a background queue is flagged")
  func lazyEvent() {
    let event = LazySimpleEvent(on: queue, label: "subject", misuse: calls.handler)
    var token: (any SimpleEventToken)?
    event.addObserver(&token) { @MainActor [calls] _ in calls.noteCall() }
    let line: UInt = #line - 1
    event.trigger()
    expectFlag(line: line)
    token?.remove()
    withExtendedLifetime(event) {}
  }

  @Test("E9: a main-actor block that observes through an existential is flagged")
  func existential() {
    let proxy = SimpleEventProxy(of: [], on: queue, label: "subject", misuse: calls.handler)
    let event: any SimpleEventObservable = proxy
    let token = event.addObserver { @MainActor [calls] _ in calls.noteCall() }
    let line: UInt = #line - 1
    proxy.trigger()
    expectFlag(line: line)
    token?.remove()
    withExtendedLifetime(proxy) {}
  }

  @Test("E9: a main-actor block of a SimpleEvent that a background queue triggers is flagged")
  func simpleEvent() {
    let event = SimpleEvent(label: "subject", misuse: calls.handler)
    let token = event.addObserver { @MainActor [calls] _ in calls.noteCall() }
    let line: UInt = #line - 1
    withExtendedLifetime(trigger(event)) { expectFlag(line: line) }
    token?.remove()
  }

  @Test("E9: a closure has the isolation of the main-actor class in which it is written")
  func inferredIsolation() {
    @MainActor final class Model {
      let line: UInt
      private let calls: MisuseLog
      private(set) var callback: CoalescingCallback?

      init(on queue: DispatchQueue, _ calls: MisuseLog) {
        self.calls = calls
        line = #line + 1
        callback = CoalescingCallback(on: queue, label: "subject", misuse: calls.handler) {
          [weak self] in self?.reload()
        }
      }

      private func reload() { calls.noteCall() }
    }
    let model = Model(on: queue, calls)
    model.callback?.schedule()
    expectFlag(line: model.line)
    withExtendedLifetime(model) {}
  }

  @Test("E9: each call of a block off its actor is flagged")
  func everyCall() {
    let callback = CoalescingCallback(on: queue, misuse: calls.handler) { @MainActor [calls] in
      calls.noteCall()
    }
    for _ in 0..<3 {
      callback.schedule()
      queue.sync {}
    }
    #expect(calls.misusesBefore == (isDebug ? [1, 2, 3] : [0, 0, 0]))
    withExtendedLifetime(callback) {}
  }

  @Test("E9: a main-actor block of a type with the three classic methods is flagged")
  func classicType() {
    let event = SimpleEvent()
    let classic = ClassicObservable(event)
    let token = classic.addObserver { @MainActor [calls] _ in calls.noteCall() }
    let line: UInt = #line - 1
    withExtendedLifetime(trigger(event)) { queue.sync {} }
    #expect(calls.misusesBefore == (isDebug ? [1] : [0]))
    #expect(calls.all.map(\.line) == (isDebug ? [line] : []))
    #expect(calls.all.map(\.message).allSatisfy { $0.contains("ClassicObservable") })
    token?.remove()
  }

  /// Triggers an event on the queue, by a block that has no isolation.
  private nonisolated func trigger(_ event: SimpleEvent) -> CoalescingCallback {
    let callback = CoalescingCallback(on: queue) { [calls] in
      // The default methods of the protocol use the default handler of misuse.
      withMisuseReported(calls.add) { event.trigger() }
    }
    callback.schedule()
    return callback
  }
}
