/// An event on which programs run: the library's event or the naive model.
protocol EventUnderTest: AnyObject {
  func fire(if condition: Bool)
  func collect(_ body: () throws -> Void) throws
  /// Adds a block, and returns its token.
  func listen(_ block: @escaping () -> Void) -> any TokenUnderTest
}
