import SimpleEvents

extension PublishedTimeline {
  /// The timelines that the engine must reproduce.
  static let all: [PublishedTimeline] = [
    PublishedTimeline(
      "rxjs@54796b3 debounce-time should debounce values by 2 time units", .debounce(.milliseconds(2)),
      """
      -a--bc--d
      ---a---c--d
      """),
    PublishedTimeline(
      "rxjs@54796b3 debounce-time should delay all elements by the specified time",
      .debounce(.milliseconds(5)),
      """
      -a--------b------c
      ------a--------b------c
      """),
    PublishedTimeline(
      "rxjs@54796b3 debounce-time should debounce and delay element by the specified time",
      .debounce(.milliseconds(5)),
      """
      -a--(bc)-----------d
      ---------c--------------d
      """),
    PublishedTimeline(
      "rxjs@54796b3 debounce-time should allow unsubscribing early and explicitly",
      .debounce(.milliseconds(2)),
      """
      --a--bc!-d
      ----a
      """),
    PublishedTimeline(
      "rxjs@54796b3 debounce-time should not break unsubscription chains when unsubscribed explicitly",
      .debounce(.milliseconds(2)),
      """
      --a--bc!-d
      ----a
      """),
    PublishedTimeline(
      "rxjs@54796b3 debounce-time should debounce and does not complete when source does not completes",
      .debounce(.milliseconds(5)),
      """
      -a--(bc)-----------d-------!
      ---------c--------------d
      """),
    PublishedTimeline(
      "rxjs@54796b3 debounce-time should debounce all elements while source emits within given time",
      .debounce(.milliseconds(4)),
      """
      --a--b--c--d--e--f--g--h-|
      -------------------------h
      """),
    PublishedTimeline(
      "rxjs@54796b3 throttle-time should immediately emit the first value in each time window",
      .throttle(.milliseconds(5), edges: .leading),
      """
      -a-b-c----d---e-fg
      -a--------d-----f
      """),
    PublishedTimeline(
      "rxjs@54796b3 throttle-time should simply mirror the source if values are not emitted often enough",
      .throttle(.milliseconds(5), edges: .leading),
      """
      -a--------b-----c
      -a--------b-----c
      """),
    PublishedTimeline(
      "rxjs@54796b3 throttle-time should handle a busy producer emitting a regular repeating sequence",
      .throttle(.milliseconds(5), edges: .leading),
      """
      abcdefghijklmnopqrstuvwxy
      a-----g-----m-----s-----y
      """),
    PublishedTimeline(
      "rxjs@54796b3 throttle-time should throttle and does not complete when source does not completes",
      .throttle(.milliseconds(5), edges: .leading),
      """
      -a--(bc)-------d---------------!
      -a-------------d
      """),
    PublishedTimeline(
      "rxjs@54796b3 throttle-time should not break unsubscription chains when result is unsubscribed explicitly",
      .throttle(.milliseconds(5), edges: .leading),
      """
      -a--(bc)-------d---------------!
      -a-------------d
      """),
    PublishedTimeline(
      "rxjs@54796b3 throttle-time should throttle values until source raises error",
      .throttle(.milliseconds(5), edges: .leading),
      """
      -a--(bc)-------d
      -a-------------d
      """),
    PublishedTimeline(
      "rxjs@54796b3 throttle-time should immediately emit the first and last values in each time window",
      .throttle(.milliseconds(4)),
      """
      -a-bc-----d--e--fghi
      -a---c----d---e---h---i
      """),
    PublishedTimeline(
      "rxjs@54796b3 throttle-time should emit the value if only a single one is given",
      .throttle(.milliseconds(4)),
      """
      -a
      -a
      """),
    PublishedTimeline(
      "rxjs@54796b3 throttle-time should immediately emit the last value in each time window",
      .throttle(.milliseconds(4), edges: .trailing),
      """
      -a-bc-----d--e--fghi
      -----c--------e---h---i
      """),
    PublishedTimeline(
      "rxjs@54796b3 throttle-time should emit the last throttled value when complete",
      .throttle(.milliseconds(4), edges: .trailing),
      """
      -a-bc-----d--e--fgh
      -----c--------e---h
      """),
    PublishedTimeline(
      "rxjs@54796b3 throttle-time should emit the value if only a single one is given",
      .throttle(.milliseconds(4), edges: .trailing),
      """
      -a
      -----a
      """),
    PublishedTimeline(
      "rxjs@54796b3 audit-time should emit the last value in each time window", .audit(.milliseconds(5)),
      """
      -a-b-c----d---e-fg
      ------c--------e-----g
      """),
    PublishedTimeline(
      "rxjs@54796b3 audit-time should auditTime events multiple times", .audit(.milliseconds(5)),
      """
      -abc-----defgh
      ------c-------h
      """),
    PublishedTimeline(
      "rxjs@54796b3 audit-time should delay the source if values are not emitted often enough",
      .audit(.milliseconds(5)),
      """
      -a--------b-----c
      ------a--------b-----c
      """),
    PublishedTimeline(
      "rxjs@54796b3 audit-time should handle a busy producer emitting a regular repeating sequence",
      .audit(.milliseconds(5)),
      """
      abcdefghijklmnopqrstuvwxy
      -----f-----l-----r-----x-----y
      """),
    PublishedTimeline(
      "rxjs@54796b3 audit-time should not complete when source does not complete", .audit(.milliseconds(5)),
      """
      -a--(bc)-------d---------------!
      ------c-------------d
      """),
    PublishedTimeline(
      "rxjs@54796b3 audit-time should not break unsubscription chains when result is unsubscribed explicitly",
      .audit(.milliseconds(5)),
      """
      -a--(bc)-------d---------------!
      ------c-------------d
      """),
    PublishedTimeline(
      "rxjs@54796b3 audit-time should auditTime values until source raises error", .audit(.milliseconds(5)),
      """
      -a--(bc)-------d
      ------c-------------d
      """),
    PublishedTimeline(
      "lodash@9429a4e should debounce a function", .debounce(.milliseconds(32)), [0, 0, 0, 128, 128, 128],
      counts: [0: 0, 128: 1, 256: 2]),
    PublishedTimeline(
      "lodash@9429a4e should not immediately call func when wait is 0", .debounce(.milliseconds(0)), [0, 0],
      counts: [5: 1]),
    PublishedTimeline(
      "lodash@9429a4e should support a leading option (leading only call)",
      .debounce(.milliseconds(32), edges: [.leading, .trailing]), [0, 64], counts: [0: 1, 64: 2]),
    PublishedTimeline(
      "lodash@9429a4e should support a trailing option {trailing:false}",
      .debounce(.milliseconds(32), edges: []), [0], counts: [0: 0, 64: 0]),
    PublishedTimeline(
      "lodash@9429a4e should support a maxWait option",
      .debounce(.milliseconds(32), maxWait: .milliseconds(64)), [0, 0, 128, 128],
      counts: [0: 0, 128: 1, 256: 2]),
    PublishedTimeline(
      "lodash@9429a4e should queue a trailing call for subsequent debounced calls after maxWait",
      .debounce(.milliseconds(200), maxWait: .milliseconds(200)), [0, 190, 200, 210], counts: [500: 2]),
    PublishedTimeline(
      "lodash@9429a4e should cancel maxDelayed when delayed is invoked",
      .debounce(.milliseconds(32), maxWait: .milliseconds(64)), [0, 128], counts: [128: 1, 192: 2]),
    PublishedTimeline(
      "lodash@9429a4e should not trigger a trailing call when invoked once", .throttle(.milliseconds(32)),
      [0], counts: [0: 1, 64: 1]),
    PublishedTimeline(
      "lodash@9429a4e should trigger a second throttled call as soon as possible",
      .throttle(.milliseconds(128), edges: .trailing), [0, 192], counts: [191: 1, 254: 1, 384: 2]),
    PublishedTimeline(
      "lodash@9429a4e throttle: should support a trailing option {trailing:false}",
      .throttle(.milliseconds(64), edges: .leading), [0, 0], counts: [0: 1, 256: 1]),
    PublishedTimeline(
      "lodash@9429a4e should support cancelling delayed calls", .debounce(.milliseconds(32)), [0],
      counts: [64: 0], cancelAt: 0),
    PublishedTimeline(
      "lodash@9429a4e should support flushing delayed calls", .debounce(.milliseconds(32)), [0],
      counts: [0: 1, 64: 1], flushAt: 0),
    PublishedTimeline(
      "lodash@9429a4e should noop cancel and flush when nothing is queued", .debounce(.milliseconds(32)), [],
      counts: [64: 0]),
    PublishedTimeline(
      "underscore in lodash@9429a4e debounce", .debounce(.milliseconds(32)), [0, 0, 16], counts: [96: 1]),
    PublishedTimeline(
      "underscore in lodash@9429a4e debounce asap", .debounce(.milliseconds(64), edges: .leading),
      [0, 0, 16, 32, 48, 128], counts: [0: 1, 127: 1, 128: 2]),
    PublishedTimeline(
      "underscore in lodash@9429a4e debounce asap recursively", .debounce(.milliseconds(32), edges: .leading),
      [0], counts: [0: 1, 96: 1], signalsInside: true),
    PublishedTimeline(
      "underscore in lodash@9429a4e throttle repeatedly with results", .throttle(.milliseconds(100)),
      [0, 0, 50, 150, 160, 230], counts: [0: 1, 50: 1, 150: 2, 160: 2, 230: 3]),
    PublishedTimeline(
      "underscore in lodash@9429a4e throttle does not trigger trailing call when trailing is set to false",
      .throttle(.milliseconds(60), edges: .leading), [0, 0, 0, 96, 96], counts: [0: 1, 95: 1, 96: 2, 192: 2]),
    PublishedTimeline(
      "underscore in lodash@9429a4e throttle cancel with leading: false",
      .throttle(.milliseconds(32), edges: .trailing), [0], counts: [64: 0], cancelAt: 0),
    PublishedTimeline(
      "MMMObservables@be2ac7c testSimpleDebounce", .debounce(.milliseconds(100)), unit: .milliseconds(10),
      """
      (abc)
      ----------c
      """),
    PublishedTimeline(
      "MMMObservables@be2ac7c testDebounce", .debounce(.milliseconds(100)), unit: .milliseconds(10),
      """
      a----b----c
      --------------------c
      """),
    PublishedTimeline(
      "MMMObservables@be2ac7c testLeadingDebounce", .debounce(.milliseconds(100), edges: .leading),
      unit: .milliseconds(10),
      """
      a----b----c
      a
      """),
    PublishedTimeline(
      "MMMObservables@be2ac7c testThrottle", .audit(.milliseconds(100)), unit: .milliseconds(10),
      """
      a----b--------------c
      ----------b-------------------c
      """),
  ]
}
