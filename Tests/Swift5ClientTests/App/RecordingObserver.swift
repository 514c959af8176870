/// An observer protocol that is bound to classes.
protocol RecordingObserver: AnyObject {
  var isPatient: Bool { get }
  func recordingDidEnd()
}
