import CalendarModel
import CivilTime
package import JSON

extension MonthGrid {
  /// The text of `Month`, one line without a line break; equal grids give equal octets.
  package var json: [UInt8] { octets(reserving: 16_384) }

  /// The document as a value.
  package var jsonValue: JSONValue { tree }
}

extension MonthGrid: MemberListing {
  /// See the properties for the meaning of the keys.
  func list<Sink: MemberSink>(in members: inout Sink) {
    members.add("mode", mode.rawValue)
    members.add("day", day.description)
    members.add("month", month.description)
    members.add("index", Int64(month.index))
    members.add("today", today.description)
    members.add("first-weekday", formerly: "first_weekday", Int64(firstWeekday.rawValue))
    members.addText("previous", previous?.description ?? "")
    members.addText("next", next?.description ?? "")
    members.add("lanes", Int64(lanes))
    members.addList("days", days)
    members.addRows("events", events)
  }
}

extension MonthDay: MemberListing {
  func list<Sink: MemberSink>(in members: inout Sink) {
    members.add("date", date.description)
    members.addFlag("in-month", formerly: "in_month", isInMonth)
    members.addFlag("today", isToday)
    members.addFlag("weekend", isWeekend)
    members.add("week", Int64(week))
    members.addText("marker", marker?.text ?? "")
    members.addText("releases", releases?.rawValue ?? "")
    members.addText("releases-color", formerly: "releases_color", releases?.color.text ?? "")
    if !dots.isEmpty { members.addList("dots", dots.map(\.text)) }
    members.addRows("bars", bars)
    members.addCount("more", more)
  }
}

extension MonthBar: MemberListing {
  func list<Sink: MemberSink>(in members: inout Sink) {
    members.add("event", Int64(event))
    members.add("lane", Int64(lane))
    members.add("part", part.rawValue)
    members.addFlag("text", showsText)
  }
}

extension MonthEvent: MemberListing {
  func list<Sink: MemberSink>(in members: inout Sink) {
    members.addEvent(uid, at: recurrenceID, in: calendar, summary: summary)
    members.add("start", start.seconds)
    members.add("end", end.seconds)
    members.addFlag("all-day", isAllDay)
    members.addFlag("tentative", isTentative)
    members.addFlag("declined", isDeclined)
    members.addFlag("free", isFree)
    members.add("color", color.text)
    members.add("text-color", formerly: "text_color", color.readableText.text)
    if count != 1 { members.add("count", Int64(count)) }
  }
}

extension MonthSelection {
  /// The selected days and their parts in the rows of a page; nil before the first pick.
  ///
  /// `from` and `to`: the first and the last day; `days`: their number; `segments`: the part in
  /// each row: `row` (from 0), `from`, `to`, `part` ("single", "whole", "start", "middle", "end")
  /// and `across-months` (left out if false).
  package func jsonValue(on page: MonthPage) -> JSONValue? {
    days.map { SelectedDays(days: $0, segments: segments(on: page)).tree }
  }
}

private struct SelectedDays: MemberListing {
  let days: ClosedRange<CivilDate>
  let segments: [MonthSelection.Segment]

  func list<Sink: MemberSink>(in members: inout Sink) {
    members.add("from", days.lowerBound.description)
    members.add("to", days.upperBound.description)
    members.add("days", Int64(days.upperBound.days(since: days.lowerBound) + 1))
    members.addRows("segments", segments)
  }
}

extension MonthSelection.Segment: MemberListing {
  func list<Sink: MemberSink>(in members: inout Sink) {
    members.add("row", Int64(row))
    members.add("from", days.lowerBound.description)
    members.add("to", days.upperBound.description)
    members.add("part", part.rawValue)
    members.addFlag("across-months", formerly: "across_months", isAcrossMonths)
  }
}
