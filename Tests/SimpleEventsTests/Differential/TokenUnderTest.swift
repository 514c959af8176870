/// The token of a block of an `EventUnderTest`.
protocol TokenUnderTest: AnyObject {
  func end()
}
