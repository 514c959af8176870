/// An observer protocol that is not restricted to classes, although only classes conform to it.
protocol QueueObserver {
  func queue(_ queue: PlayQueue, didAdd title: String)
  func queueDidClear(_ queue: PlayQueue)
}
