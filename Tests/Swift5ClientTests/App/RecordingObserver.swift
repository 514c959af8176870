/// An observer protocol that is restricted to classes.
protocol RecordingObserver: AnyObject {
  var isPatient: Bool { get }
  func recordingDidEnd()
}
