import CalendarModel
import CivilTime
import Messages

extension MonthPicture {
  /// The page as SVG 1.1, one file without external parts, in the size of the paper.
  package var svg: String { MonthDrawing(self).text }
}

/// Draws the page on a sheet in units of 1/96 inch.
private struct MonthDrawing {
  private let picture: MonthPicture
  private let theme: Theme
  private let rows: [MonthPicture.Row]
  private let width: Double
  private let height: Double
  private let margin = 38.0
  /// The width of the column of week numbers.
  private let gutter: Double
  private let top = 110.0
  private let columnWidth: Double
  private let rowHeight: Double

  private static let laneHeight = 19.0
  private static let barHeight = 17.0
  private static let fontSize = 11.0
  /// The height of the day number.
  private static let headHeight = 28.0

  init(_ picture: MonthPicture) {
    self.picture = picture
    theme = Theme.of(picture.settings.scheme ?? .light)
    rows = picture.rows
    (width, height) = picture.settings.paper.units
    gutter = picture.settings.showsWeeks ? 30 : 0
    columnWidth = (width - 2 * margin - gutter) / 7
    rowHeight = (height - top - margin) / Double(max(rows.count, 1))
  }

  var text: String {
    var parts = [
      SVG.opening(picture.settings.paper, title: picture.title, theme),
      SVG.heading(picture.title, x: margin, theme), weekdays,
    ]
    for (place, row) in rows.enumerated() { parts += ground(of: row, at: place) }
    parts += lines
    parts += selection
    for (place, row) in rows.enumerated() { parts += content(of: row, at: place) }
    parts += SVG.legend(
      picture.legend, from: left(of: 0), to: left(of: 7), y: height - 18, color: theme.muted)
    return (parts + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  // MARK: Head

  private var weekdays: String {
    (0..<7).map { column in
      let weekday = rows.first?.days[column].date.weekday
      let name = weekday.map(picture.times.name(of:)) ?? ""
      return SVG.text(
        name.uppercased(), x: left(of: column) + 10, y: top - 10, size: 10.5,
        color: theme.muted, weight: 600, extra: " letter-spacing=\"1.2\"")
    }.joined(separator: "\n")
  }

  // MARK: Ground

  private func ground(of row: MonthPicture.Row, at place: Int) -> [String] {
    let y = top + Double(place) * rowHeight
    return row.days.enumerated().compactMap { column, day in
      guard day.isWeekend || isOutside(day) else { return nil }
      return SVG.rectangle(left(of: column), y, columnWidth, rowHeight, fill: theme.surface)
    }
  }

  private var lines: [String] {
    let bottom = top + Double(rows.count) * rowHeight
    let right = left(of: 7)
    var path = ""
    for place in 0...rows.count {
      let y = SVG.number(top + Double(place) * rowHeight)
      path += "M\(SVG.number(left(of: 0))) \(y)H\(SVG.number(right))"
    }
    for column in 0...7 {
      path += "M\(SVG.number(left(of: column))) \(SVG.number(top))V\(SVG.number(bottom))"
    }
    return ["<path d=\"\(path)\" fill=\"none\" stroke=\"\(theme.line.text)\"/>"]
  }

  private var selection: [String] {
    guard let page = picture.grid.page else { return [] }
    return picture.settings.selection.segments(on: page).compactMap { segment in
      guard let place = rows.firstIndex(where: { $0.index == segment.row }) else { return nil }
      let days = rows[place].days
      guard let from = days.firstIndex(where: { $0.date == segment.days.lowerBound }),
        let to = days.firstIndex(where: { $0.date == segment.days.upperBound })
      else { return nil }
      let accent = theme.accent.text
      return """
        <rect x="\(SVG.number(left(of: from) + 1.5))" \
        y="\(SVG.number(top + Double(place) * rowHeight + 1.5))" \
        width="\(SVG.number(Double(to - from + 1) * columnWidth - 3))" \
        height="\(SVG.number(rowHeight - 3))" rx="5" fill="\(accent)" fill-opacity="0.09" \
        stroke="\(accent)" stroke-width="2"/>
        """
    }
  }

  // MARK: Weeks

  private func content(of row: MonthPicture.Row, at place: Int) -> [String] {
    let y = top + Double(place) * rowHeight
    var parts: [String] = []
    if picture.settings.showsWeeks {
      parts.append(
        SVG.text(
          "\(row.week)", x: margin + gutter - 10, y: y + 21, size: 10.5, color: theme.muted,
          weight: 600, extra: " text-anchor=\"end\""))
    }
    for (column, day) in row.days.enumerated() {
      parts.append(dayNumber(day, x: left(of: column), y: y))
      if let releases = day.releases {
        parts.append(mark(releases, x: left(of: column + 1) - 14, y: y + 16))
      }
    }
    let fitting = max(1, Int((rowHeight - MonthDrawing.headHeight - 3) / MonthDrawing.laneHeight))
    // If not everything fits, the last lane shows the number of hidden events.
    let overfull = row.days.indices.filter { column in
      row.days[column].more > 0 || row.days[column].bars.contains { $0.lane >= fitting }
    }
    func isShown(_ piece: MonthPicture.Piece) -> Bool {
      piece.lane < fitting - 1
        || (piece.lane == fitting - 1 && !overfull.contains(where: piece.columns.contains))
    }
    for piece in row.pieces where isShown(piece) {
      let isOutside = row.days[piece.columns].allSatisfy(isOutside)
      let drawn = bar(piece, y: laneTop(piece.lane, y))
      parts.append(isOutside ? "<g opacity=\"0.6\">\(drawn)</g>" : drawn)
    }
    for (column, day) in row.days.enumerated() {
      let hidden =
        day.more + row.pieces.count { $0.columns.contains(column) && !isShown($0) }
      guard hidden > 0 else { continue }
      parts.append(
        SVG.text(
          "+\(hidden)", x: left(of: column) + 10, y: laneTop(fitting - 1, y) + 12,
          size: MonthDrawing.fontSize, color: theme.muted, weight: 600))
    }
    return parts
  }

  private func dayNumber(_ day: MonthDay, x: Double, y: Double) -> String {
    guard day.isToday else {
      return SVG.text(
        "\(day.date.day)", x: x + 10, y: y + 21, size: 14,
        color: isOutside(day) ? theme.muted : theme.text, weight: isOutside(day) ? 400 : 600)
    }
    let circle =
      "<circle cx=\"\(SVG.number(x + 18))\" cy=\"\(SVG.number(y + 16))\" r=\"11.5\" "
      + "fill=\"\(theme.accent.text)\"/>"
    return circle
      + SVG.text(
        "\(day.date.day)", x: x + 18, y: y + 20.6, size: 13, color: theme.accent.readableText,
        weight: 700, extra: " text-anchor=\"middle\"")
  }

  /// The mark of a day's releases, in the corner opposite to the number.
  private func mark(_ releases: DayMarker, x: Double, y: Double) -> String {
    let name = markupEscaped(picture.language.string(releases.text))
    return "<circle cx=\"\(SVG.number(x))\" cy=\"\(SVG.number(y))\" r=\"4\" "
      + "fill=\"\(releases.color.text)\"><title>\(name)</title></circle>"
  }

  // MARK: Bars

  private func bar(_ piece: MonthPicture.Piece, y: Double) -> String {
    let event = piece.event
    let before = piece.begins ? 5.0 : 0
    let after = piece.ends ? 5.0 : 0
    let x = left(of: piece.columns.lowerBound) + before
    let width = Double(piece.columns.count) * columnWidth - before - after
    let title = picture.title(of: event)
    let height = MonthDrawing.barHeight
    let isSolid = !piece.isTimed && !event.isTentative && !event.isDeclined
    let fill =
      isSolid ? event.color.bar.ground : theme.background.mixed(with: event.color, share: 0.16)
    let color = isSolid ? event.color.bar.text : readable(on: fill)
    var shape = outline(piece, width: width, height: height)
    shape = "<path d=\"\(shape)\" fill=\"\(fill.text)\"\(dashes(event))/>"
    if piece.isTimed {
      shape +=
        "<rect width=\"3\" height=\"\(SVG.number(height))\" rx=\"1.5\" fill=\"\(event.color.text)\"/>"
    }
    let time = piece.begins ? picture.time(of: event) : ""
    let size = MonthDrawing.fontSize
    let shift = piece.isTimed ? 8.0 : 7.0
    let timeWidth = time.isEmpty ? 0 : TextWidth.of(time, size: size) * 1.12 + 6
    let room = width - shift - 4 - timeWidth
    var words = ""
    if !time.isEmpty {
      words += SVG.text(time, x: shift, y: 12.4, size: size, color: color, weight: 600)
    }
    words += SVG.text(
      TextWidth.cut(title, to: room, size: size), x: shift + timeWidth, y: 12.4, size: size,
      color: color, weight: 400,
      extra: event.isDeclined ? " text-decoration=\"line-through\"" : "")
    // The inner <svg> clips text that is longer with the fonts of another machine.
    return """
      <svg x="\(SVG.number(x))" y="\(SVG.number(y))" width="\(SVG.number(width))" height="\(SVG.number(height))">\
      <title>\(markupEscaped((time.isEmpty ? "" : time + " ") + title))</title>\(shape)\(words)</svg>
      """
  }

  private func dashes(_ event: MonthEvent) -> String {
    event.isTentative
      ? " stroke=\"\(event.color.text)\" stroke-width=\"2\" stroke-dasharray=\"4 3\"" : ""
  }

  /// Returns the outline: round where the event begins or ends, straight where it continues.
  private func outline(_ piece: MonthPicture.Piece, width: Double, height: Double) -> String {
    let left = piece.begins ? 4.0 : 0
    let right = piece.ends ? 4.0 : 0
    let (w, h) = (width, height)
    func corner(_ radius: Double, _ x: Double, _ y: Double) -> String {
      radius > 0
        ? "A\(SVG.number(radius)) \(SVG.number(radius)) 0 0 1 \(SVG.number(x)) \(SVG.number(y))"
        : ""
    }
    return "M\(SVG.number(left)) 0H\(SVG.number(w - right))" + corner(right, w, right)
      + "V\(SVG.number(h - right))" + corner(right, w - right, h) + "H\(SVG.number(left))"
      + corner(left, 0, h - left) + "V\(SVG.number(left))" + corner(left, left, 0) + "Z"
  }

  private func readable(on ground: EventColor) -> EventColor {
    theme.text.contrast(with: ground) >= 4.5 ? theme.text : ground.readableText
  }

  // MARK: Parts

  private func isOutside(_ day: MonthDay) -> Bool { picture.grid.mode.weeks == 6 && !day.isInMonth }

  private func left(of column: Int) -> Double { margin + gutter + Double(column) * columnWidth }

  private func laneTop(_ lane: Int, _ y: Double) -> Double {
    y + MonthDrawing.headHeight + Double(lane) * MonthDrawing.laneHeight
  }
}
