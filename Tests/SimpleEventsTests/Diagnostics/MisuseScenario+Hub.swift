import SimpleEvents

extension MisuseScenario {
  private protocol Listening {
    func hear()
  }

  private final class Listener: Listening {
    var onHear: () -> Void = {}
    func hear() { onHear() }
  }

  private struct ValueListener: Listening {
    func hear() {}
  }

  func misuseHub() {
    let hub = ObserverHub<any Listening>(label: self == .notInstalled ? nil : "model")
    let listener = Listener()
    switch self {
    case .addedTwice:
      site(#line + 2)
      hub.add(listener)
      hub.add(listener)
      require(count(hub) == 1)
      hub.remove(listener)
    case .notAnObject:
      site(#line + 1)
      hub.add(ValueListener())
    case .notInstalled:
      site(#line + 1)
      hub.remove(listener)
    case .neverRemoved:
      site(#line + 1)
      hub.add(Listener())
      require(hub.isEmpty)
    default:
      site(#line + 1)
      hub.add(listener)
      var depth = 0
      var deepest = 0
      listener.onHear = {
        depth += 1
        deepest = max(deepest, depth)
        if depth == 1 { hub.forEach { $0.hear() } }
        depth -= 1
      }
      hub.forEach { $0.hear() }
      require(deepest == 2)
      hub.remove(listener)
    }
    require(hub.isEmpty)
  }

  private func count(_ hub: ObserverHub<any Listening>) -> Int {
    var count = 0
    hub.forEach { _ in count += 1 }
    return count
  }
}
