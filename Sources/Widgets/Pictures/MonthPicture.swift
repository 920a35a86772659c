package import CivilTime
import Messages

/// A page of a wall calendar, which ``svg`` and ``html`` draw.
package struct MonthPicture: Sendable {
  let grid: MonthGrid
  let zone: ZoneRules
  let times: TimeText
  let settings: Settings
  private let calendars: [SnapshotCalendar]
  /// "November 2026".
  var title: String { grid.title(times) }
  var language: Language { times.language }

  /// A sheet of paper in landscape format.
  package enum Paper: String, CaseIterable, Hashable, Sendable {
    case a4, letter

    /// Width and height in millimetres.
    var millimetres: (width: Double, height: Double) {
      switch self {
      case .a4: (297, 210)
      case .letter: (279.4, 215.9)
      }
    }

    /// The same in units of 1/96 inch.
    var units: (width: Double, height: Double) {
      (millimetres.width / 25.4 * 96, millimetres.height / 25.4 * 96)
    }
  }

  /// How a page is drawn.
  package struct Settings: Hashable, Sendable {
    package var paper: Paper
    /// The color scheme; nil lets the reader's screen choose if it can, and prints light.
    package var scheme: ColorScheme?
    /// Whether each row begins with the number of its week.
    package var showsWeeks: Bool
    /// The days to mark.
    package var selection: MonthSelection

    package init(
      paper: Paper = .a4, scheme: ColorScheme? = nil, showsWeeks: Bool = false,
      selection: MonthSelection = MonthSelection()
    ) {
      self.paper = paper
      self.scheme = scheme
      self.showsWeeks = showsWeeks
      self.selection = selection
    }
  }

  /// - Parameters:
  ///   - zone: The zone of the times.
  ///   - calendars: Those that ``legend`` may name, in order.
  package init(
    _ grid: MonthGrid, zone: ZoneRules, times: TimeText, settings: Settings = Settings(),
    calendars: [SnapshotCalendar] = []
  ) {
    self.calendars = calendars
    self.grid = grid
    self.zone = zone
    self.times = times
    self.settings = settings
  }

  /// The calendars that have events on the page; none if there is only one.
  var legend: [SnapshotCalendar] { calendars.used(by: [grid]) }

  /// A week of the page.
  struct Row {
    /// Its row on the page, from 0.
    let index: Int
    let days: [MonthDay]
    /// Its bars, from the left.
    let pieces: [Piece]
    /// The ISO 8601 number of the week: that of its Thursday.
    let week: Int
  }

  /// The part of an event in one week.
  struct Piece {
    let event: MonthEvent
    let lane: Int
    /// The days of the week that it covers, from 0.
    let columns: ClosedRange<Int>
    /// Whether the event begins, or ends, in this week.
    let begins: Bool
    let ends: Bool

    /// Whether it is drawn as a line of text rather than a solid bar.
    var isTimed: Bool { !event.isAllDay && begins && ends && columns.count == 1 }
  }

  /// The weeks with days of the month; all weeks of a page of one or two weeks.
  var rows: [Row] {
    stride(from: 0, to: grid.days.count, by: 7).compactMap { start in
      let days = Array(grid.days[start..<min(start + 7, grid.days.count)])
      guard grid.mode.weeks < 6 || days.contains(where: \.isInMonth) else { return nil }
      let thursday = days.first { $0.date.weekday == .thursday }
      return Row(
        index: start / 7, days: days, pieces: pieces(of: days), week: (thursday ?? days[0]).week)
    }
  }

  private func pieces(of days: [MonthDay]) -> [Piece] {
    var pieces: [Piece] = []
    for (column, day) in days.enumerated() {
      for bar in day.bars {
        let isNew = column == 0 || !days[column - 1].bars.contains { $0.event == bar.event }
        guard isNew, grid.events.indices.contains(bar.event) else { continue }
        var last = column
        var end = bar.part
        while last + 1 < days.count,
          let next = days[last + 1].bars.first(where: { $0.event == bar.event })
        {
          last += 1
          end = next.part
        }
        pieces.append(
          Piece(
            event: grid.events[bar.event], lane: bar.lane, columns: column...last,
            begins: bar.part == .start || bar.part == .single, ends: end == .end || end == .single))
      }
    }
    return pieces
  }

  /// Returns the title on one line, with "?" after a tentative event.
  func title(of event: MonthEvent) -> String {
    displayTitle(
      event.summary, uid: event.uid, calendar: event.calendar, times: event.count, language)
      + (event.isTentative ? "?" : "")
  }

  /// "09:30", "9:30 am"; "" for an all-day event.
  func time(of event: MonthEvent) -> String {
    event.isAllDay ? "" : times.clock(zone.reading(at: event.start).time)
  }
}

extension [SnapshotCalendar] {
  /// Returns those that have events in grids; none if there is only one.
  func used(by grids: [MonthGrid]) -> [SnapshotCalendar] {
    var ids: Set<String> = []
    for grid in grids { for event in grid.events { ids.insert(event.calendar) } }
    let used = filter { ids.contains($0.id) }
    return used.count > 1 ? used : []
  }
}

/// Returns other people's text escaped for XML and HTML, in elements and attributes.
///
/// ``displayLine(_:)`` has already removed the characters that XML does not allow.
func markupEscaped(_ text: String) -> String { pangoEscaped(text) }
