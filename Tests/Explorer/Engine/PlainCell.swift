/// Records the accesses to a variable that is not atomic, and detects accesses that are not ordered.
package struct PlainCell {
  private var written: Moment = Moment()
  /// The epoch of each fiber at its latest read.
  private var reads: VectorClock = VectorClock()

  package init() {
    written = engine.moment
  }

  /// Returns whether all writes happen before this read.
  package mutating func read() -> Bool {
    reads.set(engine.moment)
    return engine.clock.includes(written)
  }

  /// Returns whether all writes and reads happen before this write.
  package mutating func write() -> Bool {
    let isOrdered = engine.clock.includes(written) && engine.clock.includes(reads)
    written = engine.moment
    return isOrdered
  }
}
