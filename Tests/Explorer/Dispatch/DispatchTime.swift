internal import ExplorerEngine

/// An instant of the explorer's clock.
public struct DispatchTime: Comparable, Sendable {
  /// The instant that never comes.
  public static let distantFuture: DispatchTime = DispatchTime(uptimeNanoseconds: .max)

  /// Nanoseconds on the explorer's clock.
  public let uptimeNanoseconds: UInt64

  /// Makes an instant.
  public init(uptimeNanoseconds: UInt64) {
    self.uptimeNanoseconds = uptimeNanoseconds
  }

  /// The current instant; each reading differs from the one before.
  public static func now() -> DispatchTime {
    DispatchTime(uptimeNanoseconds: UInt64(engine.time.read()))
  }

  /// Whether one instant is earlier than another.
  public static func < (lhs: DispatchTime, rhs: DispatchTime) -> Bool {
    lhs.uptimeNanoseconds < rhs.uptimeNanoseconds
  }

  /// The instant that lies an interval later.
  public static func + (lhs: DispatchTime, rhs: DispatchTimeInterval) -> DispatchTime {
    DispatchTime(uptimeNanoseconds: lhs.uptimeNanoseconds &+ UInt64(clamping: rhs.nanoseconds))
  }
}

/// A length of time.
public enum DispatchTimeInterval: Equatable, Sendable {
  /// Whole seconds.
  case seconds(Int)
  /// Thousandths of a second.
  case milliseconds(Int)
  /// Millionths of a second.
  case microseconds(Int)
  /// Thousand-millionths of a second.
  case nanoseconds(Int)
  /// An infinite time.
  case never

  var nanoseconds: Int {
    switch self {
    case .seconds(let count): count * 1_000_000_000
    case .milliseconds(let count): count * 1_000_000
    case .microseconds(let count): count * 1_000
    case .nanoseconds(let count): count
    case .never: .max
    }
  }
}

/// A quality of service, which the model ignores.
public struct DispatchQoS: Sendable {
  /// The class of a quality of service.
  public enum QoSClass: Sendable {
    /// The most urgent one.
    case userInteractive
    /// Work that a user waits for.
    case userInitiated
    /// The default class.
    case `default`
    /// Work that takes its time.
    case utility
    /// The least urgent one.
    case background
    /// No class.
    case unspecified
  }

  /// None in particular.
  public static let unspecified: DispatchQoS = DispatchQoS()
  /// The ordinary one.
  public static let `default`: DispatchQoS = DispatchQoS()
  /// Work that a user waits for.
  public static let userInitiated: DispatchQoS = DispatchQoS()
  /// Work that takes its time.
  public static let utility: DispatchQoS = DispatchQoS()
}

/// Flags of a work item, which the model does not have.
public struct DispatchWorkItemFlags: OptionSet, Sendable {
  /// One bit for each flag.
  public let rawValue: UInt

  /// Makes a set of flags from its bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }
}
