import CalendarBus
import CalendarModel
import CalendarStore
import DBus
import Phrases
import Reminders
import Widgets

// What of the calendar a caller gets: SnapshotOf and MonthOf.

extension CalendarAgent {
  /// Reads the options "calendars" and "privacy".
  ///
  /// - Throws: ``CallError`` of the kinds `notFound` for a calendar that there is not, and
  ///   `invalidArguments`.
  func excerpt(_ options: Row, _ reader: AgendaReader) throws(CallError) -> CalendarFilter {
    var excerpt = CalendarFilter()
    if let names = options[.calendars]?.asStrings {
      excerpt.calendars = try reader.calendars(named: names)
    }
    let word = options.text(.privacy)
    if !word.isEmpty {
      guard let level = PrivacyLevel(rawValue: word) else {
        let words = PrivacyLevel.allCases.map(\.rawValue)
        let near = nearest(word, among: words)
        throw CallError(
          .invalidArguments,
          "privacy: \"\(word)\" is none of \(words.joined(separator: ", "))"
            + (near.map { ", did you mean \"\($0)\"?" } ?? ""))
      }
      excerpt.privacy = level
    }
    return excerpt
  }

  /// Returns the first pending reminders that an excerpt has, and how many it has besides.
  ///
  /// - Complexity: for an excerpt that is not the whole, one look at each pending reminder, and at
  ///   each event that has some where it counts whether that takes up time.
  func pendingReminders(
    of excerpt: CalendarFilter, _ reader: AgendaReader
  ) throws(CallError) -> (first: [Reminder], more: Int) {
    guard let scheduler = runningScheduler, excerpt.privacy != .nothing else { return ([], 0) }
    let most = SnapshotBuilder.mostReminders
    guard !excerpt.isWhole else {
      let first = scheduler.pending(limit: most)
      return (first, max(0, scheduler.pendingCount - first.count))
    }
    var (first, more): ([Reminder], Int) = ([], 0)
    var admitted = PrivacyFilter(reader, excerpt.privacy)
    for reminder in scheduler.pending where excerpt.admits(reminder.key.calendar) {
      if excerpt.privacy != .titles {
        guard try admitted.admits(reminder.key) else { continue }
      }
      if first.count < most { first.append(reminder) } else { more += 1 }
    }
    return (first, more)
  }
}
