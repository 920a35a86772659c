import CalendarBus
import CivilTime
import Phrases
import Platform

extension CommandContext {
  /// Returns --start of add for the agent: a time alone that has passed today is tomorrow's, as in
  /// the text of quick; any other text stays as it is.
  ///
  /// - Parameter name: the zone in which it is read; "" is the agent's.
  /// - Throws: what the agent answers.
  func nextStart(_ text: String, zone name: String) throws(CommandError) -> String {
    CommandContext.nextStart(text, PhraseContext(now: now, zone: try zone(reading: name)))
  }

  /// Returns the zone in which times next to a --time-zone are read: the agent's for "", and for a
  /// zone that is refused later.
  ///
  /// - Throws: what the agent answers.
  func zone(reading name: String) throws(CommandError) -> ZoneRules {
    let zone = try self.zone()
    if name.isEmpty || name == "floating" { return zone }
    return (try? zones.rules(named: name)) ?? zone
  }

  /// Does the same at a given instant and in a given zone.
  static func nextStart(_ text: String, _ phrases: PhraseContext) -> String {
    let tomorrow = "tomorrow " + text
    guard case .local(let reading)? = try? readMoment(text, phrases),
      isTimeAlone(text, phrases), phrases.zone.instant(of: reading) < phrases.now
    else { return text }
    return tomorrow
  }

  /// Returns the end of a snooze for the agent: as ``nextStart(_:_:)``, but a day alone is nine
  /// o'clock on it, not midnight, and in "tomorrow 9" the 9 is an hour.
  static func later(_ text: String, _ phrases: PhraseContext) -> String {
    // A duration such as "1d" is not a day.
    if (try? readDuration(text)) != nil { return text }
    func isDay(_ text: some StringProtocol) -> Bool {
      if case .date? = try? readMoment(text, phrases) { true } else { false }
    }
    if isDay(text), (try? readMoment(text + " 9:00", phrases)) != nil { return text + " 9:00" }
    if let space = text.lastIndex(of: " "), (try? readMoment(text, phrases)) == nil {
      let (day, hour) = (text[..<space], text[text.index(after: space)...])
      if hour.utf8.count <= 2, hour.allSatisfy({ $0.isASCII && $0.isNumber }), isDay(day) {
        return "\(day) at \(hour)"
      }
    }
    return nextStart(text, phrases)
  }

  /// Returns a time that is whole minutes from now for the agent, rounded up to the whole minute as
  /// in the text of quick. Any other text stays as it is.
  ///
  /// - Parameter signed: whether "+5m" is from now, too.
  static func wholeMinute(_ text: String, _ phrases: PhraseContext, signed: Bool = false) -> String
  {
    let small = text.lowercased()
    guard small.hasPrefix("in ") || small.hasSuffix(" ago") || (signed && small.hasPrefix("+")),
      case .instant(let instant)? = try? readMoment(text, phrases),
      (instant.seconds - phrases.now.seconds) % 60 == 0
    else { return text }
    let rest = (instant.seconds % 60 + 60) % 60
    return rest == 0 ? text : "@\(instant.seconds - rest + 60)"
  }

  /// Whether a text is a time without a day: it can follow a day.
  static func isTimeAlone(_ text: String, _ phrases: PhraseContext) -> Bool {
    (try? readMoment("tomorrow " + text, phrases)) != nil
  }

  /// Warns where a calendar is hidden, since its events are not shown.
  func warnIfHidden(_ calendar: String) { self.calendar(calendar).map(warnIfHidden) }

  /// Returns the row of a calendar that was just changed; nil where it is gone. A failure is only a
  /// warning, since the change succeeded.
  func calendar(_ id: String) -> Row? {
    do throws(CommandError) {
      return try client().calendars().first { $0.text(.id) == id }
    } catch {
      output.warning(error)
      return nil
    }
  }

  /// - Parameter row: of Calendars.List.
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
