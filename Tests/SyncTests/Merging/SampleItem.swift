import ICalendar

@testable import Sync

/// An item as a server has it, made of the lines of its event.
func calendar(_ lines: [String], overrides: [[String]] = [], zones: [String] = []) -> String {
  var all = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN"]
  for zone in zones {
    all += [
      "BEGIN:VTIMEZONE", "TZID:\(zone)", "BEGIN:STANDARD", "DTSTART:19700101T000000",
      "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE",
    ]
  }
  for component in [lines] + overrides {
    all += ["BEGIN:VEVENT", "UID:1"] + component + ["END:VEVENT"]
  }
  return (all + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
}

/// An event of one hour with a title, and more lines.
func event(_ title: String, _ more: String..., overrides: [[String]] = []) -> String {
  calendar(
    ["DTSTART:20261127T090000Z", "DTEND:20261127T100000Z", "SUMMARY:\(title)"] + more,
    overrides: overrides)
}

func alarm(_ lines: String...) -> String {
  (["BEGIN:VALARM", "ACTION:DISPLAY"] + lines + ["END:VALARM"]).joined(separator: "\r\n")
}

func merge(_ base: String?, _ local: String, _ remote: String) throws -> ItemMerge {
  ItemMerge(
    base: try base.map { try ItemText($0) }, local: try ItemText(local),
    remote: try ItemText(remote))
}

extension ItemMerge {
  /// Whether it says the same as a text.
  func says(_ text: String) throws -> Bool { try item.meaning == ItemText(text).meaning }

  /// The lines of the event, the first component.
  var lines: [String] { item.components.first?.lines.map(\.text) ?? [] }
}
