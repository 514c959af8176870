import SimpleEvents

/// A hub as one would write it without a thought for speed, threads or addresses.
///
/// Observers are told apart by their numbers, so a recycled address cannot fool it.
final class NaiveHub: ListUnderTest {
  private final class Record {
    let serial: Int
    weak var observer: (any Watching)?
    var isRemoved: Bool = false

    init(_ observer: any Watching) {
      serial = observer.serial
      self.observer = observer
    }
  }

  private let misuses: HubMisuseLog
  private var records: [Record] = []
  private var cycles: Int = 0

  init(reportingTo log: HubMisuseLog) {
    misuses = log
  }

  var isEmpty: Bool {
    records.allSatisfy { $0.observer == nil }
  }

  func put(_ observer: any Watching) {
    guard !records.contains(where: { $0.serial == observer.serial }) else {
      return misuses.add(.addedTwice)
    }
    records.append(Record(observer))
  }

  func take(_ observer: any Watching) {
    guard let index = records.firstIndex(where: { $0.serial == observer.serial }) else {
      return misuses.add(.notInstalled)
    }
    records.remove(at: index).isRemoved = true
  }

  func each(_ body: (any Watching) throws -> Void) throws {
    if cycles > 0 {
      misuses.add(.nestedCycle)
    }
    cycles += 1
    var dead: [Record] = []
    defer {
      cycles -= 1
      bury(dead)
    }
    for record in records where !record.isRemoved {
      if let observer = record.observer {
        try body(observer)
      } else {
        dead.append(record)
      }
    }
  }

  private func bury(_ dead: [Record]) {
    for record in dead where !record.isRemoved {
      record.isRemoved = true
      records.removeAll { $0 === record }
      misuses.add(.neverRemoved)
    }
  }
}

extension ObserverHub: ListUnderTest where T == any Watching {
  convenience init(reportingTo log: HubMisuseLog) {
    self.init(
      misuse: .report { misuse in
        switch misuse.kind {
        case .addedTwice: log.add(.addedTwice)
        case .notInstalled: log.add(.notInstalled)
        case .neverRemoved: log.add(.neverRemoved)
        case .nestedCycle: log.add(.nestedCycle)
        default: fatalError("not a misuse of a hub: \(misuse.kind)")
        }
      })
  }

  func put(_ observer: any Watching) { add(observer) }
  func take(_ observer: any Watching) { remove(observer) }
  func each(_ body: (any Watching) throws -> Void) throws { try forEach(body) }
}
