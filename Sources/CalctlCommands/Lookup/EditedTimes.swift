import CalendarBus
import CivilTime
import Phrases

/// --start and --end of edit, where they count from what the event has now.
enum EditedTimes {
  /// Returns --start as the agent is to read it: "+1d" and "-30m" count from the start of the event,
  /// all else stays as it was written.
  ///
  /// - Parameter zone: the agent's.
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for a sign before what is no length, and
  ///   for hours of an all-day event.
  static func start(
    _ text: String, of event: Row, zone: ZoneRules
  ) throws(CommandError) -> String {
    let isBack = text.hasPrefix("-")
    guard isBack || text.hasPrefix("+") else { return text }
    let start = Timestamp(seconds: event.number(.start))
    let moment: Moment
    do throws(PhraseError) {
      let phrase = isBack ? "\(text.dropFirst()) ago" : text
      moment = try readMoment(phrase, PhraseContext(now: start, zone: zone))
    } catch {
      throw .usage(
        "--start: \"\(text)\" is not understood", command: "edit",
        hint: "such as +1d, +1d 14:00 or -30m, counted from when it begins now")
    }
    switch moment {
    case .date(let date): return date.description
    case .local(let reading): return reading.description
    case .instant(let instant):
      guard !event.flag(.allDay) else {
        throw .usage(
          "--start: an all-day event moves by whole days, not \(text)", command: "edit",
          hint: "such as --start +1d; a day and a time give it a time")
      }
      return "@\(instant.seconds)"
    }
  }

  /// Returns --end as the agent is to read it: a day alone keeps the time at which an event with
  /// a time ends, as a --start keeps that at which it begins. "+3d" is a length, and no day.
  ///
  /// - Parameter zone: the one in which it is read.
  static func end(_ text: String, of event: Row, _ phrases: PhraseContext) -> String {
    guard !event.flag(.allDay), !text.hasPrefix("+"),
      case .date? = try? readMoment(text, phrases)
    else { return text }
    let time = phrases.zone.reading(at: Timestamp(seconds: event.number(.end))).time
    return "\(text) \(time.hourAndMinute)"
  }
}
