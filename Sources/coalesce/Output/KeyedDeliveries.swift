package import SimpleEvents
internal import SimpleEventsLoops

/// Delivers lines by a policy, with a window for each key.
package final class KeyedDeliveries: Sendable {
  /// The lines that are not delivered yet.
  package let lines: KeyedLines
  private let loop: KeyedRefreshLoop<LineKey>

  /// Creates deliveries with the policy, the rate and the number of jobs that the settings give.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - field: The field that is the key of a line.
  ///   - scheduler: The scheduler that measures the time and runs the deliveries.
  ///   - label: The name of the deliveries in the reports.
  ///   - deliver: Delivers the lines of a key. Calls for one key do not overlap, and no call is made while
  ///     the rate allows no delivery.
  package init(
    _ settings: FilterSettings, by field: KeyField, on scheduler: some EventScheduler, label: String,
    deliver: @escaping @Sendable (LineKey, LineBatch) async -> Void
  ) {
    let lines = KeyedLines(
      by: field, keeping: settings.keeping, delimiter: settings.delimiter, limit: settings.limit,
      settle: settings.settle, jobs: settings.jobs, on: scheduler)
    let limiter = settings.rate?.limiter(on: scheduler)
    self.lines = lines
    loop = KeyedRefreshLoop(
      on: scheduler, policy: settings.policy, whenBusy: settings.whenBusy.loopMode,
      maxConcurrentRuns: settings.jobs, label: label
    ) { @Sendable key in
      // A delivery also takes lines that were signalled after its start, so the next delivery may find no
      // lines.
      if lines.isIdle(key) { return }
      try await limiter?.acquire()
      // After a cancellation, the lines are left for the next delivery.
      guard !Task.isCancelled, let batch = lines.take(key) else { return }
      await deliver(key, batch)
      lines.didEndRun(of: key)
    } onError: { @Sendable _, _ in
    }
  }

  /// The number of keys whose deliveries are pending or in progress.
  package var keyCount: Int { loop.entryCount }

  /// Adds lines that were read together, and signals their keys; returns whether there was memory for the
  /// lines.
  ///
  /// - Parameter forEach: A function that calls its argument with each line.
  package func add(_ forEach: (LineReader.Add) -> Void) -> Bool {
    lines.add(forEach) { loop.request($0) }
  }

  /// Whether there is room for further lines. If not, deliveries that are due will make room.
  ///
  /// - Parameter drop: Receives the number of lines that were dropped to make room.
  package func hasRoom(drop: (Int) -> Void) -> Bool {
    // `isPending` is checked first, because a pending delivery may begin between the two checks.
    lines.hasRoom({ loop.isPending($0) || loop.isRunning($0) }, drop: drop)
  }

  /// Delivers the pending lines without waiting for the end of the windows, and returns after the last
  /// delivery. Later signals are ignored.
  package func finish() async { await loop.finish() }

  /// Drops the pending lines, cancels the deliveries in progress, and returns when they have ended.
  package func stop() async { await loop.stop(cancelling: true) }

  /// Takes the lines of all keys when a signal ends the program. Later lines are ignored.
  ///
  /// - Parameter write: Receives the lines of a key whose delivery is pending or in progress.
  /// - Returns: The number of the other lines, which the policy has ignored.
  func end(_ write: (LineKey, LineBatch) -> Void) -> Int {
    var undelivered = 0
    for (key, batch) in lines.end() {
      if loop.isPending(key) || loop.isRunning(key) { write(key, batch) } else { undelivered += batch.count }
    }
    return undelivered
  }

  /// Reads standard input to its end, and delivers its lines.
  ///
  /// - Parameters:
  ///   - reader: Reads the lines.
  ///   - notices: Writes notices about dropped lines.
  ///   - turns: The thread that runs the deliveries.
  /// - Returns: The error that has ended the input; nil if the input has reached its end.
  func run(_ reader: LineReader, _ notices: LossNotices, on turns: Worker) -> SystemError? {
    var failure: SystemError?
    do {
      try reader.readLines { forEach in
        while !hasRoom(drop: notices.noteIgnored) { lines.waitForRoom() }
        return add(forEach)
      }
    } catch {
      failure = error
    }
    turns.perform { [self] in await finish() }
    notices.finish(undelivered: lines.end().reduce(0) { $0 + $1.batch.count })
    return failure
  }
}
