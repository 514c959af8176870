import TestSupport

/// An observer that records its calls.
final class Guest: RecordingObserver {
  let isPatient: Bool
  let log: Log

  init(isPatient: Bool, _ log: Log) {
    self.isPatient = isPatient
    self.log = log
  }

  func recordingDidEnd() {
    log.add(isPatient ? "patient" : "impatient")
  }
}
