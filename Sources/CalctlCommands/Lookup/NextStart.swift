import CalendarBus
import CivilTime
import Phrases
import Platform

extension CommandContext {
  /// Reads what people write, with times in a zone.
  func phrases(in zone: ZoneRules) -> PhraseReader {
    PhraseReader(
      PhraseContext(now: now, zone: zone), zones: zones,
      customs: TimeCustoms(environment))
  }

  /// A reader in the zone of this computer, for phrases that need no agent.
  var localPhrases: PhraseReader { phrases(in: zones.localZone().rules) }

  /// Returns the zone for times next to a --time-zone: the agent's for "" and for an invalid zone.
  ///
  /// The agent refuses an invalid zone later.
  ///
  /// - Throws: Errors of the agent.
  func zone(reading name: String) throws(CommandError) -> ZoneRules {
    let zone = try self.zone()
    if name.isEmpty || name == "floating" { return zone }
    return (try? zones.rules(named: name)) ?? zone
  }

  /// Returns the end of a snooze for the agent: a day alone means 9:00 on it.
  static func later(_ text: String, _ phrases: PhraseReader) -> String {
    // A duration such as "1d" is not a day.
    guard (try? readDuration(text)) == nil, case .date(let day)? = try? phrases.moment(text) else {
      return text
    }
    return "\(day) 09:00"
  }

  /// Warns if a calendar is hidden, since its events are not shown.
  func warnIfHidden(_ calendar: String) { self.calendar(calendar).map(warnIfHidden) }

  /// Returns the row of a calendar that was just changed; nil if it does not exist any more.
  ///
  /// A failure is only a warning, since the change succeeded.
  func calendar(_ id: String) -> Row? {
    do throws(CommandError) {
      return try client().calendars().first { $0.text(.id) == id }
    } catch {
      output.warning(error)
      return nil
    }
  }

  /// Warns if a calendar is hidden.
  ///
  /// - Parameter row: A row of Calendars.List.
  func warnIfHidden(_ row: Row) {
    guard !row.flag(.visible) else { return }
    output.warning(
      localized(
        """
        the calendar {name} is hidden: its events are in no list, and their reminders are not \
        shown (to show it: calctl calendars show {id})
        """, ["name": row.text(.name), "id": row.text(.id)]))
  }
}
