/// The token of a block that observes an `EventUnderTest`.
protocol TokenUnderTest: AnyObject {
  func end()
}
