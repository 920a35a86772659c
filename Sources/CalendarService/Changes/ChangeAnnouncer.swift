import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform

/// Announces changes: the first one at once, and those that follow closely in one signal.
///
/// So a client that writes a hundred events does not wake every program a hundred times.
final class ChangeAnnouncer {
  private let loop: EventLoop
  /// Sends EventsChanged with these arguments, and the change of Revision.
  private let emit: ([Value]) -> Void
  /// The changes that were not announced yet.
  private var waiting: Announcement?
  /// Runs until the next announcement is allowed.
  private var pause: Deadline?

  /// The least time between two signals.
  static let pauseMilliseconds = 100
  /// The most uids in a signal, which every client on the bus gets.
  private static let mostUIDs = 100

  private struct Announcement {
    var changes: ChangeSet
    /// The changed events, each once; more than ``mostUIDs`` of them are too many to list.
    var uids: [EventUID]
    /// The origin of all merged changes; nil if they differ.
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
    pause = loop.after(milliseconds: ChangeAnnouncer.pauseMilliseconds) { [weak self] in
      // The loop outlives an agent that begins again.
      self?.pause = nil
      self?.flush()
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
    // An empty list means that there are too many.
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
