internal import Dispatch

extension EventScheduler {
  /// The source of the turns of an object on this scheduler. All objects on one dispatch queue share the
  /// turns of the queue.
  package var turnSource: TurnSource { (self as? DispatchQueue)?.turns ?? TurnSource(self) }
}
