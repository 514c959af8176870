import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the article "A window for each key" and of the documentation of the keyed types.

@MainActor
final class Digests {
  private let messages: KeyedCollector<String, String>

  init(on scheduler: some EventScheduler = .main, send: @escaping @MainActor (String, [String]) -> Void) {
    messages = KeyedCollector(on: scheduler, policy: .audit(.seconds(60)), keeping: .newest(100)) {
      user, batch in send(user, Array(batch))
    }
  }

  func add(_ message: String, for user: String) { messages.add(message, for: user) }

  func userDidLeave(_ user: String) { messages.cancel(user) }
}

@MainActor
struct KeyedSnippets {
  @Test("Documentation: each user receives a digest, in virtual time")
  func digests() {
    let scheduler = TestScheduler()
    let log = Log()
    let digests = Digests(on: scheduler) { user, messages in log.add("\(user): \(messages)") }
    digests.add("hello", for: "ann")
    scheduler.advance(by: .seconds(30))
    digests.add("hi", for: "bob")
    digests.add("again", for: "ann")
    scheduler.advance(by: .seconds(30))
    #expect(log.entries == ["ann: [\"hello\", \"again\"]"])
    digests.userDidLeave("bob")
    scheduler.advance(by: .seconds(60))
    #expect(log.entries.count == 1)
  }

  @Test("Documentation: each document is saved separately")
  func saves() {
    enum Document {
      typealias ID = Int
    }
    let (a, b) = (1, 2)
    let log = Log()
    func save(_ id: Int) { log.add("\(id)") }
    let saves = KeyedCallback<Document.ID>(on: .main, policy: .debounce(.seconds(1)), label: "saves") { id in
      save(id)
    }
    saves.schedule(a)
    saves.schedule(b)  // two saves, a second later
    #expect(saves.pendingCount == 2)
    saves.cancelAll()
    #expect(log.entries == [])
  }

  @Test("Documentation: each user receives the messages in batches")
  nonisolated func inboxes() {
    struct User {
      typealias ID = Int
    }
    struct Message: Sendable {}
    let (message, user) = (Message(), 1)
    let queue = TestScheduler()
    let log = Log()
    func notify(_ user: User.ID, of messages: ElementBatch<Message>) {
      log.add("\(user): \(messages.count)")
    }
    let inboxes = KeyedCollector<User.ID, Message>(
      on: queue, policy: .audit(.seconds(1)), keeping: .newest(100)
    ) { user, messages in
      notify(user, of: messages)
    }
    inboxes.add(message, for: user)
    queue.run()
    #expect(log.entries == ["1: 1"])
  }

  @Test("Documentation: all keys share one window")
  nonisolated func together() {
    let queue = TestScheduler()
    let log = Log()
    func build(_ paths: ElementBatch<String>) { log.add("\(Array(paths))") }
    func buildEverything() { log.add("everything") }
    let changes = CoalescingCollector<String>(
      on: queue, policy: .debounce(.milliseconds(200), maxWait: .seconds(2)), keeping: .distinct(1000)
    ) { paths in
      paths.droppedCount == 0 ? build(paths) : buildEverything()
    }
    for path in ["a", "b", "a"] { changes.add(path) }
    queue.run()
    #expect(log.entries == ["[\"a\", \"b\"]"])
  }
}
