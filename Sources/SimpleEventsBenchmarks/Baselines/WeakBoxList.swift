protocol ListObserver: AnyObject {
  func listDidChange(_ list: AnyObject)
}

/// Weak observers as in textbooks: a box for each observer, and a cast to the protocol for each call.
final class WeakBoxList {
  private final class Box {
    weak var object: AnyObject?

    init(_ object: AnyObject) {
      self.object = object
    }
  }

  private var boxes: [Box] = []

  func add(_ observer: any ListObserver) {
    boxes.append(Box(observer))
  }

  func notify() {
    for box in boxes {
      if let object = box.object {
        (object as! any ListObserver).listDidChange(self)
      }
    }
  }
}

/// Weak observers of one fixed protocol, without casts.
final class WeakReferenceList {
  private final class Box {
    weak var observer: (any ListObserver)?

    init(_ observer: any ListObserver) {
      self.observer = observer
    }
  }

  private var boxes: [Box] = []

  func add(_ observer: any ListObserver) {
    boxes.append(Box(observer))
  }

  func notify() {
    for box in boxes {
      box.observer?.listDidChange(self)
    }
  }
}
