import CalendarBus
import CivilTime
import Phrases
import Platform

/// The values of --start and --end of edit and copy, which may be relative to the event.
enum EditedTimes {
  /// Returns --start for the agent: "+1d" and "-30m" count from the start of the event.
  ///
  /// Any other text is unchanged.
  ///
  /// - Parameter phrases: A reader at the agent's zone.
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if a sign precedes no duration, and for a
  ///   time of day of an all-day event.
  static func start(
    _ text: String, of event: Row, _ phrases: PhraseReader, command: String = "edit"
  ) throws(CommandError) -> String {
    let isBack = text.hasPrefix("-")
    guard isBack || text.hasPrefix("+") else { return text }
    let start = Timestamp(seconds: event.number(.start))
    let moment: Moment
    do throws(PhraseRefusal) {
      let phrase = isBack ? "\(text.dropFirst()) ago" : text
      moment = try phrases.at(now: start).moment(phrase, takesPast: true)
    } catch {
      throw .usage(
        localized("--start: \"{value}\" is not a duration", ["value": text]), command: command,
        hint: localized(
          "for example {examples}, from the present start",
          ["examples": "+1d, +1d 14:00, -30m"]))
    }
    switch moment {
    case .date(let date): return date.description
    case .local(let reading): return reading.description
    case .instant(let instant):
      guard !event.flag(.allDay) else {
        throw .usage(
          localized(
            "--start: an all-day event moves by whole days, not by {value}", ["value": text]),
          command: command,
          hint: localized(
            "for example: {option}; to give it a time, write a day and a time",
            ["option": "--start +1d"]))
      }
      return "@\(instant.seconds)"
    }
  }

  /// Returns --end for the agent: a day alone keeps the time of day at which a timed event ends.
  ///
  /// --start does the same with the start. "+3d" is a duration, not a day.
  static func end(_ text: String, of event: Row, _ phrases: PhraseReader) -> String {
    let start = Moment.instant(Timestamp(seconds: event.number(.start)))
    guard !event.flag(.allDay), !text.hasPrefix("+"),
      case .date(let day)? = try? phrases.end(text, after: start)
    else { return text }
    let time = phrases.context.zone.reading(at: Timestamp(seconds: event.number(.end))).time
    return "\(day) \(time.hourAndMinute)"
  }

  /// Returns --due for the agent: a time alone keeps the present day, "+1d" and "-30m" count from
  /// the present due date; any other text, and that of a to-do that is not due later, is unchanged.
  ///
  /// - Parameter phrases: A reader at the agent's zone.
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for hours of a to-do that is due on a day.
  static func due(
    _ text: String, of toDo: Row, _ phrases: PhraseReader, command: String
  ) throws(CommandError) -> String {
    let present = Timestamp(seconds: toDo.number(.due))
    guard toDo[.due] != nil, present > phrases.context.now else { return text }
    let zone = phrases.context.zone
    let isDay = (try? CivilDate(text: toDo.text(.dueText))) != nil
    let own = zone.reading(at: present)
    if phrases.isTimeAlone(text) {
      let moment = try? phrases.at(now: zone.startOfDay(own.date)).moment(text, takesPast: true)
      return moment.map { "@\($0.instant(in: zone).seconds)" } ?? text
    }
    let isBack = text.hasPrefix("-")
    guard isBack || text.hasPrefix("+") else { return text }
    let phrase = isBack ? "\(text.dropFirst()) ago" : text
    let moment = try? phrases.at(now: present).moment(phrase, takesPast: true)
    switch moment {
    case .date(let day)? where isDay: return day.description
    case .date(let day)?: return "@\(zone.instant(of: CivilDateTime(day, own.time)).seconds)"
    case .local(let reading)?: return "@\(zone.instant(of: reading).seconds)"
    case .instant(let instant)? where !isDay: return "@\(instant.seconds)"
    case .instant?:
      throw .usage(
        localized("--due: a day moves by whole days, not by {value}", ["value": text]),
        command: command,
        hint: localized("for example: {option}", ["option": "--due +1d"]))
    case nil: return text
    }
  }
}

extension PhraseReader {
  /// Reads the new start of an event, which may be past; nil for what the agent refuses.
  ///
  /// A weekday is read as for a new event, for which "fri" on a Friday may be two days.
  func newStart(_ text: String) -> Moment? {
    do throws(PhraseRefusal) { return try start(text) } catch {
      return error.readings.isEmpty ? try? start(text, takesPast: true) : nil
    }
  }
}
