import SimpleEvents
import SimpleObservables
import TestSupport

extension Observable {
  /// Adds the values, the error and the end to a log, each after a name.
  func log(into log: Log, as name: String = "") -> any SimpleEventToken {
    subscribe(
      onNext: { log.add("\(name)\($0)") }, onError: { log.add("\(name)error \($0)") },
      onDone: { log.add("\(name)done") })
  }
}
