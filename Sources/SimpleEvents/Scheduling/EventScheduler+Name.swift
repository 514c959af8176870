internal import Dispatch

extension EventScheduler {
  /// The label of a queue, the description of a scheduler that has one, or the type.
  var name: String {
    if let queue = self as? DispatchQueue { return queue.label }
    return (self as? any CustomStringConvertible)?.description ?? "\(type(of: self))"
  }
}
