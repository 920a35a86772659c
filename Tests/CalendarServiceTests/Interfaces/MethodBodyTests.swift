import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Recurrence
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `Rows that answer a call` {
  @Test func `no more occurrences are asked for once an answer is too long`() throws {
    var event = Event(
      uid: EventUID("uid"), start: .floating(try CivilDateTime(text: "2026-03-28T09:05:07")),
      end: .duration(CalendarDuration(seconds: 5400)),
      summary: String(repeating: "x", count: 900_000))
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=1000")]
    let context = ZoneContext(zones: FixedZones.shared, local: FixedZones.shared["Europe/Berlin"])
    let occurrences = try EventSeries(
      calendar: CalendarID("c"), master: event, revision: 1
    ).occurrences(in: .always, context: context)
    #expect(occurrences.count == 1000)
    var asked = 0
    let counted = occurrences.lazy.map { occurrence in
      asked += 1
      return occurrence
    }
    #expect(
      throws: CallError(
        .limitsExceeded, "a message of more than 32 MiB is not sent; ask for less")
    ) {
      _ = try OccurrenceRows.laidOut(counted, in: OccurrenceRows(colors: [:], ownAddresses: []))
    }
    #expect(asked == MessageWriter.maximumOctets / 900_000 + 1)
  }
}
