#if DEBUG
  import SimpleEvents
  @testable import SimpleObservables
  import Testing

  /// The sources that a subscription keeps.
  struct SubscriptionTests {
    private struct WeakSource {
      weak var subscription: Subscription?
    }

    @Test("V5, catch: a sequence that continues with itself after each error releases the failed sources")
    func failedSources() {
      var newest: Observer<Int>?
      var sources: [WeakSource] = []
      let source = Operator<Int> { observer in
        newest = observer
        sources.append(WeakSource(subscription: observer.subscription))
      }
      func poll() -> Observable<Int> { source.catch { _ in poll() } }
      let token = poll().subscribe { _ in }
      for _ in 0..<1000 { newest?.fail(Broken()) }
      #expect(sources.count == 1001)
      #expect(sources.count { $0.subscription != nil } == 1)
      token.remove()
      newest = nil
      #expect(sources.allSatisfy { $0.subscription == nil })
    }
  }
#endif
