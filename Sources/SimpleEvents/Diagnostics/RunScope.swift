/// The run that the current task is part of, and the run in which its loop is hosted.
///
/// Child tasks inherit it, and tasks that are made with `Task { }`. A wait for the end of the run would wait
/// for itself (L5).
final class RunScope: Sendable {
  @TaskLocal static var current: RunScope?

  let loop: ObjectIdentifier
  /// The number of the run among those of its loop.
  private let number: Int
  private let outer: RunScope?

  init(_ loop: AnyObject, number: Int, in outer: RunScope?) {
    self.loop = ObjectIdentifier(loop)
    self.number = number
    self.outer = outer
  }

  /// The number of the run of a loop that the current task is part of; nil if it is part of none.
  static func number(ofRunOf loop: AnyObject) -> Int? {
    var scope = current
    while let next = scope, next.loop != ObjectIdentifier(loop) { scope = next.outer }
    return scope?.number
  }
}
