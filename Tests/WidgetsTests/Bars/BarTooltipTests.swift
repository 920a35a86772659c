import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import Widgets

@Suite struct `The tooltip of a bar` {
  private func agenda() throws -> Agenda {
    var agenda = Agenda()
    try agenda.add("Birthday", from: "2026-11-21", to: "2026-11-22")
    try agenda.add("Standup", "2026-11-21T09:30", "2026-11-21T09:45") {
      $0.location = "Room 4, https://ana@meet.jit.si/Standup?x=1#y"
    }
    try agenda.add("Party & <tea>", "2026-11-21T18:00", "2026-11-21T22:00", calendar: "home")
    try agenda.add("Brunch", "2026-11-22T11:00", "2026-11-22T12:00") { $0.location = "Sal's" }
    try agenda.add("Sunday", from: "2026-11-22", to: "2026-11-23")
    return agenda
  }

  @Test func `it has today and tomorrow, in columns, and of addresses the host`() throws {
    #expect(
      try agenda().bar(at: "2026-11-21T10:00").tooltip.text == """
        Saturday 21 November 2026
        all day      Birthday
        09:30–09:45  Standup · Room 4, meet.jit.si
        18:00–22:00  Party & <tea>

        Tomorrow, Sunday 22 November 2026
        all day      Sunday
        11:00–12:00  Brunch
        """)
  }

  @Test func `in Pango blanks after Chinese are as wide as digits`() {
    func event(_ time: String) -> BarTooltip.Line {
      .event(.init(time: time, title: "Tea", place: "", color: nil, isPast: false))
    }
    #expect(
      BarTooltip(lines: [event("全天"), event("09:30")]).markup == """
        <tt>全天<span fallback="false"> </span></tt>  ● Tea
        <tt>09:30</tt>  ● Tea
        """)
  }

  @Test func `in Pango dates are bold, colors are shown, and what is past is dimmed`() throws {
    let lines = try agenda().bar(at: "2026-11-21T10:00").tooltip.markup.split(
      separator: "\n", omittingEmptySubsequences: false)
    let work = EventColor.palette[0].text
    let home = EventColor.palette[1].text
    #expect(
      lines == [
        "<b>Saturday 21 November 2026</b>",
        "<tt>all day    </tt>  <span foreground=\"\(home)\">●</span> Birthday",
        "<span alpha=\"55%\"><tt>09:30–09:45</tt>  <span foreground=\"\(work)\">●</span> "
          + "Standup · Room 4, meet.jit.si</span>",
        "<tt>18:00–22:00</tt>  <span foreground=\"\(home)\">●</span> Party &amp; &lt;tea&gt;",
        "", "<b>Tomorrow, Sunday 22 November 2026</b>",
        "<tt>all day    </tt>  <span foreground=\"\(home)\">●</span> Sunday",
        "<tt>11:00–12:00</tt>  <span foreground=\"\(work)\">●</span> Brunch",
      ])
  }

  @Test func `what comes after tomorrow is named when it is next`() throws {
    var agenda = Agenda()
    try agenda.add("Review", "2026-11-23T09:00", "2026-11-23T10:00")
    #expect(
      try agenda.bar(at: "2026-11-21T10:00").tooltip.text == """
        Saturday 21 November 2026
        No events today
        Next: Mon 09:00  Review
        """)
  }

  @Test func `a crowded tomorrow is counted`() throws {
    var agenda = Agenda()
    for number in 10..<30 {
      try agenda.add("E\(number)", "2026-11-22T08:00", "2026-11-22T10:00")
    }
    let lines = try agenda.bar(at: "2026-11-21T07:00").tooltip.text.split(separator: "\n")
    #expect(lines.count == 2 + 1 + 8 + 1)
    #expect(lines.last == "and 12 more")
  }

  @Test(arguments: [
    ("Room 4", "Room 4"), ("https://meet.jit.si/Standup", "meet.jit.si"),
    ("see http://a.example?b now", "see a.example now"), ("://", ""), ("", ""),
  ])
  func `addresses become hosts`(_ text: String, _ shown: String) {
    #expect(hostsOnly(text) == shown)
  }
}
