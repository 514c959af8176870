/// A job in a mailbox: a class instance that is not equatable.
final class Job {
  let name: String

  init(_ name: String) {
    self.name = name
  }
}
