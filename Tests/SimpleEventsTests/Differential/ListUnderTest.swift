import SimpleEvents
import TestSupport

/// A list of observers on which programs run: the hub or the naive model.
protocol ListUnderTest: AnyObject {
  init(reportingTo reports: Shared<[Misuse.Kind]>)
  var isEmpty: Bool { get }
  func put(_ observer: any Watching)
  func take(_ observer: any Watching)
  func each(_ body: (any Watching) throws -> Void) throws
}
