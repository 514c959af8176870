import Dispatch
import SimpleEvents
import Synchronization
import Testing

/// Clients in Swift 6 mode. Their only annotation is `@MainActor`.
@MainActor
@Suite(.serialized) struct Swift6ClientTests {
  @Test("Swift 6: a main-actor model notifies a block and a delegate on the main actor")
  func mainActorModel() async {
    let model = DocumentModel()
    let view = TitleView(model)
    let sidebar = Sidebar()
    sidebar.start(model.didChange)
    await withCheckedContinuation { continuation in
      sidebar.onUpdate = { continuation.resume() }
      model.title = "a"
      model.title = "b"
    }
    #expect(view.shown == ["b"])
    #expect(sidebar.count == 1)
    sidebar.stop(model.didChange)
  }

  @Test("Swift 6: a main-actor class can own a proxy, a mailbox and a group observer")
  func lazyProperties() async {
    let workspace = Workspace()
    await withCheckedContinuation { continuation in
      workspace.onRefresh = { continuation.resume() }
      workspace.change()
    }
    #expect(workspace.refreshed == [2])
    workspace.found.placeIfFits("a word")
    #expect(workspace.found.take() == "a word")
  }

  @Test("Swift 6: a class confined to a queue observes an event that other threads trigger")
  func queueConfinedClass() async {
    let index = Index()
    let isDone = DispatchSemaphore(value: 0)
    let reader = Mutex<IndexReader?>(nil)
    index.queue.sync {
      reader.withLock { $0 = IndexReader(index, until: 40) { isDone.signal() } }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
          for word in 0..<10 { index.add("\(word)") }
        }
        isDone.wait()
        continuation.resume()
      }
    }
    #expect(index.count == 40)
    index.queue.sync { reader.withLock { $0 = nil } }
  }
}
