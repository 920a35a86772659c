import CalendarBus
import CivilTime
import DBus
import Phrases
import Platform

extension CommandContext {
  /// Puts --end into a form for the bus, and asks on a terminal about an end that is before the
  /// start, or long by a slip.
  ///
  /// - Parameters:
  ///   - row: The keys of Events.Add or Events.Update; its start and end may be exchanged.
  ///   - start: When the event begins; nil leaves the end to the agent.
  ///   - asks: Whether a person can answer.
  /// - Returns: false if the event is not to be written.
  /// - Throws: ``EventEnd/refusal`` where nobody can answer; errors of the terminal.
  func settleEnd(
    _ row: inout Row, start: Moment?, asks: Bool, _ phrases: PhraseReader
  ) throws(CommandError) -> Bool {
    guard let start, let text = row[.end]?.asString,
      let end = EventEnd(text, after: start, makesAllDay: row.flag(.allDay), phrases)
    else { return true }
    row.set(.end, end.text)
    guard let question = end.question else { return true }
    guard asks else {
      if end.doubt == .beforeStart { throw end.refusal }
      return true
    }
    writeError(question)
    guard try isYes() else { return false }
    if end.doubt == .beforeStart {
      row.set(.start, end.exchanged.start)
      row.set(.end, end.exchanged.end)
    }
    return true
  }

  /// Returns when an edited event begins, for its end.
  ///
  /// - Parameters:
  ///   - changes: The keys of Events.Update, whose start counts from now.
  ///   - phrases: A reader at the zone of the event.
  /// - Returns: nil where only the agent puts a new start together with the old one.
  static func start(of event: Row, _ changes: Row, _ phrases: PhraseReader) -> Moment? {
    let isAllDay = event.flag(.allDay)
    guard let text = changes[.start]?.asString else {
      let instant = Timestamp(seconds: event.number(.start))
      if isAllDay { return (try? CivilDate(text: event.text(.startText))).map(Moment.date) }
      return .instant(instant)
    }
    guard !phrases.isTimeAlone(text), let start = phrases.newStart(text) else { return nil }
    // A day alone keeps the time of the event.
    if case .date = start, !isAllDay, !changes.flag(.allDay) { return nil }
    return start
  }

  /// Whether a person can be asked: standard input is a terminal, and the answer is not JSON.
  func canAsk(_ arguments: ParsedArguments) -> Bool {
    !arguments.has(.json) && isTerminal(standardInput)
  }
}
