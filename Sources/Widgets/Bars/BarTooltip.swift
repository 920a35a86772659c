import CalendarModel

/// The tooltip of a bar: the day as a list.
package struct BarTooltip: Hashable, Sendable {
  let lines: [Line]

  enum Line: Hashable, Sendable {
    /// A date above its events.
    case heading(String)
    case event(Event)
    case note(String)
  }

  struct Event: Hashable, Sendable {
    /// "09:30–10:00", "all day".
    let time: String
    let title: String
    /// "Room 4"; "" if there is none.
    let place: String
    let color: EventColor?
    let isPast: Bool

    var words: String { place.isEmpty ? title : title + " · " + place }
  }

  /// The columns of the widest time, so that titles are below each other.
  private var timeColumns: Int {
    lines.reduce(0) { widest, line in
      if case .event(let event) = line { max(widest, event.time.columns) } else { widest }
    }
  }

  /// Plain text, aligned where each character has the same width.
  package var text: String {
    let width = timeColumns
    return lines.map { line in
      switch line {
      case .heading(let text), .note(let text): text
      case .event(let event): event.time.padding(to: width) + "  " + event.words
      }
    }.joined(separator: "\n")
  }

  /// Pango markup: bold dates, times of one width, a mark in the color of each event, and past events
  /// dimmed.
  package var markup: String {
    let width = timeColumns
    return lines.map { line in
      switch line {
      case .heading(let text): "<b>\(pangoEscaped(text))</b>"
      case .note(let text): pangoEscaped(text)
      case .event(let event):
        BarTooltip.markup(event, timeColumns: width)
      }
    }.joined(separator: "\n")
  }

  private static func markup(_ event: Event, timeColumns: Int) -> String {
    let mark = event.color.map { "<span foreground=\"\($0.text)\">●</span>" } ?? "●"
    var blanks = event.time.padding(to: timeColumns).dropFirst(event.time.count)
    // Pango takes blanks from the font of the character before them, and those of a Chinese font
    // are narrow. In a span without other fonts they have the width of the digits.
    if !blanks.isEmpty, event.time.columns > event.time.count {
      blanks = "<span fallback=\"false\">\(blanks)</span>"
    }
    let text = "<tt>\(pangoEscaped(event.time))\(blanks)</tt>  \(mark) \(pangoEscaped(event.words))"
    return event.isPast ? "<span alpha=\"55%\">\(text)</span>" : text
  }
}
