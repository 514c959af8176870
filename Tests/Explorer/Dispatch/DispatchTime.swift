internal import ExplorerEngine

/// An instant of the explorer's clock.
public struct DispatchTime: Comparable, Sendable {
  /// The instant that never comes.
  public static let distantFuture: DispatchTime = DispatchTime(uptimeNanoseconds: .max)

  /// The nanoseconds on the explorer's clock.
  public let uptimeNanoseconds: UInt64

  /// Creates an instant.
  public init(uptimeNanoseconds: UInt64) {
    self.uptimeNanoseconds = uptimeNanoseconds
  }

  /// Returns the current instant. Each reading differs from the previous one.
  public static func now() -> DispatchTime {
    DispatchTime(uptimeNanoseconds: UInt64(engine.time.read()))
  }

  /// Whether one instant is earlier than another.
  public static func < (lhs: DispatchTime, rhs: DispatchTime) -> Bool {
    lhs.uptimeNanoseconds < rhs.uptimeNanoseconds
  }

  /// Returns the instant that is later by an interval.
  public static func + (lhs: DispatchTime, rhs: DispatchTimeInterval) -> DispatchTime {
    DispatchTime(uptimeNanoseconds: lhs.uptimeNanoseconds &+ UInt64(clamping: rhs.nanoseconds))
  }
}

/// A duration.
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

/// A quality of service. The model ignores it.
public struct DispatchQoS: Sendable {
  /// The class of a quality of service.
  public enum QoSClass: Sendable {
    /// The highest class.
    case userInteractive
    /// Work that a user waits for.
    case userInitiated
    /// The default class.
    case `default`
    /// Work that may take a long time.
    case utility
    /// The lowest class.
    case background
    /// No class.
    case unspecified
  }

  /// No quality of service.
  public static let unspecified: DispatchQoS = DispatchQoS()
  /// The default quality of service.
  public static let `default`: DispatchQoS = DispatchQoS()
  /// Work that a user waits for.
  public static let userInitiated: DispatchQoS = DispatchQoS()
  /// Work that may take a long time.
  public static let utility: DispatchQoS = DispatchQoS()
}

/// Flags of a work item. The model ignores them.
public struct DispatchWorkItemFlags: OptionSet, Sendable {
  /// The bits, one for each flag.
  public let rawValue: UInt

  /// Creates a set of flags from its bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }
}
