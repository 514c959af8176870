internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleObservables

/// Two threads send through a chain that is too long for calls that nest, one of them from its middle: behind the merge,
/// both may be in the same line.
private let longChain: Scenario = Scenario("long-chain", "V1 V2 V4 V8") {
  let (subject, other) = (PublishSubject<Int>(), PublishSubject<Int>())
  let subscriber = Subscriber()
  let token = lengthened(.merge(lengthened(subject, by: 576), other), by: 64).subscribe(
    onNext: subscriber.take, onDone: subscriber.end)
  parallel(
    {
      subject.update(1)
      subject.update(2)
    },
    { other.update(3) })
  settle()
  expect(subscriber.values.sorted() == [1, 2, 3], "V8: each value passes the chain")
  expect(subscriber.values.filter { $0 < 3 } == [1, 2], "V1: the values of one sender arrive in order")
  subject.finish()
  other.finish()
  settle()
  expect(subscriber.ends == 1, "V4: the end passes the chain")
  token.remove()
}

/// One thread sends through a long chain while another one removes its subscriber, and the chain is released.
private let longChainRemoval: Scenario = Scenario("long-chain-removal", "E5 V5 V8") {
  let alive = Counter()
  let subject = PublishSubject<Int>()
  let subscriber = Subscriber()
  var chain: Observable<Int>? = lengthened(subject, by: 640)
  var token: (any SimpleEventToken)?
  do {
    let captured = Tracked(alive)
    token = chain!.subscribe { value in withExtendedLifetime(captured) { subscriber.take(value) } }
  }
  var isRemoved = false
  parallel(
    { subject.update(1) },
    {
      chain = nil
      token?.remove()
      isRemoved = true
    })
  settle()
  expect(isRemoved && subscriber.values.allSatisfy { $0 == 1 }, "V5: a removed subscriber is not called")
  subject.update(2)
  expect(!subscriber.values.contains(2), "V5: a removed subscriber is not called")
  token = nil
  expect(alive.value == 0, "E5: a removal releases the captures of the block")
}

/// Calls nest along 512 operators.
private func lengthened(_ source: Observable<Int>, by length: Int) -> Observable<Int> {
  (0..<length).reduce(source) { chain, _ in chain.map { $0 } }
}

/// The scenarios of long chains.
let longChainScenarios: [Scenario] = [longChain, longChainRemoval]
