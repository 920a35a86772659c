import CalendarModel
import CivilTime
import ICalendar
import Tables

/// A table of events.
///
/// Whatever it holds, it must be read or refused, with a place in it for each problem; read in pieces
/// it must come to the same as at once. What is written of its events must be read again, and be written
/// as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTables(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: octets, count: count)
  guard let first = input.first else { return 0 }
  // Most inputs would spend their time on naming no columns: a digit stands for them.
  let head = heads[first] ?? ""
  let text = head.isEmpty ? Array(input) : Array(head.utf8) + input.dropFirst()
  let whole = read(text) { 1_000_000 }
  var place = 0
  let inPieces = read(text) {
    place += 7
    return 1 + Int(text[place % text.count] % 8)
  }
  guard let whole else {
    if inPieces != nil { fatalError("refused at once, and not in pieces") }
    return 0
  }
  guard let inPieces else { fatalError("refused in pieces, and not at once") }
  precondition(whole.rest.problems.allSatisfy { $0.line > 0 && $0.column > 0 })
  if inPieces.series.map(\.components) != whole.series.map(\.components)
    || inPieces.rest.problems != whole.rest.problems || inPieces.rest.skipped != whole.rest.skipped
  {
    fatalError("at once: \(whole)\nin pieces: \(inPieces)")
  }
  // What a cell cannot hold is lost in the first: a category with a comma at its end.
  let once = rewritten(written(whole.series), count: whole.series.count)
  let twice = rewritten(once, count: whole.series.count)
  if once != twice {
    fatalError(
      "once: \(String(decoding: once, as: UTF8.self))\ntwice: \(String(decoding: twice, as: UTF8.self))"
    )
  }
  return 0
}

/// By the digit that stands for it.
private let heads: [UInt8: String] = [
  UInt8(ascii: "1"): """
  uid,recurrence-id,calendar,kind,start,end,all-day,time-zone,summary,rrule,exdate,rdate

  """,
  UInt8(ascii: "2"): """
  Subject,Start Date,Start Time,End Date,End Time,All Day Event,Reminder on/off,Reminder Date,\
  Reminder Time,Private,Show time as

  """,
  UInt8(ascii: "3"): "Betreff;Beginnt am;Beginnt um;Endet am;Endet um;Erinnerung Ein/Aus\r\n",
  UInt8(ascii: "4"): """
  summary\tstart\tdescription\tlocation\turl\tstatus\tbusy\tclass\tcategories

  """,
]

/// What a table comes to that is read in pieces of so many rows; nil where it is refused.
private func read(
  _ text: [UInt8], _ count: () -> Int
) -> (series: [EventSeries], rest: CalendarReading)? {
  var reader = EventTableReader(
    text,
    calendars: TableCalendars(usual: CalendarID("personal"), isGiven: false, calendars: calendars),
    zones: TwoZones(), now: Timestamp(seconds: 1_795_219_200))
  do {
    while try reader.readSome(count()) {}
    var stream = try reader.events()
    var series: [EventSeries] = []
    while !stream.isAtEnd { series += stream.next(count()) }
    let rest = try stream.rest()
    for late in rest.series {
      guard
        let place = series.firstIndex(where: { $0.uid == late.uid && $0.calendar == late.calendar })
      else { fatalError("\(late.uid) has no series that it is behind") }
      series[place] = series[place].joined(by: late)
    }
    return (series, rest)
  } catch {
    return nil
  }
}

/// What an export writes of what is read of an export, which has so many series.
private func rewritten(_ text: [UInt8], count: Int) -> [UInt8] {
  guard let again = read(text, { 1_000_000 }), again.series.count == count else {
    fatalError("\(count) series are not read again: \(String(decoding: text, as: UTF8.self))")
  }
  return written(again.series)
}

/// The series as an export writes them.
private func written(_ series: [EventSeries]) -> [UInt8] {
  let zones = TwoZones()
  let table = EventTable(zones: ZoneContext(zones: zones, local: .utc), installed: zones)
  var output: [UInt8] = []
  EventTable.begin(&output)
  for one in series {
    let name = calendars.first { $0.id == one.calendar }?.name ?? ""
    _ = table.add(one, calendar: name, to: &output)
  }
  return output
}

private let calendars = ["Personal", "Work"].map {
  CalendarInfo(id: CalendarID($0.lowercased()), name: $0, color: EventColor.palette[0])
}
