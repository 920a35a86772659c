import CalendarBus
import CivilTime
import Platform
import Widgets

/// How today, agenda, week, next and find print their events: for people, by --format or by --json.
struct EventList {
  private let context: CommandContext
  private let filter: ListFilter
  private let isJSON: Bool
  private let template: ListTemplate?
  private let showsIDs: Bool

  /// - Throws: ``CommandError/usage(_:command:hint:)`` for an invalid --format.
  init(
    _ arguments: ParsedArguments, _ filter: ListFilter, _ context: CommandContext,
    of command: String
  ) throws(CommandError) {
    self.context = context
    self.filter = filter
    isJSON = arguments.has(.json)
    showsIDs = arguments.has(.ids)
    if let text = arguments.value(OptionSpec.format.name) {
      template = try ListTemplate(text, command: command)
    } else {
      template = nil
    }
    if arguments.has(.noPager) { context.output.pager = nil }
  }

  /// Whether it needs all keys of the rows.
  var isWhole: Bool { isJSON || template != nil }

  /// Prints events by day.
  ///
  /// - Parameter days: The days of the list; nil for events in their order, each on its first day.
  /// - Throws: Errors of the agent and of the output.
  func print(_ rows: [Row], days: ClosedRange<CivilDate>?) throws(CommandError) {
    let output = context.output
    if isJSON { return try output.json(rows) }
    if let template {
      return try output.agenda(rows, days: days, in: try view(rows, days), by: template)
    }
    if rows.isEmpty { return try output.line(try emptyText(days)) }
    try output.agenda(rows, days: days, in: try view(rows, days))
  }

  /// Prints events in their order.
  ///
  /// - Parameter hasMore: Whether there are more than these.
  /// - Throws: Errors of the agent and of the output.
  func printFound(_ rows: [Row], hasMore: Bool) throws(CommandError) {
    let output = context.output
    if isJSON { return try output.json(rows) }
    if let template {
      let view = try view(rows, nil)
      let items = AgendaItem.items(
        rows, zone: try context.zone(), showsIDs: true, now: context.now, unlisted: view.unlisted)
      return try output.lines(template.lines(items.map { ($0.firstDay, $0) }, view))
    }
    if rows.isEmpty { return try output.line(localized("No events found.")) }
    try output.found(
      rows, hasMore: hasMore, in: try view(rows, nil),
      alsoShared: showsIDs ? EventLookup(context: context).shared(among: rows) : [])
  }

  private func view(
    _ rows: [Row], _ days: ClosedRange<CivilDate>?
  ) throws(CommandError) -> ListView {
    var view = ListView(
      calendars: try context.client().calendars(), chosen: filter.calendars, showsIDs: showsIDs)
    // A list of whole days has all that overlaps.
    if days == nil || !filter.isOpen {
      view.unlisted = try AgendaRows(context: context, isWhole: false)
        .others(than: rows, from: days?.lowerBound)
    }
    return view
  }

  // MARK: Nothing

  /// Returns what an empty list says; it names the next event if the days begin today or before.
  private func emptyText(_ days: ClosedRange<CivilDate>?) throws(CommandError) -> String {
    guard let days else { return localized("No upcoming events with a time.") }
    let today = try context.today()
    let text = EventList.nothing(on: days, today: today, TimeText.current)
    guard days.contains(today), let next = try AgendaRows(context: context).next(1, filter).first
    else { return text }
    let item = AgendaItem(next, zone: try context.zone())
    return EventList.nothing(text, next: item.when, item.titleText)
  }

  /// Returns "Nothing today.", "Nothing on Mon 7 Jan 2030.", "Nothing from … to ….".
  static func nothing(
    on days: ClosedRange<CivilDate>, today: CivilDate, _ times: TimeText
  ) -> String {
    let (first, last) = (days.lowerBound, days.upperBound)
    if first == last {
      return switch first.days(since: today) {
      case 0: localized("Nothing today.")
      case 1: localized("Nothing tomorrow.")
      default: localized("Nothing on {day}.", ["day": times.shortDate(first)])
      }
    }
    return localized(
      "Nothing from {first} to {last}.",
      ["first": times.shortDate(first), "last": times.shortDate(last)])
  }

  /// Returns "Nothing today. Next: Mon 7 Jan 2030, 09:00 – 10:00  Dentist".
  static func nothing(_ text: String, next when: String, _ title: String) -> String {
    localized("{text} Next: {when}  {title}", ["text": text, "when": when, "title": title])
  }
}

extension Output {
  /// Prints a line of the user's for each event, without days between.
  ///
  /// - Throws: Errors of the agent and of the output.
  func agenda(
    _ rows: [Row], days: ClosedRange<CivilDate>?, in view: ListView, by template: ListTemplate
  ) throws(CommandError) {
    let lists = try listedDays(rows, days: days, showsIDs: true, unlisted: view.unlisted)
    try lines(template.lines(lists.flatMap { list in list.items.map { (list.day, $0) } }, view))
  }
}

extension ListTemplate {
  /// Returns the lines of events, each with the day under which it is listed.
  func lines(_ items: [(day: CivilDate, item: AgendaItem)], _ view: ListView) -> [String] {
    items.map { day, item in text { item.value(of: $0, on: day, in: view) } }
  }
}

extension AgendaItem {
  fileprivate func value(
    of field: ListTemplate.Field, on day: CivilDate, in view: ListView
  ) -> String {
    switch field {
    case .date: day.description
    case .time: times(on: day)
    case .start: isAllDay ? "" : start.time.hourAndMinute
    case .end: isAllDay ? "" : end.time.hourAndMinute
    case .title: titleText
    case .location: location
    case .calendar: view.wholeName(of: calendar)
    case .id: reference.text
    case .url: url
    case .joinURL: joinURL
    case .marks: localizedList(remarks(on: day))
    }
  }
}

extension OptionSpec {
  /// The options of commands that list occurrences.
  static let lists = filters + [ids, format, noPager, json]
}
