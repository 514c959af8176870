internal import Observation
internal import SimpleEvents

/// An actor that changes its model, and follows the changes in a loop.
actor ModelActor {
  private let model: ObservedModel = ObservedModel()

  /// Makes the given number of changes, and takes the notification of each.
  func followEvent(_ n: Int, _ sink: Sink) async {
    let event = ObservationEvent(on: .actor(self)) { _ = self.model.a }
    let notifications = event.notifications
    var number = 1
    model.a = number
    for await _ in notifications {
      sink.take(model.a)
      if number == n { break }
      number += 1
      model.a = number
    }
    withExtendedLifetime(event) {}
  }

  /// Makes the given number of changes, and takes the value of each. The first value is the value before the
  /// changes.
  func followObservations(_ n: Int, _ sink: Sink) async {
    var number = 0
    for await value in Observations({ self.model.a }) {
      if number > 0 { sink.take(value) }
      if number == n { break }
      number += 1
      model.a = number
    }
  }
}
