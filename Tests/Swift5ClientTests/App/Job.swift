/// A job in a mailbox: an instance of a class that is not equatable.
final class Job {
  let name: String

  init(_ name: String) {
    self.name = name
  }
}
