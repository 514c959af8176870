/// The run to which the current task belongs, and the run in which its loop is hosted.
///
/// Child tasks and tasks that are created with `Task { }` inherit the scope. A wait in the run for the end of
/// the run would never end (L5).
package final class RunScope: Sendable {
  @TaskLocal package static var current: RunScope?

  package let loop: ObjectIdentifier
  // NB: a task may outlive the loop, and another loop may then have its address.
  private let handle: WeakHandle<any AnyObject & Sendable>
  /// The number of the run among those of its loop.
  private let number: Int
  private let outer: RunScope?

  package init(_ loop: any AnyObject & Sendable, number: Int, in outer: RunScope?) {
    self.loop = ObjectIdentifier(loop)
    handle = WeakHandle(loop)
    self.number = number
    self.outer = outer
  }

  /// The number of the run of a loop to which the current task belongs; nil if it belongs to none.
  package static func number(ofRunOf loop: AnyObject) -> Int? {
    var scope = current
    while let next = scope, next.handle.object !== loop { scope = next.outer }
    return scope?.number
  }
}
