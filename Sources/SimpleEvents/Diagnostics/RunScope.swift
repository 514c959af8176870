/// The run to which a task belongs, and the outer run in which the loop of that run is hosted.
///
/// Child tasks and tasks that are created with `Task { }` inherit the scope. A task that waits for the end of
/// its own run would wait forever (L5).
package final class RunScope: Sendable {
  @TaskLocal package static var current: RunScope?

  package let loop: ObjectIdentifier
  // NB: a task may outlive its loop, and another loop may then have the same address.
  private let handle: WeakHandle<any AnyObject & Sendable>
  /// The number of the run, counted within its loop.
  private let number: Int
  private let outer: RunScope?

  package init(_ loop: any AnyObject & Sendable, number: Int, in outer: RunScope?) {
    self.loop = ObjectIdentifier(loop)
    handle = WeakHandle(loop)
    self.number = number
    self.outer = outer
  }

  /// The number of the run of a loop to which the current task belongs; nil if the task belongs to no run of
  /// that loop.
  package static func number(ofRunOf loop: AnyObject) -> Int? {
    var scope = current
    while let next = scope, next.handle.object !== loop { scope = next.outer }
    return scope?.number
  }
}
