internal import SimpleEvents

/// Cancels work that was scheduled on a test scheduler.
final class VirtualWork: ScheduledWork {
  private let ticket: TimeTicket
  private let scheduler: TestScheduler

  init(_ ticket: TimeTicket, in scheduler: TestScheduler) {
    self.ticket = ticket
    self.scheduler = scheduler
  }

  func cancel() {
    scheduler.cancel(ticket)
  }
}
