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
    var zone = try self.zone()
    if !name.isEmpty, name != "floating", let own = try? zones.rules(named: name) { zone = own }
    return CommandContext.nextStart(text, PhraseContext(now: now, zone: zone))
  }

  /// The same at an instant and in a zone that are given.
  static func nextStart(_ text: String, _ phrases: PhraseContext) -> String {
    // A time alone is what can follow a day.
    let tomorrow = "tomorrow " + text
    guard case .local(let reading)? = try? readMoment(text, phrases),
      (try? readMoment(tomorrow, phrases)) != nil,
      phrases.zone.instant(of: reading) < phrases.now
    else { return text }
    return tomorrow
  }

  /// Says on standard error that a calendar is hidden, where it is: nothing in it is to be
  /// seen.
  func warnIfHidden(_ calendar: String) {
    let rows: [Row]
    do throws(CommandError) {
      rows = try client().calendars()
    } catch {
      // What was asked for is done by now, and stays so.
      return output.warning(error)
    }
    guard let row = rows.first(where: { $0.text(.id) == calendar }), !row.flag(.visible) else {
      return
    }
    output.warning(
      "the calendar \(row.text(.name)) is hidden: what is in it is in no list, and does not ring "
        + "(calctl calendars show \(row.text(.id)))")
  }
}
