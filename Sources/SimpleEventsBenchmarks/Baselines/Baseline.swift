/// The names of the baselines, which the bars refer to.
enum Baseline {
  static let closures: String = "array of closures"
  static let oneClosure: String = "array of one closure"
  static let weakBoxes: String = "weak boxes, cast"
  static let weakReferences: String = "weak boxes, no cast"
  static let notificationCenter: String = "NotificationCenter"
  static let dictionary: String = "dictionary of closures"
  static let identified: String = "array of closures with ids"
  static let handWritten: String = "hand-written"
  static let handWrittenLocked: String = "hand-written, locked"
  static let source: String = "DispatchSource.or"
  static let async: String = "queue.async each"
  static let exchange: String = "atomic exchange"
  static let clock: String = "clock read"
  static let timer: String = "DispatchSourceTimer re-armed"
  static let workItem: String = "DispatchWorkItem re-queued"
  static let stream: String = "AsyncStream newest(1)"
}
