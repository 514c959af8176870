internal import SimpleEvents

/// The source of a subscription. The subscription disconnects from it when the subscription ends.
@_fixed_layout @usableFromInline class Upstream: @unchecked Sendable {
  // SAFETY: the class has no properties. Each subclass has a proof of its own.

  @inlinable init() {}

  /// Ends the connection of a subscription. The subscription calls this method once, under no lock.
  @usableFromInline func disconnect(_ subscription: Subscription) {}
}

/// The token that is removed when a subscription ends.
final class TokenUpstream: Upstream, @unchecked Sendable {
  // SAFETY: the token is `Sendable`, and never changes.
  private let token: any SimpleEventToken

  init(_ token: any SimpleEventToken) { self.token = token }

  override func disconnect(_ subscription: Subscription) { token.remove() }
}

/// Several sources of one subscription.
final class UpstreamGroup: Upstream, @unchecked Sendable {
  // SAFETY: the lock of the subscription guards the property while the subscription holds the group. The
  // group does not change after the subscription has released it.
  private(set) var members: [Upstream]

  init(_ first: Upstream, _ second: Upstream) { members = [first, second] }

  func append(_ member: Upstream) { members.append(member) }

  func remove(_ member: Upstream) { members.removeAll { $0 === member } }

  override func disconnect(_ subscription: Subscription) {
    for member in members { member.disconnect(subscription) }
  }
}
