internal import ExplorerDispatch
internal import SimpleEvents

/// An actor of the model. Its executor runs jobs in any order, two at a time.
actor QueueActor: QueuedActor {
  nonisolated let jobs: DispatchQueue = DispatchQueue(label: "jobs", attributes: .concurrent)
}
