import CalendarBus
import CivilTime
import Phrases
import Platform

extension CommandContext {
  /// Returns --start of add as the agent is to read it: a time alone that has passed today is
  /// that of tomorrow, as in the text of quick; all else stays as it was written.
  ///
  /// - Parameter name: the zone in which it is read; "" is the agent's.
  func nextStart(_ text: String, zone name: String) throws(CommandError) -> String {
    CommandContext.nextStart(text, PhraseContext(now: now, zone: try zone(reading: name)))
  }

  /// The zone in which times are read beside a --time-zone; "" is the agent's, and so is one
  /// that is refused later.
  func zone(reading name: String) throws(CommandError) -> ZoneRules {
    let zone = try self.zone()
    if name.isEmpty || name == "floating" { return zone }
    return (try? zones.rules(named: name)) ?? zone
  }

  /// The same at an instant and in a zone that are given.
  static func nextStart(_ text: String, _ phrases: PhraseContext) -> String {
    let tomorrow = "tomorrow " + text
    guard case .local(let reading)? = try? readMoment(text, phrases),
      isTimeAlone(text, phrases), phrases.zone.instant(of: reading) < phrases.now
    else { return text }
    return tomorrow
  }

  /// Returns until when something is put off as the agent is to read it: as ``nextStart(_:_:)``, and besides a day
  /// alone is nine o'clock on it, since nobody is awake when it begins, and in "tomorrow 9" the 9 is an hour.
  static func later(_ text: String, _ phrases: PhraseContext) -> String {
    // A length such as "1d" is no day.
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

  /// Returns a moment that is whole minutes from now as the agent is to read it: nobody plans by the second, and
  /// so it is put off to the next whole minute, as in the text of quick. All else stays as it was written.
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

  /// Whether a moment is a time without a day: that is what can follow a day.
  static func isTimeAlone(_ text: String, _ phrases: PhraseContext) -> Bool {
    (try? readMoment("tomorrow " + text, phrases)) != nil
  }

  /// Says on standard error that a calendar is hidden, where it is: nothing in it is to be
  /// seen.
  func warnIfHidden(_ calendar: String) { self.calendar(calendar).map(warnIfHidden) }

  /// Returns the row of a calendar where something was just done; nil where that is gone, or
  /// cannot be asked for, which is told on standard error: what was done stays done.
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
      "the calendar \(row.text(.name)) is hidden: what is in it is in no list, and does not ring "
        + "(calctl calendars show \(row.text(.id)))")
  }
}
