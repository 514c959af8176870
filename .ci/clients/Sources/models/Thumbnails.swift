import Dispatch
import SimpleEvents

/// A service that any thread may call. It works on a queue of its own, in batches.
nonisolated final class Thumbnails: Sendable {
  private let requests: CoalescingCollector<String>
  let finished: SimpleMailbox<[String]>

  init() {
    let queue = DispatchQueue(label: "thumbnails")
    let finished = SimpleMailbox<[String]>(event: LazySimpleEvent(on: queue))
    requests = CoalescingCollector(
      on: queue, policy: .debounce(.milliseconds(20)), keeping: .distinct(100)
    ) { @Sendable names in
      finished.replace(names.map { "\($0).png" })
    }
    self.finished = finished
  }

  func request(_ names: [String]) { requests.add(contentsOf: names) }
}

@MainActor
func showThumbnails() async {
  let thumbnails = Thumbnails()
  thumbnails.request(["cover", "page", "cover"])
  print("service:", await thumbnails.finished.next() ?? [])
}
