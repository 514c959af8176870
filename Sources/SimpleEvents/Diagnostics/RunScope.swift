/// The run to which a task belongs, and the outer run in which the loop of that run is hosted.
///
/// Child tasks and tasks that are created with `Task { }` inherit the scope. A task that waits for the end of
/// its own run would wait forever (L5).
// NB: a scope is a value, because an object would be an allocation for each run.
package struct RunScope: Sendable {
  @TaskLocal package static var current: RunScope?

  package let loop: ObjectIdentifier
  // NB: a task may outlive its loop, and another loop may then have the same address.
  private let handle: WeakHandle<any AnyObject & Sendable>
  /// The number of the run, counted within its loop.
  private let number: Int
  /// The scope in which the loop is hosted, if it is hosted in a run.
  private let outer: [RunScope]

  package init(_ loop: any AnyObject & Sendable, number: Int, in outer: RunScope?) {
    self.loop = ObjectIdentifier(loop)
    handle = WeakHandle(loop)
    self.number = number
    self.outer = outer.map { [$0] } ?? []
  }

  /// If the current task belongs to a run of a loop, returns the number of that run; otherwise returns nil.
  package static func number(ofRunOf loop: AnyObject) -> Int? {
    var scope = current
    while let next = scope, next.handle.object !== loop { scope = next.outer.first }
    return scope?.number
  }
}
