import CalendarModel
import CivilTime
import Messages
import TestSupport
import Testing

@testable import Widgets

@Suite struct `A month as a picture` {
  /// November 2026, with what every kind of bar needs.
  private static func november() throws -> Agenda {
    var agenda = Agenda()
    try agenda.add("Journey", from: "2026-11-12", to: "2026-11-18")
    try agenda.add("Standup", "2026-11-21T09:30", "2026-11-21T09:45")
    try agenda.add("Night train", "2026-11-24T22:10", "2026-11-25T07:40")
    try agenda.add("Perhaps", from: "2026-11-26", to: "2026-11-27") { $0.status = .tentative }
    for hour in 10...19 {
      try agenda.add("Hour \(hour)", "2026-11-04T\(hour):00", "2026-11-04T\(hour):30")
    }
    return agenda
  }

  static func picture(
    _ agenda: Agenda, _ day: String = "2026-11-21", mode: MonthMode = .expanded,
    _ settings: MonthPicture.Settings = MonthPicture.Settings(),
    times: TimeText = TimeText(.english), lanes: Int? = nil
  ) throws -> MonthPicture {
    let page = try #require(
      MonthPage(day: try CivilDate(text: day), mode: mode, firstWeekday: .monday))
    var occurrences = try agenda.occurrences(in: page.span(in: agenda.zone))
    occurrences.putInOrder(DisplayOrder(of: agenda.calendars))
    let builder = MonthGridBuilder(
      page: page, today: try CivilDate(text: "2026-11-21"), occurrences: occurrences,
      colors: Dictionary(uniqueKeysWithValues: agenda.calendars.map { ($0.id, $0.color) }),
      ownAddresses: ["me@example.org"], zone: agenda.zone)
    return MonthPicture(
      builder.grid(lanes: lanes), zone: agenda.zone, times: times, settings: settings,
      calendars: agenda.calendars.map {
        SnapshotCalendar(id: $0.id.text, name: $0.name, color: $0.color)
      })
  }

  /// Titles that would be tags, ends of attributes, entities or scripts, a day each.
  private static func hostile() throws -> Agenda {
    var agenda = Agenda()
    let more = [
      "</text></svg><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "]]>&bogus;",
      "<!--", "javascript:alert(1)", "</style><style>*{display:none}", "\u{0}\u{1B}[31m\u{FFFE}",
    ]
    for (index, title) in (hostileTitles + more).enumerated() {
      let day = 1 + index % 28
      let date = "2026-11-" + (day < 10 ? "0" : "") + "\(day)"
      try agenda.add(title, "\(date)T10:00", "\(date)T11:00")
      try agenda.add(title, from: date, to: "2026-12-02")
    }
    return agenda
  }

  private static let looks: [MonthPicture.Settings] = [
    MonthPicture.Settings(), MonthPicture.Settings(paper: .letter, scheme: .dark, showsWeeks: true),
  ]

  @Test func `a day's releases have a mark, with words for who does not see its color`() throws {
    var agenda = Agenda()
    #expect(try !Self.picture(agenda).html.contains("class=\"releases\""))
    try agenda.add(release: .missing, on: "2026-11-20")
    let picture = try Self.picture(agenda)
    #expect(
      picture.svg.contains(
        "fill=\"#ff9000\"><title>releases: some are missing</title></circle>"))
    #expect(
      picture.html.contains(
        "style=\"background:#ff9000\" title=\"releases: some are missing\"><span class=\"heard\">"))
  }

  @Test func `what was declined is struck through, and said to be declined`() throws {
    var agenda = Agenda()
    try agenda.add("Lunch", from: "2026-11-20", to: "2026-11-21")
    let before = try Self.picture(agenda)
    #expect(!before.svg.contains("line-through"))
    #expect(!before.html.contains("(declined)"))
    try agenda.add("Kick-off", from: "2026-11-21", to: "2026-11-22") { $0.attendees = declined }
    let picture = try Self.picture(agenda)
    #expect(picture.svg.contains(" text-decoration=\"line-through\">Kick-off</text>"))
    #expect(picture.html.contains("class=\"bar begins ends declined\""))
    #expect(picture.html.contains("title=\"Kick-off (declined)\""))
  }

  @Test func `weeks without a day of the month are left out`() throws {
    #expect(try Self.picture(Self.november()).rows.count == 6)
    #expect(try Self.picture(Agenda(), "2026-02-03").rows.count == 5)
    #expect(try Self.picture(Agenda(), "2027-02-03").rows.map(\.week) == [5, 6, 7, 8])
    #expect(try Self.picture(Agenda(), mode: .twoWeeks).rows.count == 2)
  }

  @Test func `a bar is one piece a week, round where the event begins and ends`() throws {
    let rows = try Self.picture(Self.november()).rows
    let pieces = rows.flatMap(\.pieces).filter { $0.event.summary == "Journey" }
    #expect(pieces.map(\.columns) == [3...6, 0...1])
    #expect(pieces.map(\.begins) == [true, false])
    #expect(pieces.map(\.ends) == [false, true])
    #expect(Set(pieces.map(\.lane)).count == 1)
    let train = rows.flatMap(\.pieces).filter { $0.event.summary == "Night train" }
    #expect(train.map(\.columns) == [1...2] && train.allSatisfy { !$0.isTimed })
  }

  @Test func `what has no room on the sheet is counted`() throws {
    let svg = try Self.picture(Self.november()).svg
    #expect(svg.contains("Hour 10<") && !svg.contains("Hour 19<"))
    #expect(svg.contains(">+7<"))
    // A page for the screen grows.
    #expect(try Self.picture(Self.november()).html.contains("Hour 19<"))
  }

  @Test func `the sheet has the size of the paper`() throws {
    let a4 = try Self.picture(Agenda()).svg
    #expect(a4.contains("width=\"297mm\" height=\"210mm\" viewBox=\"0 0 1122.52 793.7\""))
    let letter = try Self.picture(Agenda(), Self.looks[1]).svg
    #expect(letter.contains("width=\"279.4mm\" height=\"215.9mm\""))
    #expect(try Self.picture(Agenda(), Self.looks[1]).html.contains("size: letter landscape"))
  }

  @Test func `both are in the colours that are asked for, and a page follows the screen`() throws {
    let dark = MonthPicture.Settings(scheme: .dark)
    #expect(try Self.picture(Agenda(), dark).svg.contains(Theme.dark.background.text))
    #expect(try Self.picture(Agenda()).svg.contains(Theme.light.background.text))
    #expect(!(try Self.picture(Agenda()).svg.contains(Theme.dark.background.text)))
    let page = try Self.picture(Agenda()).html
    #expect(page.contains("prefers-color-scheme:dark"))
    #expect(!(try Self.picture(Agenda(), dark).html.contains("prefers-color-scheme")))
  }

  @Test func `a page is a table with heads, days with dates, and events in words`() throws {
    let settings = MonthPicture.Settings(
      showsWeeks: true,
      selection: MonthSelection(
        try CivilDate(text: "2026-11-09"), try CivilDate(text: "2026-11-10")))
    let html = try Self.picture(Self.november(), settings).html
    #expect(html.contains("<html lang=\"en\">"))
    #expect(html.contains("<caption id=\"month\"><h1>November 2026</h1></caption>"))
    #expect(html.contains("<th scope=\"col\" abbr=\"Monday\">"))
    #expect(html.contains("<th scope=\"row\" class=\"week\">47</th>"))
    #expect(html.contains("aria-current=\"date\"><time datetime=\"2026-11-21\""))
    #expect(html.contains("Saturday 21 November 2026, today"))
    #expect(html.contains("<b>09:30</b> <span>Standup</span>"))
    // The second day of a bar has no title to see; it has one to hear.
    #expect(html.contains("<span class=\"heard\">Journey</span><span class=\"heard\"> (continued)"))
    #expect(html.ranges(of: "class=\"selected\"").count == 2)
  }

  @Test func `a page loads nothing and runs nothing`() throws {
    let html = try Self.picture(Self.hostile()).html
    #expect(html.contains("default-src 'none'"))
    for word in ["<script", "<img", "<link", "<iframe", "src=\"", "url(", "@import"] {
      #expect(!html.contains(word), "\(word)")
    }
  }

  @Test(arguments: looks)
  func `any title leaves the picture well-formed, and is in it as text`(
    _ settings: MonthPicture.Settings
  ) throws {
    let folder = try TemporaryDirectory()
    let picture = try Self.picture(Self.hostile(), settings)
    try folder.write(picture.svg, to: "month.svg")
    try folder.write(picture.html, to: "month.html")
    let program = """
      import sys, html.parser, xml.dom.minidom
      known = {"svg", "title", "rect", "path", "text", "tspan", "circle", "g"}
      names = {node.tagName for node in
               xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("*")}
      print(sorted(names - known))
      class Page(html.parser.HTMLParser):
          void = {"meta"}
          stack, names, attributes = [], set(), set()
          def handle_starttag(self, tag, attributes):
              self.names.add(tag)
              self.attributes |= {name for name, _ in attributes}
              if tag not in self.void: self.stack.append(tag)
          def handle_endtag(self, tag):
              assert self.stack.pop() == tag, tag
      page = Page()
      page.feed(open(sys.argv[2]).read())
      page.close()
      print(page.stack, sorted(n for n in page.attributes if n.startswith("on")))
      print(sorted(page.names - {"html", "head", "meta", "title", "style", "body", "main", "div", "table",
            "caption", "h1", "thead", "tbody", "tr", "th", "td", "span", "time", "ul", "li", "b"}))
      """
    let outcome = try Subprocess.run(
      "python3", ["-c", program, folder.file("month.svg"), folder.file("month.html")])
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.output == "[]\n[] []\n[]\n")
  }

  @Test func `the same month is the same octets`() throws {
    let (one, other) = (try Self.picture(Self.november()), try Self.picture(Self.november()))
    #expect(one.svg == other.svg && one.html == other.html)
  }

  private static func picture(
    _ agenda: Agenda, _ settings: MonthPicture.Settings
  ) throws -> MonthPicture {
    try picture(agenda, "2026-11-21", mode: .expanded, settings)
  }
}

@Suite struct `The room that a text takes` {
  @Test func `what fits stays whole, what does not ends with an ellipsis`() {
    #expect(TextWidth.cut("Tea", to: 100, size: 10) == "Tea")
    #expect(TextWidth.cut("Tea with Ana and all others", to: 60, size: 10) == "Tea with…")
    #expect(TextWidth.cut("Tea", to: 5, size: 10) == "")
  }

  @Test func `eastern letters take more of it`() {
    #expect(TextWidth.of("会議", size: 10) > TextWidth.of("ab", size: 10) * 1.5)
  }

  @Test func `a colour can be mixed with another`() {
    #expect(EventColor.white.mixed(with: .black, share: 0) == .white)
    #expect(EventColor.white.mixed(with: .black, share: 1) == .black)
    #expect(EventColor.white.mixed(with: .black, share: 0.5).text == "#808080")
  }
}
