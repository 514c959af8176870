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
/// After reporting, the operation continues as in a release build.
public struct MisuseHandler: Sendable {
  private enum Action: Sendable {
    case debugTrap
    case trap
    case report(@Sendable (Misuse) -> Void)
  }

  private let action: Action

  /// Stops a debug build with the message. A release build does not look for errors.
  public static let debugTrap: MisuseHandler = MisuseHandler(action: .debugTrap)

  /// Stops every build with the message.
  ///
  /// A release build does not record where observers were added, and looks neither for isolation nor for
  /// feedback (C11).
  public static let trap: MisuseHandler = MisuseHandler(action: .trap)

  /// Passes every misuse to a closure, in every build, and continues.
  ///
  /// A release build does not record where observers were added, and looks neither for isolation nor for
  /// feedback (C11).
  ///
  /// - Parameter report: Called on the thread of the misuse, under no lock, before the operation continues.
  public static func report(_ report: @escaping @Sendable (Misuse) -> Void) -> MisuseHandler {
    MisuseHandler(action: .report(report))
  }

  /// The handler that replaces `.debugTrap` in a task and in the tasks that inherit from it.
  // NB: this stores the whole handler, because its closure alone fails: the 6.3 compiler emits a null
  // reference for the type of an optional function where it specializes `withValue` in another module, so
  // that optimized builds crash.
  @TaskLocal package static var substitute: MisuseHandler?

  /// Whether the library looks for errors.
  package var isActive: Bool { if case .debugTrap = action { isDebugBuild } else { true } }

  /// Reports a misuse, or stops the program.
  package func flag(_ misuse: @autoclosure () -> Misuse) {
    guard isActive else { return }
    let misuse = misuse()
    switch action {
    case .report(let report): return report(misuse)
    case .debugTrap: if let substitute = Self.substitute { return substitute.flag(misuse) }
    case .trap: break
    }
    // NB: `fatalError`, because release builds lose the text of a failed precondition.
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
