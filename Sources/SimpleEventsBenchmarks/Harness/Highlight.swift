/// An operation that the picture and the table show, performed by the library and by alternatives.
struct Highlight {
  /// A description of the operation for a reader who does not know the library.
  let title: String
  let workload: String
  /// The names of the subjects in the results, and their labels in Markdown. The first subject is the
  /// library's own.
  let subjects: [(name: String, label: String)]

  /// The operations that are shown. They include operations for which an alternative is faster.
  static let all: [Highlight] = [
    Highlight(
      title: "Trigger an event while its notification is pending", workload: "trigger-pending",
      subjects: [
        ("SimpleEvents LazySimpleEvent", "`LazySimpleEvent`"), (Baseline.stream, "`AsyncStream`, newest(1)"),
        (Baseline.source, "`DispatchSource.or`"),
      ]),
    Highlight(
      title: "Trigger an event, and take the notification in a task", workload: "notifications-next",
      subjects: [
        ("SimpleEvents notifications", "`event.notifications`"),
        (Baseline.stream, "`AsyncStream`, newest(1)"),
      ]),
    Highlight(
      title: "Change a property; ten changes make one notification", workload: "model-change",
      subjects: [
        ("SimpleEvents LazySimpleEvent", "`LazySimpleEvent`"),
        (Baseline.tracking, "`withObservationTracking`"),
      ]),
    Highlight(
      title: "Trigger an event with 1,000 blocks, for each block", workload: "fanout-tokens",
      subjects: [
        ("SimpleEvents SimpleEvent, tokens", "`SimpleEvent`"), (Baseline.closures, "an array of closures"),
        (Baseline.notificationCenter, "`NotificationCenter`"),
      ]),
    Highlight(
      title: "Trigger an event with one block", workload: "trigger-single",
      subjects: [
        ("SimpleEvents SimpleEvent, one token", "`SimpleEvent`"),
        (Baseline.oneClosure, "a closure in an array"),
      ]),
    Highlight(
      title: "Set a variable with 100 subscribers, for each of them", workload: "values-set",
      subjects: [("SimpleEvents Variable", "`Variable`"), (Baseline.closures, "an array of closures")]),
    Highlight(
      title: "Send a value through three operators", workload: "values-operators",
      subjects: [
        ("SimpleEvents map, filter, removeDuplicates", "operators of values"),
        (Baseline.oneByHand, "one closure by hand"), (Baseline.handWritten, "operators by hand"),
      ]),
    Highlight(
      title: "Add and remove an observer beside 100,000 others", workload: "churn",
      subjects: [
        ("SimpleEvents token", "a token"), (Baseline.lockedDictionary, "a lock and a dictionary"),
        (Baseline.notificationCenter, "`NotificationCenter`"),
      ]),
    Highlight(
      title: "Create an event with an observer, and release both", workload: "construct",
      subjects: [
        ("SimpleEvents SimpleEvent", "`SimpleEvent`"), (Baseline.tokens, "a list with tokens"),
        (Baseline.notificationCenter, "`NotificationCenter`"),
      ]),
    Highlight(
      title: "Add an element to a full collector", workload: "collector",
      subjects: [
        ("SimpleEvents CoalescingCollector, newest", "`CoalescingCollector`"),
        (Baseline.lockedArray, "a lock and an array"),
      ]),
    Highlight(
      title: "Notify of a change of an `@Observable` model", workload: "observation-event",
      subjects: [
        ("SimpleEvents ObservationEvent", "`ObservationEvent`"),
        (Baseline.tracking, "`withObservationTracking`"),
      ]),
    Highlight(
      title: "Request a run of an `async` function, and await it", workload: "refresh-loop-run",
      subjects: [("SimpleEvents RefreshLoop", "`RefreshLoop`"), (Baseline.bareTask, "a task for each run")]),
  ]
}
