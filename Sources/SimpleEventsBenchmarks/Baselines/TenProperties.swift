internal import Dispatch
internal import Observation
internal import SimpleEvents

/// A model that has ten properties and is confined to one serial queue.
protocol TenProperties: AnyObject, Sendable {
  var a: Int { get set }
  var b: Int { get set }
  var c: Int { get set }
  var d: Int { get set }
  var e: Int { get set }
  var f: Int { get set }
  var g: Int { get set }
  var h: Int { get set }
  var i: Int { get set }
  var j: Int { get set }
}

extension TenProperties {
  /// Changes all properties.
  @inline(__always)
  func change(to number: Int) {
    a = number
    b = number
    c = number
    d = number
    e = number
    f = number
    g = number
    h = number
    i = number
    j = number
  }

  /// Reads all properties.
  @inline(__always)
  var sum: Int { a &+ b &+ c &+ d &+ e &+ f &+ g &+ h &+ i &+ j }
}

/// A model whose setters trigger an event.
///
/// SAFETY: `@unchecked`, because the workload uses a model only on its queue.
final class EventModel: TenProperties, @unchecked Sendable {
  let didChange: LazySimpleEvent

  var a: Int = 0 { didSet { didChange.trigger() } }
  var b: Int = 0 { didSet { didChange.trigger() } }
  var c: Int = 0 { didSet { didChange.trigger() } }
  var d: Int = 0 { didSet { didChange.trigger() } }
  var e: Int = 0 { didSet { didChange.trigger() } }
  var f: Int = 0 { didSet { didChange.trigger() } }
  var g: Int = 0 { didSet { didChange.trigger() } }
  var h: Int = 0 { didSet { didChange.trigger() } }
  var i: Int = 0 { didSet { didChange.trigger() } }
  var j: Int = 0 { didSet { didChange.trigger() } }

  init(_ scheduler: any EventScheduler) {
    didChange = LazySimpleEvent(on: scheduler)
  }
}

/// A model that is observed with `withObservationTracking`.
///
/// SAFETY: `@unchecked`, because the workload uses a model only on its queue.
@Observable
final class ObservedModel: TenProperties, @unchecked Sendable {
  var a: Int = 0
  var b: Int = 0
  var c: Int = 0
  var d: Int = 0
  var e: Int = 0
  var f: Int = 0
  var g: Int = 0
  var h: Int = 0
  var i: Int = 0
  var j: Int = 0
}

/// A model with an array of closures. They are called on the queue's next turn after a change.
///
/// SAFETY: `@unchecked`, because the workload uses a model only on its queue.
final class HandWrittenModel: TenProperties, @unchecked Sendable {
  private let queue: DispatchQueue
  private var closures: [() -> Void] = []
  private var isPending: Bool = false

  var a: Int = 0 { didSet { changed() } }
  var b: Int = 0 { didSet { changed() } }
  var c: Int = 0 { didSet { changed() } }
  var d: Int = 0 { didSet { changed() } }
  var e: Int = 0 { didSet { changed() } }
  var f: Int = 0 { didSet { changed() } }
  var g: Int = 0 { didSet { changed() } }
  var h: Int = 0 { didSet { changed() } }
  var i: Int = 0 { didSet { changed() } }
  var j: Int = 0 { didSet { changed() } }

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  func add(_ closure: @escaping () -> Void) {
    closures.append(closure)
  }

  private func changed() {
    guard !isPending else { return }
    isPending = true
    queue.async { [self] in
      isPending = false
      for closure in closures {
        closure()
      }
    }
  }
}
