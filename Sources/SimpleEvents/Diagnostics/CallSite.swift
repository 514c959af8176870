/// A place in the source: the file and the line of a call.
///
/// Methods that register, remove or create objects create a call site from their default arguments, so that a
/// diagnostic can name the caller. A type that implements ``SimpleEventObservable`` with an event can forward
/// the call site to that event.
public struct CallSite: Sendable {
  /// The module and the file of the call.
  ///
  /// For example `"MyModule/Model.swift"`.
  public let fileID: StaticString
  /// The line of the call, counted from one.
  public let line: UInt

  /// Creates a call site. The default arguments give the place of the caller.
  public init(fileID: StaticString = #fileID, line: UInt = #line) {
    self.fileID = fileID
    self.line = line
  }
}

extension CallSite: CustomStringConvertible {
  /// The file and the line in the format of a compiler's messages.
  public var description: String { "\(fileID):\(line)" }
}
