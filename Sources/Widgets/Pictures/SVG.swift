import CalendarModel

/// The parts of SVG that the pictures share, in units of 1/96 inch.
enum SVG {
  private static let family = "Inter, Cantarell, 'Noto Sans', 'DejaVu Sans', sans-serif"

  /// Returns the head of a document in the size of a paper, with its ground.
  static func opening(_ paper: MonthPicture.Paper, title: String, _ theme: Theme) -> String {
    let (size, (width, height)) = (paper.millimetres, paper.units)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(number(size.width))mm" \
      height="\(number(size.height))mm" viewBox="0 0 \(number(width)) \(number(height))" \
      font-family="\(family)" role="img" aria-labelledby="title">
      <title id="title">\(markupEscaped(title))</title>
      """ + "\n" + rectangle(0, 0, width, height, fill: theme.background)
  }

  /// Returns the title of a page; a year at its end, as in English, is drawn lighter.
  static func heading(_ title: String, x: Double, _ theme: Theme) -> String {
    let year = title.split(separator: " ").last.map(String.init) ?? ""
    guard year.allSatisfy(\.isNumber), title.count > year.count else {
      return text(title, x: x, y: 72, size: 40, color: theme.text, weight: 700)
    }
    let name = title.dropLast(year.count + 1)
    return """
      <text x="\(number(x))" y="72" font-size="40" font-weight="700" \
      fill="\(theme.text.text)">\(markupEscaped(String(name))) \
      <tspan font-weight="300" fill="\(theme.muted.text)">\(markupEscaped(year))</tspan></text>
      """
  }

  /// Returns the names of calendars with their colors, as many as have room on one line.
  static func legend(
    _ calendars: [SnapshotCalendar], from left: Double, to right: Double, y: Double,
    color: EventColor
  ) -> [String] {
    var parts: [String] = []
    var x = left
    for calendar in calendars {
      let name = shortened(displayLine(calendar.name), toColumns: 30)
      let end = x + 15 + TextWidth.of(name, size: 11)
      if end > right { break }
      parts.append(
        "<circle cx=\"\(number(x + 5))\" cy=\"\(number(y - 4))\" r=\"5\" "
          + "fill=\"\(calendar.color.text)\"/>"
          + text(name, x: x + 15, y: y, size: 11, color: color, weight: 400))
      x = end + 18
    }
    return parts
  }

  static func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, fill: EventColor,
    extra: String = ""
  ) -> String {
    "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" "
      + "height=\"\(number(height))\" fill=\"\(fill.text)\"\(extra)/>"
  }

  static func text(
    _ text: String, x: Double, y: Double, size: Double, color: EventColor, weight: Int,
    extra: String = ""
  ) -> String {
    "<text x=\"\(number(x))\" y=\"\(number(y))\" font-size=\"\(number(size))\" "
      + "font-weight=\"\(weight)\" fill=\"\(color.text)\"\(extra)>\(markupEscaped(text))</text>"
  }

  /// Returns a number with at most two decimals, the same on every machine.
  static func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    let digits = rest % 10 == 0 ? "\(rest / 10)" : (rest < 10 ? "0\(rest)" : "\(rest)")
    return "\(sign)\(whole).\(digits)"
  }
}
