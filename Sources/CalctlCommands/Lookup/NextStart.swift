import CalendarBus
import CivilTime
import Phrases
import Platform

extension CommandContext {
  /// Returns --start of add for the agent: a time alone that has passed today is tomorrow's.
  ///
  /// quick does the same. Any other text is unchanged.
  ///
  /// - Parameter name: The name of the zone of the text; "" means the agent's.
  /// - Throws: Errors of the agent.
  func nextStart(_ text: String, zone name: String) throws(CommandError) -> String {
    CommandContext.nextStart(text, PhraseContext(now: now, zone: try zone(reading: name)))
  }

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

  /// Does the same at a given time and in a given zone.
  static func nextStart(_ text: String, _ phrases: PhraseContext) -> String {
    let tomorrow = "tomorrow " + text
    guard case .local(let reading)? = try? readMoment(text, phrases),
      isTimeAlone(text, phrases), phrases.zone.instant(of: reading) < phrases.now
    else { return text }
    return tomorrow
  }

  /// Returns the end of a snooze for the agent.
  ///
  /// It is read like ``nextStart(_:_:)``, but a day alone means 9:00 on it, and in "tomorrow 9" the
  /// 9 is an hour.
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

  /// Returns a text such as "in 5m" as a time for the agent, rounded up to the whole minute.
  ///
  /// quick does the same. Any other text is unchanged.
  ///
  /// - Parameter signed: Whether "+5m" counts from now, too.
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

  /// Returns whether a text is a time without a day, so that it can follow a day.
  static func isTimeAlone(_ text: String, _ phrases: PhraseContext) -> Bool {
    (try? readMoment("tomorrow " + text, phrases)) != nil
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
