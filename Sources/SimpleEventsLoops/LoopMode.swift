/// The tasks that make the runs of a loop.
enum LoopMode<Start> {
  /// A task is created for each run.
  case owned(Start)
  case hosted(LoopTask)
  case unhosted
  /// The loop has ended: no further run begins.
  case ended

  /// Whether there is no task to begin a run.
  var isUnhosted: Bool { if case .unhosted = self { true } else { false } }

  var hasEnded: Bool { if case .ended = self { true } else { false } }

  func isHost(_ task: LoopTask) -> Bool {
    if case .hosted(let host) = self { host === task } else { false }
  }
}
