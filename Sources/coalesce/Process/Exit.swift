internal import SimpleEvents

/// The exit of the program.
enum Exit {
  /// The last work of the program; nil if there is none, or if it was done. The lock is held while the work
  /// is done, so that another thread that exits waits until the work has ended.
  private static let lastWork: Guarded<(@Sendable () -> Bool)?> = Guarded(nil)

  /// Sets the work that is done before the exit. The work returns whether it has succeeded.
  static func setLastWork(_ work: @escaping @Sendable () -> Bool) {
    lastWork.withLock { $0 = work }
  }

  /// Does the last work, if it was not done; returns whether the work has succeeded.
  @discardableResult static func doLastWork() -> Bool {
    lastWork.withLock { work in
      defer { work = nil }
      return work?() ?? true
    }
  }
}
