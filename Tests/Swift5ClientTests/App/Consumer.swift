import SimpleEvents

/// Takes jobs and records their names.
final class Consumer {
  private let producer: Producer
  private var producerDidChange: SimpleEventToken?
  private(set) var names: [String] = []

  init(producer: Producer) {
    self.producer = producer
    producer.didChange.addObserver(&producerDidChange) { [weak self] _ in
      self?.work()
    }
  }

  private func work() {
    if let job = producer.jobs.take() {
      names.append(job.name)
    }
  }
}
