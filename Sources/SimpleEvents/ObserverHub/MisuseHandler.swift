/// What is to happen when the library notices a programming error.
///
/// The default stops a debug build with a message and costs a release build nothing. A test suite turns
/// misuse into failures of the test instead:
///
/// ```swift
/// let event = SimpleEvent(
///   misuse: .report { misuse in Issue.record(Comment(rawValue: misuse.message)) })
/// ```
///
/// After a report, and in a release build, the operation behaves as its contract says for release
/// builds (H6): nothing is left half done.
public struct MisuseHandler: Sendable {
  private enum Action: Sendable {
    case debugTrap
    case trap
    case report(@Sendable (Misuse) -> Void)
  }

  private let action: Action

  /// Stops a debug build with the message. A release build does not even look.
  public static let debugTrap: MisuseHandler = MisuseHandler(action: .debugTrap)

  /// Stops every build with the message.
  ///
  /// A release build knows no registration sites and no isolation, and says so or looks away.
  public static let trap: MisuseHandler = MisuseHandler(action: .trap)

  /// Hands every misuse to a closure, in every build, and goes on.
  ///
  /// - Parameter report: Called on the thread of the misuse, under no lock, before the operation goes on.
  public static func report(_ report: @escaping @Sendable (Misuse) -> Void) -> MisuseHandler {
    MisuseHandler(action: .report(report))
  }

  /// Whether anybody wants to know; where not, no effort is spent on looking.
  package var isActive: Bool {
    switch action {
    case .debugTrap: isDebugBuild
    case .trap, .report: true
    }
  }

  var isDefault: Bool {
    if case .debugTrap = action { true } else { false }
  }

  /// Deals with a misuse; returns only if the program is to go on.
  package func flag(_ misuse: @autoclosure () -> Misuse) {
    guard isActive else { return }
    let misuse = misuse()
    if case .report(let report) = action {
      return report(misuse)
    }
    // NB: `fatalError`, since the text of a failed precondition is lost in release builds.
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
