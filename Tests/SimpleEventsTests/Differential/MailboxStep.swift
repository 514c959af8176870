/// One step of a random program on a mailbox for optional numbers.
enum MailboxStep {
  case replaceEvenIfSame(Int?)
  case replace(Int?)
  case placeIfFits(Int?)
  case take
  case look
  /// Runs the scheduler, so that the event notifies.
  case turn
}
