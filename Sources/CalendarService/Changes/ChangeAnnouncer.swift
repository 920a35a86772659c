import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform

/// Announces changes: the first one at once, and those that follow it closely together, so that a
/// client which writes a hundred events one by one does not wake every program of the desktop a
/// hundred times.
final class ChangeAnnouncer {
  private let loop: EventLoop
  /// Sends the arguments of EventsChanged, and says that Revision has changed.
  private let emit: ([Value]) -> Void
  /// The changes that were not announced yet.
  private var waiting: Announcement?
  /// Runs until the next announcement is allowed.
  private var pause: Deadline?

  /// The least time between two signals.
  static let pauseMilliseconds = 100
  /// A longer list would go to every client on the bus.
  private static let mostUIDs = 100

  private struct Announcement {
    var changes: ChangeSet
    /// The changed events, each once; where there are too many to list, one more than that.
    var uids: [EventUID]
    /// The origin of all merged changes; nil where they differ.
    var origin: ChangeOrigin?

    mutating func merge(_ later: ChangeSet) {
      if origin != later.origin { origin = nil }
      changes.revision = later.revision
      changes.calendars.formUnion(later.calendars)
      // UIDs past the limit are not announced, so they are not stored.
      if uids.count <= ChangeAnnouncer.mostUIDs {
        let known = Set(uids)
        uids += ChangeAnnouncer.uids(of: later).filter { !known.contains($0) }
      }
      changes.span = changes.span.map { $0.union(later.span ?? $0) } ?? later.span
    }
  }

  init(loop: EventLoop, emit: @escaping ([Value]) -> Void) {
    self.loop = loop
    self.emit = emit
  }

  /// Whether changes wait to be announced.
  var isBehind: Bool { waiting != nil }

  deinit {
    if let pause { loop.cancel(pause) }
  }

  /// Announces a change now or within ``pauseMilliseconds``.
  func announce(_ changes: ChangeSet) {
    if waiting == nil {
      waiting = Announcement(
        changes: changes, uids: ChangeAnnouncer.uids(of: changes), origin: changes.origin)
    } else {
      waiting?.merge(changes)
    }
    if pause == nil { flush() }
  }

  /// Announces the waiting changes.
  func flush() {
    guard let announcement = waiting else { return }
    waiting = nil
    if let pause { loop.cancel(pause) }
    pause = loop.after(milliseconds: ChangeAnnouncer.pauseMilliseconds) { [unowned self] in
      pause = nil
      flush()
    }
    emit(arguments(of: announcement))
  }

  private func arguments(of announcement: Announcement) -> [Value] {
    let changes = announcement.changes
    var details = Row()
    if let span = changes.span {
      details.set(.from, .int64(span.start.seconds))
      details.set(.to, .int64(span.end.seconds))
    }
    if let origin = announcement.origin { details.set(.origin, origin.rawValue) }
    // An empty list stands for many.
    let uids = announcement.uids
    let listed = uids.count > ChangeAnnouncer.mostUIDs ? [] : uids.map(\.text)
    return [
      .uint64(changes.revision), .strings(changes.calendars.map(\.text).sorted()),
      .strings(listed), details.value,
    ]
  }

  private static func uids(of changes: ChangeSet) -> [EventUID] {
    changes.firstUIDs(mostUIDs + 1)
  }
}
