import CalendarModel
import CivilTime
package import JSON

extension MonthGrid {
  /// The text of `Month`: one line without its end. The same grid gives the same
  /// octets.
  package var json: [UInt8] { JSONWriter.octets(of: jsonValue) }

  /// The document; its keys are explained at the fields of ``MonthGrid``.
  package var jsonValue: JSONValue {
    var members = Members()
    members.add("mode", .string(mode.rawValue))
    members.add("day", .string(day.description))
    members.add("month", .string(month.description))
    members.add("index", .integer(Int64(month.index)))
    members.add("today", .string(today.description))
    members.add("first_weekday", .integer(Int64(firstWeekday.rawValue)))
    members.add("previous", text: previous?.description ?? "")
    members.add("next", text: next?.description ?? "")
    members.add("lanes", .integer(Int64(lanes)))
    members.add("days", .array(days.map(\.jsonValue)))
    members.add("events", events.map(\.jsonValue))
    return members.value
  }
}

extension MonthDay {
  package var jsonValue: JSONValue {
    var members = Members()
    members.add("date", .string(date.description))
    members.add("in_month", flag: isInMonth)
    members.add("today", flag: isToday)
    members.add("weekend", flag: isWeekend)
    members.add("week", .integer(Int64(week)))
    members.add("marker", text: marker?.text ?? "")
    members.add("dots", dots.map { .string($0.text) })
    members.add("bars", bars.map(\.jsonValue))
    members.add("more", count: more)
    return members.value
  }
}

extension MonthBar {
  package var jsonValue: JSONValue {
    var members = Members()
    members.add("event", .integer(Int64(event)))
    members.add("lane", .integer(Int64(lane)))
    members.add("part", .string(part.rawValue))
    members.add("text", flag: showsText)
    return members.value
  }
}

extension MonthEvent {
  package var jsonValue: JSONValue {
    var members = Members()
    members.addEvent(uid, at: recurrenceID, in: calendar, summary: summary)
    members.add("start", .integer(start.seconds))
    members.add("end", .integer(end.seconds))
    members.add("all-day", flag: isAllDay)
    members.add("tentative", flag: isTentative)
    members.add("free", flag: isFree)
    members.add("color", .string(color.text))
    members.add("text_color", .string(color.readableText.text))
    return members.value
  }
}

extension MonthSelection {
  /// `from` and `to`, the first and the last day; `days`, how many; `segments`,
  /// what each row of the page has of it: `row` (from 0), `from`, `to`, `part`
  /// ("single", "whole", "start", "middle", "end") and `across_months`, left out
  /// when it is false. nil before the first pick.
  package func jsonValue(on page: MonthPage) -> JSONValue? {
    guard let days else { return nil }
    var members = Members()
    members.add("from", .string(days.lowerBound.description))
    members.add("to", .string(days.upperBound.description))
    members.add("days", .integer(Int64(days.upperBound.days(since: days.lowerBound) + 1)))
    members.add("segments", segments(on: page).map(\.jsonValue))
    return members.value
  }
}

extension MonthSelection.Segment {
  fileprivate var jsonValue: JSONValue {
    var members = Members()
    members.add("row", .integer(Int64(row)))
    members.add("from", .string(days.lowerBound.description))
    members.add("to", .string(days.upperBound.description))
    members.add("part", .string(part.rawValue))
    members.add("across_months", flag: isAcrossMonths)
    return members.value
  }
}
