import CalendarBus
import CivilTime
import Platform
import Widgets

/// What a list says of an event as seen from now and from the other events of the list.
struct ItemMarks: Equatable {
  /// Whether it is running.
  var isNow = false
  /// Whether it is over.
  var isPast = false
  /// Whether it overlaps another event; both make their owner busy.
  var isConflict = false
}

/// The times of an event, for its marks.
struct MarkedTimes {
  /// Seconds since 1970 UTC.
  let start: Int64
  let end: Int64
  let isAllDay: Bool
  /// Whether it takes time of its owner's day, and is one occurrence.
  let takesTime: Bool

  init(start: Int64, end: Int64, isAllDay: Bool = false, takesTime: Bool = true) {
    self.start = start
    self.end = max(start, end)
    self.isAllDay = isAllDay
    self.takesTime = takesTime
  }
}

extension ItemMarks {
  /// Returns the marks of the events of a list, in its order.
  ///
  /// An all-day event is neither running nor in conflict.
  static func marks(of events: [MarkedTimes], now: Timestamp) -> [ItemMarks] {
    var marks = events.map { event in
      ItemMarks(
        isNow: !event.isAllDay && event.start <= now.seconds && now.seconds < event.end,
        isPast: event.start < event.end ? event.end <= now.seconds : event.end < now.seconds)
    }
    let busy = events.indices.filter {
      events[$0].takesTime && !events[$0].isAllDay && events[$0].start < events[$0].end
    }.sorted { (events[$0].start, $0) < (events[$1].start, $1) }
    // Of the events so far, the one that ends last overlaps the next if any does.
    var last: Int?
    for index in busy {
      if let before = last, events[before].end > events[index].start {
        marks[before].isConflict = true
        marks[index].isConflict = true
      }
      if last.map({ events[$0].end < events[index].end }) ?? true { last = index }
    }
    return marks
  }
}
