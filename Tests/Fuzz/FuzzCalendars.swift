import CalendarModel
import CivilTime
import ICalendar

/// The text of a calendar.
///
/// Whatever it holds, it must be read or refused; what is kept of it must be read
/// as the same again, and what is written of it must hold as many series. Part by part it must come to the
/// same as at once.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCalendars(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: octets, count: count)
  // Most inputs would spend their time on being no calendar. One may begin with a mark of its encoding.
  let head = "BEGIN:VCALENDAR\n".utf8
  let isWhole = input.first == UInt8(ascii: "B") || (input.first ?? 0) >= 0xEF
  let text = isWhole ? Array(input) : Array(head) + input
  guard let reading = read(text) else { return 0 }
  precondition(reading.problems.allSatisfy { $0.line > 0 && $0.column > 0 })
  let (series, skipped) = readInParts(text)
  let (inParts, atOnce) = (series.map(\.components), reading.series.map(\.components))
  if inParts != atOnce || skipped != reading.skipped {
    fatalError("at once: \(atOnce) \(reading.skipped)\nin parts: \(inParts) \(skipped)")
  }
  let zones = TwoZones(and: reading.customZones)
  let context = ZoneContext(zones: zones, local: .utc)
  for series in reading.series.prefix(8) {
    for event in series.components.prefix(8) {
      let again = read(Array(head) + Array(event.component.utf8) + Array("END:VCALENDAR\n".utf8))
      let kept = again?.series.first?.components.first
      // Unlike a precondition it says in an optimised build what was read.
      if kept?.component != event.component {
        fatalError("kept: \(event.component)again: \(kept?.component ?? "nothing")")
      }
      let written = writeComponent(event, zones: zones)
      if written != event.component {
        fatalError("kept: \(event.component)written: \(written)")
      }
    }
    _ = try? series.occurrences(in: week, context: context, limit: 100)
  }
  let written = read(written(reading.series, zones))
  if written?.series.count != reading.series.count {
    fatalError("\(reading.series.count) series, again \(written?.series.count ?? 0)")
  }
  return 0
}

/// The series as an export writes them.
private func written(_ series: [EventSeries], _ zones: TwoZones) -> [UInt8] {
  var writer = CalendarWriter(zones: zones)
  var output: [UInt8] = []
  writer.begin(nil, to: &output)
  for event in series.flatMap(\.components) {
    var text = event.component.isEmpty ? writeComponent(event, zones: zones) : event.component
    text.withUTF8 { writer.add($0, to: &output) }
  }
  writer.end(to: &output)
  return output
}

private func read(_ text: [UInt8]) -> CalendarReading? {
  try? readCalendar(text, calendar: CalendarID("fuzz"), zones: TwoZones())
}

/// The series of a text that is read in parts, whose lengths are those of its octets, and how many components
/// were left out.
private func readInParts(_ text: [UInt8]) -> (series: [EventSeries], skipped: Int) {
  func read(_ known: [Int: LateProperties]) throws -> (CalendarStream, [EventSeries], Int) {
    var stream = try CalendarStream(
      text, calendar: CalendarID("fuzz"), zones: TwoZones(), known: known,
      heldBack: Int(text[text.count / 2] % 4))
    var (series, place) = ([EventSeries](), 0)
    while !stream.isAtEnd {
      series += stream.next(1 + Int(text[place % text.count] % 8))
      place += 7
    }
    let rest = try stream.rest()
    for late in rest.series {
      guard let place = series.firstIndex(where: { $0.uid == late.uid }) else {
        fatalError("\(late.uid) has no series that it is behind")
      }
      series[place] = series[place].joined(by: late)
    }
    return (stream, series, rest.skipped)
  }
  var known: [Int: LateProperties] = [:]
  while let (stream, series, skipped) = try? read(known) {
    if stream.late.isEmpty { return (series, skipped) }
    known = stream.late
  }
  return ([], 0)
}

/// From 2026-11-21 on.
private let week = TimeSpan(
  start: Timestamp(seconds: 1_795_219_200), end: Timestamp(seconds: 1_795_824_000))
