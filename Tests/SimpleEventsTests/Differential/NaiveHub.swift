import SimpleEvents
import TestSupport

/// The contracts H1 to H7 in as little code as possible, for one thread.
///
/// The model identifies observers by their serial numbers, so the reuse of an address does not matter.
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

  private let reports: Shared<[Misuse.Kind]>
  private var records: [Record] = []
  private var cycles: Int = 0

  init(reportingTo reports: Shared<[Misuse.Kind]>) {
    self.reports = reports
  }

  var isEmpty: Bool {
    records.allSatisfy { $0.observer == nil }
  }

  func put(_ observer: any Watching) {
    guard !records.contains(where: { $0.serial == observer.serial }) else {
      return report(.addedTwice)
    }
    records.append(Record(observer))
  }

  func take(_ observer: any Watching) {
    guard let index = records.firstIndex(where: { $0.serial == observer.serial }) else {
      return report(.notInstalled)
    }
    records.remove(at: index).isRemoved = true
  }

  func each(_ body: (any Watching) throws -> Void) throws {
    if cycles > 0 {
      report(.nestedCycle)
    }
    cycles += 1
    var deallocated: [Record] = []
    defer {
      cycles -= 1
      flag(deallocated)
    }
    for record in records where !record.isRemoved {
      if let observer = record.observer {
        try body(observer)
      } else {
        deallocated.append(record)
      }
    }
  }

  private func report(_ kind: Misuse.Kind) { reports.change { $0.append(kind) } }

  /// Removes the records whose observers are deallocated, and flags them.
  private func flag(_ deallocated: [Record]) {
    for record in deallocated where !record.isRemoved {
      record.isRemoved = true
      records.removeAll { $0 === record }
      report(.neverRemoved)
    }
  }
}
