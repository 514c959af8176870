/// The reaction to a programming error: stop the program, or report the error and continue.
///
/// The default stops a debug build with a message, and has no cost in a release build. A test can report the
/// errors instead:
///
/// ```swift
/// let event = SimpleEvent(
///   misuse: .report { misuse in Issue.record(Comment(rawValue: misuse.message)) })
/// ```
///
/// After the report, the operation continues as in a release build.
public struct MisuseHandler: Sendable {
  private enum Action: Sendable {
    case debugTrap
    case trap
    case report(@Sendable (Misuse) -> Void)
  }

  private let action: Action

  /// Stops a debug build with the message. With this handler, a release build does not check for misuse.
  public static let debugTrap: MisuseHandler = MisuseHandler(action: .debugTrap)

  /// Stops every build with the message.
  ///
  /// A release build does not record where observers were added, and checks neither isolation (E9) nor
  /// feedback (C11).
  public static let trap: MisuseHandler = MisuseHandler(action: .trap)

  /// Passes every misuse to a closure, in every build, and continues.
  ///
  /// A release build does not record where observers were added, and checks neither isolation (E9) nor
  /// feedback (C11).
  ///
  /// - Parameter report: The closure that receives each misuse. It is called on the thread of the misuse,
  ///   under no lock, before the operation continues.
  public static func report(_ report: @escaping @Sendable (Misuse) -> Void) -> MisuseHandler {
    MisuseHandler(action: .report(report))
  }

  /// The handler that replaces the default one in a task and in the tasks that inherit its task-local values.
  // NB: the value is a whole handler. If it were only the closure, optimised builds would crash: where the
  // 6.3 compiler specialises `withValue` in another module, it emits a null reference for the type of an
  // optional function.
  @TaskLocal package static var substitute: MisuseHandler?

  /// Whether the library checks for errors.
  package var isActive: Bool { if case .debugTrap = action { isDebugBuild } else { true } }

  /// Reports a misuse, or stops the program.
  package func flag(_ misuse: @autoclosure () -> Misuse) {
    if isActive { report(misuse()) }
  }

  // NB: the method is never inlined, so that the code is not repeated at each call of `flag`.
  @inline(never) private func report(_ misuse: Misuse) {
    switch action {
    case .report(let report): return report(misuse)
    case .debugTrap: if let substitute = Self.substitute { return substitute.flag(misuse) }
    case .trap: break
    }
    // NB: this is `fatalError`, because release builds lose the text of a failed precondition.
    fatalError(
      "SimpleEvents misuse: \(misuse.message)",
      file: misuse.site?.fileID ?? #fileID, line: misuse.site?.line ?? #line)
  }
}

#if DEBUG
  package let isDebugBuild: Bool = true
#else
  package let isDebugBuild: Bool = false
#endif
