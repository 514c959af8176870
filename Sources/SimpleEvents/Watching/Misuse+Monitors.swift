extension Misuse.Kind {
  /// A monitor was installed a second time, or after the first object that coalesces was created (W1).
  public static var lateBootstrap: Self { Self() }
}

extension Misuse {
  static func bootstrappedTwice(at site: CallSite) -> Self {
    Misuse(
      .lateBootstrap, DiagnosticSubject(CoalescingSystem.self), at: site, "A monitor is installed already.",
      "Call 'CoalescingSystem.bootstrap' once, with a 'MultiplexCoalescingMonitor' for several monitors.",
      release: "the first monitor stays", " Called at \(site).")
  }

  /// - Parameter first: The name and the place of the first object, if they are known.
  static func bootstrappedLate(after first: String?, at site: CallSite) -> Self {
    Misuse(
      .lateBootstrap, DiagnosticSubject(CoalescingSystem.self), at: site,
      """
      An object that coalesces was created before the monitor was installed, and the monitor does not see \
      \(first.map { "it: \($0)" } ?? "it").
      """,
      """
      Call 'CoalescingSystem.bootstrap' at the start of the program. Create objects that belong to the \
      monitor itself in the argument of the call.
      """,
      release: "the monitor sees the objects that are created later", " Called at \(site).")
  }
}
