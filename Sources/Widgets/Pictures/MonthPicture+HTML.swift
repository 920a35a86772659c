import CalendarModel
import CivilTime
import Messages

extension MonthPicture {
  /// The page as HTML: one file that loads nothing and runs nothing.
  ///
  /// A month is a table, so that a screen reader reads the weekday and week of each day and keys
  /// move through it. Each day names its events in full, though only the first day of a bar shows
  /// the title.
  package var html: String {
    let title = markupEscaped(self.title)
    let paper = settings.paper == .a4 ? "A4" : "letter"
    return """
      <!DOCTYPE html>
      <html lang="\(markupEscaped(language.code))">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="\(settings.scheme?.rawValue ?? "light dark")">
      <title>\(title)</title>
      <style>
      \(PageStyle.colors(settings.scheme))
      @page { size: \(paper) landscape; margin: 10mm }
      \(PageStyle.style)
      </style>
      </head>
      <body>
      <main>
      <div class="scroll" role="region" aria-labelledby="month" tabindex="0">
      <table\(settings.showsWeeks ? " class=\"weeks\"" : "") style="--rows:\(rows.count)">
      <caption id="month"><h1>\(title)</h1></caption>
      \(head)
      <tbody>
      \(rows.map(week).joined(separator: "\n"))
      </tbody>
      </table>
      </div>
      \(legendList)
      </main>
      </body>
      </html>

      """
  }

  private var legendList: String {
    if legend.isEmpty { return "" }
    let items = legend.map {
      "<li style=\"--c:\($0.color.text)\">\(markupEscaped(displayLine($0.name)))</li>"
    }
    let name = markupEscaped(language.string(UserText("Calendars")))
    return "<ul class=\"legend\" aria-label=\"\(name)\">\(items.joined())</ul>"
  }

  private var head: String {
    let days = rows.first?.days ?? []
    let names = days.map { day in
      let name = markupEscaped(times.name(of: day.date.weekday))
      let short = markupEscaped(times.shortName(of: day.date.weekday))
      return "<th scope=\"col\" abbr=\"\(name)\"><span class=\"long\">\(name)</span>"
        + "<span class=\"short\" aria-hidden=\"true\">\(short)</span></th>"
    }
    let week = markupEscaped(language.string(UserText("Week")))
    let corner = settings.showsWeeks ? "<th scope=\"col\" class=\"week\">\(week)</th>" : ""
    return "<thead><tr>\(corner)\(names.joined())</tr></thead>"
  }

  private func week(_ row: Row) -> String {
    let number =
      settings.showsWeeks ? "<th scope=\"row\" class=\"week\">\(row.week)</th>" : ""
    let cells = row.days.indices.map { cell($0, of: row) }
    return "<tr>\(number)\(cells.joined(separator: "\n"))</tr>"
  }

  private func cell(_ column: Int, of row: Row) -> String {
    let day = row.days[column]
    var classes: [String] = []
    if grid.mode.weeks == 6, !day.isInMonth { classes.append("outside") }
    if day.isWeekend { classes.append("weekend") }
    if day.isToday { classes.append("today") }
    if settings.selection.days?.contains(day.date) == true { classes.append("selected") }
    let names = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    let now = day.isToday ? " aria-current=\"date\"" : ""
    let date = times.longDate(day.date)
    let spoken = markupEscaped(
      day.isToday ? language.string(UserText("{date}, today", ["date": date])) : date)
    let events = row.pieces.filter { $0.columns.contains(column) }.sorted { $0.lane < $1.lane }
      .map { item($0, on: column, of: row.days) }
    let more = day.more > 0 ? "<li class=\"more\">\(moreText(day.more))</li>" : ""
    let list =
      events.isEmpty && more.isEmpty ? "" : "<ul>\(events.joined())\(more)</ul>"
    return "<td\(names)\(now)><time datetime=\"\(day.date)\" title=\"\(spoken)\">"
      + "<span aria-hidden=\"true\">\(day.date.day)</span><span class=\"heard\">\(spoken)</span>"
      + "</time>\(mark(of: day))\(list)</td>"
  }

  /// The mark of a day's releases.
  private func mark(of day: MonthDay) -> String {
    guard let releases = day.releases else { return "" }
    let name = markupEscaped(language.string(releases.text))
    return "<span class=\"releases\" style=\"background:\(releases.color.text)\" "
      + "title=\"\(name)\"><span class=\"heard\">\(name)</span></span>"
  }

  private func moreText(_ count: Int) -> String {
    markupEscaped(
      language.string(UserText(count, one: "{count} more", other: "{count} more")))
  }

  private func item(_ piece: Piece, on column: Int, of days: [MonthDay]) -> String {
    let event = piece.event
    let isFirst = column == piece.columns.lowerBound
    let begins = piece.begins && isFirst
    let title = markupEscaped(title(of: event))
    let time = begins ? self.time(of: event) : ""
    let lane = min(piece.lane, PageStyle.mostLanes) + 1
    let continued = markupEscaped(language.string(UserText("(continued)")))
    let goesOn = begins ? "" : "<span class=\"heard\"> \(continued)</span>"
    guard isFirst else {
      // The first day's bar covers this one, which is only for screen readers.
      return "<li class=\"under\" style=\"grid-row:\(lane)\">"
        + "<span class=\"heard\">\(title)</span>\(goesOn)</li>"
    }
    var classes = [piece.isTimed ? "timed" : "bar"]
    if piece.begins { classes.append("begins") }
    if piece.ends { classes.append("ends") }
    if event.isTentative { classes.append("tentative") }
    if event.isDeclined { classes.append("declined") }
    if days[piece.columns].allSatisfy({ grid.mode.weeks == 6 && !$0.isInMonth }) {
      classes.append("faint")
    }
    let words = (time.isEmpty ? "" : "<b>\(time)</b> ") + "<span>\(title)</span>" + goesOn
    let label = time.isEmpty ? self.title(of: event) : "\(time) \(self.title(of: event))"
    let spoken = markupEscaped(
      event.isDeclined
        ? language.string(UserText("{title} (declined)", ["title": label])) : label)
    let isSolid = !piece.isTimed && !event.isTentative && !event.isDeclined
    let color = isSolid ? event.color.bar.ground : event.color
    let look =
      "--n:\(piece.columns.count);--c:\(color.text);--t:\(event.color.bar.text.text)"
    return "<li class=\"\(classes.joined(separator: " "))\" "
      + "style=\"grid-row:\(lane);\(look)\" "
      + "title=\"\(spoken)\">\(words)</li>"
  }
}

/// The styles that all pages share.
private enum PageStyle {
  static let mostLanes = 100

  /// Returns the colors of a scheme, or those that the screen prefers.
  static func colors(_ scheme: ColorScheme?) -> String {
    func variables(_ theme: Theme) -> String {
      """
      :root{--background:\(theme.background.text);--surface:\(theme.surface.text);\
      --line:\(theme.line.text);--text:\(theme.text.text);--muted:\(theme.muted.text);\
      --accent:\(theme.accent.text);--on-accent:\(theme.accent.readableText.text)}
      """
    }
    // Paper is light.
    if scheme == .dark { return variables(.dark) + "\n@media print{" + variables(.light) + "}" }
    if scheme == .light { return variables(.light) }
    return variables(.light) + "\n@media screen and (prefers-color-scheme:dark){"
      + variables(.dark) + "}"
  }

  static let style = """
    * { box-sizing: border-box; print-color-adjust: exact; -webkit-print-color-adjust: exact }
    body { margin: 0; background: var(--background); color: var(--text); \
    font: 13px/1.35 Inter, Cantarell, "Noto Sans", "DejaVu Sans", sans-serif }
    main { max-width: 1500px; margin: auto; padding: 24px }
    .scroll { position: relative; overflow-x: auto }
    .scroll:focus-visible { outline: 3px solid var(--accent); outline-offset: 4px }
    table { width: 100%; min-width: 640px; border-collapse: collapse; table-layout: fixed }
    caption { text-align: left }
    h1 { margin: 0 0 16px; font-size: 34px; line-height: 1.1; letter-spacing: -.01em }
    th { color: var(--muted); font-weight: 600; text-align: left; padding: 4px 10px; font-size: 12px }
    thead .short { display: none }
    .week { width: 44px; text-align: right; vertical-align: top; padding: 10px 10px 0 0 }
    thead .week { font-size: 0 }
    td { height: 108px; padding: 0 0 6px; vertical-align: top; border: 1px solid var(--line) }
    td.weekend, td.outside { background: var(--surface) }
    td.selected { box-shadow: inset 0 0 0 2px var(--accent) }
    time { display: inline-block; margin: 5px 4px 3px; min-width: 25px; padding: 0 6px; line-height: 25px; \
    text-align: center; font-weight: 600; font-size: 14px; border-radius: 13px }
    .outside time { color: var(--muted); font-weight: 400 }
    .faint { opacity: .7 }
    .releases { float: right; width: 8px; height: 8px; margin: 13px 10px 0 0; border-radius: 4px }
    .today time { background: var(--accent); color: var(--on-accent) }
    td ul { display: grid; grid-auto-rows: 21px; grid-template-columns: minmax(0, 1fr); margin: 0; padding: 0; \
    list-style: none; font-size: 12px }
    td li { --l: 0px; --r: 0px; position: relative; z-index: 1; height: 18px; margin: 0 var(--r) 0 var(--l); \
    width: calc(100% * var(--n) + (var(--n) - 1) * 1px - var(--l) - var(--r)); line-height: 18px; padding: 0 6px; overflow: hidden; white-space: nowrap; \
    text-overflow: ellipsis; unicode-bidi: isolate }
    .under { z-index: 0; width: auto }
    .bar { background: var(--c); color: var(--t) }
    .begins { --l: 5px; border-radius: 4px 0 0 4px }
    .ends { --r: 5px; border-radius: 0 4px 4px 0 }
    .begins.ends { border-radius: 4px }
    .timed { border-left: 3px solid var(--c); background: var(--surface); \
    background: color-mix(in srgb, var(--c) 16%, var(--background)); padding-left: 5px }
    .tentative { background: color-mix(in srgb, var(--c) 16%, var(--background)); color: var(--text); \
    outline: 1px dashed var(--c); outline-offset: -1px }
    .declined { background: none; color: var(--muted); outline: 1px solid var(--c); outline-offset: -1px }
    .declined span { text-decoration: line-through }
    .more { width: auto; color: var(--muted); font-weight: 600; padding-left: 10px }
    .heard { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); \
    white-space: nowrap }
    .legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 12px 0 0; padding: 0; list-style: none; \
    font-size: 12px; color: var(--muted) }
    .legend li::before { content: ""; display: inline-block; width: 10px; height: 10px; margin-right: 6px; \
    border-radius: 5px; background: var(--c) }
    @media (max-width: 800px) { thead .long { display: none } thead .short { display: inline } }
    @media print { main { max-width: none; padding: 0 } .scroll { overflow: visible } \
    tr { break-inside: avoid } td { height: calc(156mm / var(--rows)) } :root { color-scheme: light } }
    """
}
